#include "policy/network/target.hpp"

#include <algorithm>
#include <array>

namespace policy::network {
namespace {

// A call that has more readings than these is up to no good.
constexpr std::size_t sites_max = 16;
constexpr std::size_t paths_max = 64;
constexpr std::size_t methods_max = 16;

constexpr std::array<const char*, 9> usual_methods{"GET",    "HEAD",    "POST",    "PUT",  "PATCH",
                                                   "DELETE", "OPTIONS", "CONNECT", "TRACE"};

template <class Item>
bool add_new(std::vector<Item>& list, Item item, std::size_t count_max) {
  if (std::find(list.begin(), list.end(), item) != list.end()) return true;
  if (list.size() >= count_max) return false;
  list.push_back(std::move(item));
  return true;
}

std::string encoded(const std::string& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '%' && c != '?' && c != '#' && c != '\\') {
      text += c;
    } else {
      text += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return text;
}

}  // namespace

void add_doubt(Target& target, std::string why) {
  if (target.doubt.empty()) target.doubt = std::move(why);
}

void add_site(Target& target, Site site) {
  if (add_new(target.sites, std::move(site), sites_max)) return;
  target.any_site = true;
  add_doubt(target, "an address with too many readings");
}

void add_path(Target& target, std::string path) {
  if (add_new(target.paths, std::move(path), paths_max)) return;
  target.any_path = true;
  if (target.path_doubt.empty()) target.path_doubt = "a path with too many readings";
}

void add_method(Target& target, std::string method) {
  if (!add_new(target.methods, std::move(method), methods_max)) target.any_method = true;
}

int port_of_scheme(std::string_view scheme) {
  if (scheme == "https" || scheme == "wss") return 443;
  if (scheme == "http" || scheme == "ws") return 80;
  if (scheme == "ssh" || scheme == "sftp") return 22;
  if (scheme == "ftp") return 21;
  if (scheme == "git") return 9418;
  return 0;
}

bool is_web_scheme(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss";
}

std::string text_of(const Site& site) {
  std::string text = site.scheme.empty() ? std::string() : site.scheme + "://";
  text += site.host.name;
  if (site.port != 0 && site.port != port_of_scheme(site.scheme)) text += ':' + std::to_string(site.port);
  return text;
}

std::size_t request_count(const Target& target) {
  const std::size_t methods = target.methods.size() + (target.any_method ? usual_methods.size() : 0);
  return target.sites.size() * target.paths.size() * std::max<std::size_t>(target.queries.size(), 1) *
         methods;
}

bool every_request(const Target& target, const std::function<bool(const std::string&)>& holds) {
  std::vector<std::string> methods = target.methods;
  if (target.any_method) methods.insert(methods.end(), usual_methods.begin(), usual_methods.end());
  std::vector<std::string> queries = target.queries;
  if (queries.empty()) queries.emplace_back();
  for (const Site& site : target.sites)
    for (const std::string& path : target.paths)
      for (const std::string& query : queries) {
        const std::string url = text_of(site) + encoded(path) + query;
        for (const std::string& method : methods)
          if (!holds(method + ' ' + url)) return false;
      }
  return true;
}

std::size_t size_of(const Target& target) {
  std::size_t bytes = 64;
  for (const Site& site : target.sites) bytes += site.scheme.size() + site.host.name.size();
  for (const std::string& path : target.paths) bytes += path.size();
  for (const std::string& query : target.queries) bytes += query.size();
  for (const std::string& method : target.methods) bytes += method.size();
  return bytes;
}

}  // namespace policy::network

#include "policy/network/header.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "policy/network/method.hpp"
#include "policy/network/url.hpp"
#include "policy/network/url_path.hpp"

namespace policy::network {
namespace {

constexpr std::array<std::string_view, 8> host_names{
    "host",   ":authority",      "x-forwarded-host",     "x-forwarded-server",
    "x-host", "x-original-host", "x-http-host-override", "x-host-override"};
constexpr std::array<std::string_view, 8> url_names{
    ":path",         "destination",     "x-original-url",   "x-original-uri",
    "x-rewrite-url", "x-forwarded-uri", "x-forwarded-path", "x-http-path-override"};
constexpr std::array<std::string_view, 7> method_names{
    ":method",  "x-http-method-override", "x-http-method",     "x-method-override",
    "x-method", "x-original-method",      "x-forwarded-method"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\v\f";
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string canonical_name(std::string_view name) {
  std::string out(trimmed(name));
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c == '_') c = '-';
  }
  return out;
}

// The parts of a list, without blanks and quotes.
template <class Use>
void each_item(std::string_view list, std::string_view separators, Use use) {
  for (;;) {
    const std::size_t end = list.find_first_of(separators);
    std::string_view item = trimmed(list.substr(0, end));
    if (item.size() > 1 && item.starts_with('"') && item.ends_with('"'))
      item = item.substr(1, item.size() - 2);
    use(item);
    if (end == std::string_view::npos) return;
    list.remove_prefix(end + 1);
  }
}

// Without a port the URL's stands.
void read_host_value(std::string_view value, Target& target) {
  const Site first = target.sites.empty() ? Site() : target.sites.front();
  Target other;
  read_authority(value, first.scheme, other);
  const std::size_t colon = value.rfind(':');
  const bool own_port = colon != std::string_view::npos && value.find(']', colon) == std::string_view::npos;
  for (Site& site : other.sites) {
    if (!own_port) site.port = first.port;
    add_site(target, std::move(site));
  }
  target.any_site = target.any_site || other.any_site;
  if (!other.doubt.empty()) add_doubt(target, other.doubt + " in a header");
}

void read_url_value(std::string_view value, Target& target) {
  if (value.find("://") == std::string_view::npos && !value.starts_with("//")) {
    const std::string path = value.starts_with('/') ? std::string(value) : '/' + std::string(value);
    return read_url_path(std::string_view(path).substr(0, path.find_first_of("?#")), target);
  }
  Target other;
  read_url(value, other);
  for (Site& site : other.sites) add_site(target, std::move(site));
  for (std::string& path : other.paths) add_path(target, std::move(path));
  target.any_site = target.any_site || other.any_site;
  target.any_path = target.any_path || other.any_path;
  if (target.path_doubt.empty()) target.path_doubt = other.path_doubt;
  if (!other.doubt.empty()) add_doubt(target, other.doubt + " in a header");
}

void read_method_value(std::string_view value, Target& target) {
  Target other;
  read_method(value, other);
  for (std::string& method : other.methods) add_method(target, std::move(method));
  target.any_method = target.any_method || other.any_method;
}

}  // namespace

bool may_lead_elsewhere(std::string_view name) {
  const std::string canonical = canonical_name(name);
  return canonical == "forwarded" || is_one_of(canonical, host_names) || is_one_of(canonical, url_names) ||
         is_one_of(canonical, method_names);
}

void read_header(std::string_view header, Target& target) {
  const std::size_t colon = header.find(':', 1);  // `:authority` starts with one
  if (colon == std::string_view::npos) return;
  const std::string name = canonical_name(header.substr(0, colon));
  const std::string_view value = trimmed(header.substr(colon + 1));
  if (name == "forwarded") {
    each_item(value, ",;", [&](std::string_view item) {
      const std::size_t equals = std::min(item.find('='), item.size());
      if (canonical_name(item.substr(0, equals)) != "host" || equals == item.size()) return;
      each_item(item.substr(equals + 1), ",", [&](std::string_view host) { read_host_value(host, target); });
    });
  } else if (is_one_of(name, host_names)) {
    each_item(value, ",", [&](std::string_view host) { read_host_value(host, target); });
  } else if (is_one_of(name, url_names)) {
    read_url_value(value, target);
  } else if (is_one_of(name, method_names)) {
    each_item(value, ",", [&](std::string_view method) { read_method_value(method, target); });
  }
}

}  // namespace policy::network

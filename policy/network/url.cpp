#include "policy/network/url.hpp"

#include <algorithm>
#include <charconv>

#include "policy/network/method.hpp"
#include "policy/network/url_path.hpp"
#include "policy/path/file_uri.hpp"

namespace policy::network {
namespace {

constexpr std::size_t url_bytes_max = 64 * 1024;
constexpr int nested_max = 3;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

// Schemes of which WHATWG reads `https:host` and `https:///host` as `https://host`.
bool is_special(std::string_view scheme) { return is_web_scheme(scheme) || scheme == "ftp"; }

std::string_view without_leading_slashes(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('/'), text.size()));
}

// 1 to 65535; 0: no port.
int port_in(std::string_view digits) {
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool plain = error == std::errc() && end == digits.data() + digits.size() && digits.front() != '0';
  return plain && port >= 1 && port <= 65535 ? port : 0;
}

void add_hosts(Target& target, std::string_view text, const std::string& scheme, int port) {
  const HostReading reading = read_host(text);
  if (!reading.doubt.empty()) add_doubt(target, reading.doubt);
  target.any_site = target.any_site || reading.unknown;
  for (const Host& host : reading.hosts) add_site(target, {scheme, host, port});
}

// `host:port` without a user's name.
void read_site(Target& target, std::string_view text, const std::string& scheme) {
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view host = text.substr(0, colon);
  const std::string_view digits = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (host.empty()) {
    add_doubt(target, "an address without a host");
    target.any_site = true;
    return;
  }
  if (bracket == 0 && digits.find(':') != std::string_view::npos && read_address6(text)) {
    add_doubt(target, "an IPv6 address without brackets");
    return add_hosts(target, '[' + std::string(text) + ']', scheme, 0);
  }
  int port = digits.empty() ? port_of_scheme(scheme) : port_in(digits);
  if (!digits.empty() && port == 0) add_doubt(target, "a port that is none");
  add_hosts(target, host, scheme, port);
}

// All between the slashes and the path, and what stands before an `@` in it.
void read_user_and_site(Target& target, std::string_view authority, const std::string& scheme) {
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return read_site(target, authority, scheme);
  add_doubt(target, "an address with credentials");
  std::string_view user = authority.substr(0, at);
  const std::string_view site = authority.substr(at + 1);
  if (!site.empty()) read_site(target, site, scheme);
  // Some readers take the first `@`, or what comes before one that nothing follows.
  if (!site.empty() && user.find('@') == std::string_view::npos) return;
  while (!user.empty()) {
    const std::size_t next = user.find('@');
    if (next != 0) read_site(target, user.substr(0, next), scheme);
    if (next == std::string_view::npos) break;
    user.remove_prefix(next + 1);
  }
}

void read_query(Target& target, std::string_view query) {
  for (const std::string& text : {std::string(query), percent_decoded(query)})
    if (std::find(target.queries.begin(), target.queries.end(), text) == target.queries.end() &&
        target.queries.size() < 8)
      target.queries.push_back(text);
  read_query_method(query, target);
}

// `rest` starts with the authority.
void read_from_authority(Target& target, std::string_view rest, const std::string& scheme) {
  const std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  if (end > 0 || scheme != "file") {
    read_user_and_site(target, rest.substr(0, end), scheme);
  } else {
    add_site(target, {scheme, {}, 0});
  }
  // Not all readers end the host at `?` and `#`.
  const std::size_t at = rest.substr(0, slash).rfind('@');
  if (at != std::string_view::npos && at > end) {
    add_doubt(target, "an `@` after the host");
    read_site(target, rest.substr(at + 1, slash - at - 1), scheme);
  }
  rest = rest.substr(end, rest.find('#', end) - end);
  const std::size_t query = rest.find('?');
  read_url_path(rest.substr(0, query), target);
  read_query(target, query == std::string_view::npos ? "" : rest.substr(query));
}

// Without a scheme: `host/x`, `//host/x`, or a path on some host.
void read_bare(Target& target, std::string_view text) {
  add_doubt(target, "an address without a scheme");
  const std::string_view rest = without_leading_slashes(text);
  if (text.starts_with('/') && !text.starts_with("//")) {
    add_site(target, {});
    const std::string_view whole = text.substr(0, text.find_first_of("?#"));
    return read_url_path(whole, target);
  }
  if (rest.empty()) return add_site(target, {});
  read_from_authority(target, rest, "");
}

void read_text(Target& target, std::string_view text, int nested) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !is_scheme(text.substr(0, colon))) return read_bare(target, text);
  const std::string scheme = lower(text.substr(0, colon));
  const std::string_view rest = text.substr(colon + 1);
  const bool two_slashes = rest.starts_with("//");
  if (two_slashes && (!rest.starts_with("///") || scheme == "file"))
    return read_from_authority(target, rest.substr(2), scheme);
  if (is_special(scheme) || two_slashes) {
    add_doubt(target, "an address with slashes too few or too many");
    return read_from_authority(target, without_leading_slashes(rest), scheme);
  }
  if (scheme == "file") return add_site(target, {scheme, {}, 0});
  // `localhost:8080/x`, `mailto:x`, or one address in another (`view-source:http://…`).
  add_doubt(target, "an address without slashes after its scheme");
  const std::string_view before_path = rest.substr(0, rest.find_first_of("/?#"));
  const bool port = !before_path.empty() && port_in(before_path) != 0;
  if (port || before_path.empty() || before_path.find('@') != std::string_view::npos) read_bare(target, text);
  if (port) return;
  add_site(target, {scheme, {}, 0});
  read_url_path(rest.substr(0, rest.find_first_of("?#")), target);
  if (nested > 0 && rest.find(':') != std::string_view::npos) read_text(target, rest, nested - 1);
}

bool is_blank(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; }

// Cut where some readers stop, and as others have it after dropping what does not belong.
void read_variants(Target& target, const std::string& text) {
  const auto blank = std::find_if(text.begin(), text.end(), is_blank);
  std::string dropped;
  std::copy_if(text.begin(), text.end(), std::back_inserter(dropped),
               [](char c) { return c == ' ' || !is_blank(c); });
  std::vector<std::string> variants{dropped};
  if (blank != text.end()) {
    add_doubt(target, "an address with blanks or control characters");
    variants.emplace_back(text.begin(), blank);
  }
  for (const std::string& variant : variants) {
    if (variant.empty()) continue;
    read_text(target, variant, nested_max);
    const std::size_t query = std::min(variant.find_first_of("?#"), variant.size());
    const std::size_t backslash = variant.find('\\');
    const std::size_t start = variant.find("://");
    const std::size_t slash =
        variant.find('/', start == std::string::npos ? 0 : start + 3);  // the host ends here, if not before
    if (backslash == std::string::npos || (backslash > query && slash < backslash)) continue;
    add_doubt(target, "an address with a backslash");
    std::string turned = variant;
    std::replace(turned.begin(), turned.end(), '\\', '/');
    read_text(target, turned, nested_max);
  }
}

}  // namespace

void read_authority(std::string_view authority, const std::string& scheme, Target& target) {
  read_user_and_site(target, authority, scheme);
}

void read_url(std::string_view url, Target& target) {
  std::string text(url.substr(0, url_bytes_max));
  if (url.size() > url_bytes_max) {
    add_doubt(target, "an address longer than any reader takes");
    target.any_path = true;
    const std::size_t slashes = text.find("//");
    target.any_site =
        slashes == std::string::npos || text.find_first_of("/?#", slashes + 2) == std::string::npos;
  }
  if (std::string cleaned = cleaned_address(text); cleaned != text) {
    add_doubt(target, "an address with a control character, or a blank at its end");
    read_variants(target, text);
    text = std::move(cleaned);
  }
  read_variants(target, text);
  if (target.sites.empty() && !target.any_site) {
    add_doubt(target, "an address without a host");
    add_site(target, {});
  }
  if (target.paths.empty()) add_path(target, "/");
}

}  // namespace policy::network

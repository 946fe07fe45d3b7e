// DestinationPattern, in its simple forms: hosts and names. Addresses, paths and methods are refused when
// loading.

#include <charconv>
#include <optional>

#include "policy/pattern.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t destination_bytes_max = 1024;

struct Destination {
  std::string scheme;
  std::string host;
  int port = 0;
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

int port_of_scheme(std::string_view scheme) {
  if (scheme == "https" || scheme == "wss") return 443;
  if (scheme == "http" || scheme == "ws") return 80;
  if (scheme == "ssh" || scheme == "sftp") return 22;
  if (scheme == "ftp") return 21;
  if (scheme == "git") return 9418;
  return 0;
}

// What `@any` in an allow stands for: others may read files, or run what they name.
bool web_scheme(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss";
}

// 1 to 65535 in plain digits.
std::optional<int> port_of(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535)
    return std::nullopt;
  return port;
}

// Letters, digits, `-` and `_` in labels; no form that some resolver reads as an address (a last label that
// starts with a digit), save the plain dotted quad.
bool plain_host(std::string_view host) {
  if (host.empty() || host.size() > 253 || host.front() == '.' || host.back() == '.') return false;
  if (host.find("..") != std::string_view::npos) return false;
  bool digits_only = true;
  int dots = 0;
  for (const char c : host) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && c != '.' && c != '-' && c != '_' && !(c >= 'a' && c <= 'z')) return false;
    digits_only = digits_only && (digit || c == '.');
    dots += c == '.' ? 1 : 0;
  }
  const std::string_view last = host.substr(host.rfind('.') + 1);
  if (last.front() < '0' || last.front() > '9') return true;
  if (!digits_only || dots != 3) return false;
  for (std::size_t at = 0; at <= host.size();) {
    const std::size_t dot = std::min(host.find('.', at), host.size());
    const std::string_view part = host.substr(at, dot - at);
    if (part.size() > 3 || (part.size() > 1 && part.front() == '0') || std::stoi(std::string(part)) > 255)
      return false;
    at = dot + 1;
  }
  return true;
}

// scheme://host[:port] and what follows; nullopt where readers of URLs could disagree.
std::optional<Destination> read_url(std::string_view url) {
  for (const char c : url)
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == '\\') return std::nullopt;
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  Destination destination;
  destination.scheme = lower(url.substr(0, colon));
  if (destination.scheme.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-.") != std::string::npos)
    return std::nullopt;
  std::string_view rest = url.substr(colon + 3);
  // Not all readers end the host at `?` and `#`: some see a user's name before an `@` there.
  if (rest.substr(0, rest.find('/')).find('@') != std::string_view::npos) return std::nullopt;
  rest = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t port_at = rest.find(':');
  if (port_at != std::string_view::npos) {
    const auto port = port_of(rest.substr(port_at + 1));
    if (!port) return std::nullopt;
    destination.port = *port;
    rest = rest.substr(0, port_at);
  } else {
    destination.port = port_of_scheme(destination.scheme);
  }
  destination.host = lower(rest);
  if (destination.host.ends_with('.')) destination.host.pop_back();
  const bool here = destination.scheme == "file" && destination.host.empty();
  if (!here && !plain_host(destination.host)) return std::nullopt;
  return destination;
}

// `host`, `host:port`, `//host/x`, `/x`, as a value without a scheme has it: any scheme, and any port if none
// is there. The host of `/x` is empty.
std::optional<Destination> read_bare(std::string_view text) {
  Destination destination;
  if (text.starts_with("//")) {
    text.remove_prefix(2);
  } else if (text.starts_with('/')) {
    return text.find('\\') == std::string_view::npos ? std::optional(destination) : std::nullopt;
  }
  const auto read = read_url("any://" + std::string(text));
  if (!read) return std::nullopt;
  destination.host = read->host;
  destination.port = read->port;
  return destination;
}

base::Error unsupported(std::string_view what, std::string_view text) {
  return {base::Code::invalid,
          std::string(what) + " in " + base::quoted(text) + " is not supported by this version"};
}

}  // namespace

base::Result<DestinationPattern> DestinationPattern::compile(std::string_view text, Stance stance) {
  if (text.empty()) return base::Error(base::Code::invalid, "the destination pattern is empty");
  if (text.size() > destination_bytes_max)
    return base::Error(base::Code::limit, "the destination pattern is too long");
  if (text.starts_with("re:")) return unsupported("a regular expression", text);
  if (text.find(' ') != std::string_view::npos) return unsupported("a method", text);
  DestinationPattern pattern;
  pattern.text_ = text;
  pattern.stance_ = stance;
  std::string_view rest = text;
  const std::size_t colon = text.find("://");
  if (colon != std::string_view::npos) {
    pattern.scheme_ = lower(text.substr(0, colon));
    if (pattern.scheme_.empty() ||
        pattern.scheme_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-.") != std::string::npos)
      return base::Error(base::Code::invalid, "the scheme of " + base::quoted(text) + " is not one");
    rest = text.substr(colon + 3);
  }
  if (rest.ends_with('/') && colon != std::string_view::npos) rest.remove_suffix(1);
  if (rest.find('/') != std::string_view::npos) return unsupported("a path or an address range", text);
  const std::size_t port_at = rest.find(':');
  if (port_at != std::string_view::npos) {
    const auto port = port_of(rest.substr(port_at + 1));
    if (!port)
      return base::Error(base::Code::invalid, "the port of " + base::quoted(text) + " is not 1 to 65535");
    pattern.port_ = *port;
    rest = rest.substr(0, port_at);
  } else if (!pattern.scheme_.empty() && rest != "@any") {
    pattern.port_ = port_of_scheme(pattern.scheme_);
  }
  if (rest.starts_with('@')) {
    if (rest != "@any") return unsupported("the name " + base::quoted(rest), text);
    return pattern;
  }
  // A bare host: https on its port under permit, any scheme and port under restrict.
  if (pattern.scheme_.empty() && stance == Stance::permit) {
    pattern.scheme_ = "https";
    if (pattern.port_ == 0) pattern.port_ = 443;
  }
  pattern.below_ = rest.starts_with("*.");
  if (pattern.below_) rest.remove_prefix(2);
  pattern.host_ = lower(rest);
  if (!plain_host(pattern.host_))
    return base::Error(
        base::Code::invalid,
        base::quoted(text) + " is no destination; one is `host`, `*.host`, `scheme://host:port` or `@any`");
  return pattern;
}

bool DestinationPattern::matches(std::string_view url) const {
  const bool permit = stance_ == Stance::permit;
  auto destination = read_url(url);
  if (!destination && !permit) destination = read_bare(url);
  if (!destination) return !permit;  // it may lead anywhere
  const bool bare = destination->scheme.empty();
  if (!scheme_.empty() && !bare && destination->scheme != scheme_) return false;
  if (scheme_.empty() && permit && !web_scheme(destination->scheme)) return false;
  if (port_ != 0 && destination->port != port_ && !(bare && destination->port == 0)) return false;
  if (host_.empty()) return true;
  if (!below_) return destination->host == host_;
  return destination->host.size() > host_.size() + 1 && destination->host.ends_with("." + host_);
}

}  // namespace policy

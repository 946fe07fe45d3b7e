// DestinationPattern. Its parts are tested apart from each other: method, scheme, host, port, path.

#include <algorithm>
#include <charconv>
#include <utility>

#include "policy/network/method.hpp"
#include "policy/network/request.hpp"
#include "policy/path/file_uri.hpp"
#include "policy/pattern/pattern.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t destination_bytes_max = 4096;

using network::Site;
using network::Target;

base::Error invalid(std::string message) { return {base::Code::invalid, std::move(message)}; }

// In capitals, as all usual ones are: `get` is a slip.
bool is_method(std::string_view text) {
  return network::is_token(text) &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// An IPv6 address without its brackets, perhaps a range: `::1`, `fd00::/8`.
bool is_bare_address6(std::string_view text) {
  return std::count(text.begin(), text.end(), ':') > 1 && text.find_first_of("[]@") == std::string_view::npos;
}

template <class List, class Test>
bool all_or_any(bool all, const List& list, Test test) {
  return all ? std::all_of(list.begin(), list.end(), test) : std::any_of(list.begin(), list.end(), test);
}

}  // namespace

base::Result<DestinationPattern> DestinationPattern::compile(std::string_view text, Stance stance) {
  if (text.empty()) return invalid("the destination pattern is empty");
  if (text.size() > destination_bytes_max)
    return base::Error(base::Code::limit, "the destination pattern is longer than " +
                                              std::to_string(destination_bytes_max) + " bytes");
  DestinationPattern pattern;
  pattern.text_ = text;
  pattern.stance_ = stance;
  if (text.starts_with("re:")) {
    auto expression = Expression::compile(text.substr(3), stance);
    if (expression.has_error()) return expression.error();
    pattern.expression_ = std::make_shared<const Expression>(std::move(*expression));
    return pattern;
  }
  if (auto read = pattern.read(text); read.has_error()) return read.error();
  return pattern;
}

base::Result<void> DestinationPattern::read(std::string_view rest) {
  if (const std::size_t space = rest.find(' '); space != std::string_view::npos) {
    method_ = rest.substr(0, space);
    rest.remove_prefix(space + 1);
    if (!is_method(method_))
      return invalid(base::quoted(method_) +
                     " is no method; one is in capitals, as in `GET https://example.com/x`");
    if (rest.empty() || rest.find(' ') != std::string_view::npos)
      return invalid(base::quoted(text_) + " is not a method, one blank and a destination");
  }
  if (const std::size_t colon = rest.find("://"); colon != std::string_view::npos) {
    scheme_ = base::lower(rest.substr(0, colon));
    if (!is_scheme(scheme_)) return invalid("the scheme of " + base::quoted(text_) + " is not one");
    rest.remove_prefix(colon + 3);
  }
  const auto authority = take_authority(rest);
  if (authority.has_error()) return authority.error();
  auto host = network::HostPattern::compile(*authority);
  if (host.has_error()) return host.error();
  host_ = std::move(*host);
  if (auto path = read_path(rest); path.has_error()) return path.error();
  // A bare host: https on its port under permit, any scheme and port under restrict.
  if (!host_.is_group()) {
    if (scheme_.empty() && stance_ == Stance::permit) scheme_ = "https";
    if (port_ == 0) port_ = network::port_of_scheme(scheme_);
  }
  port_ = std::max(port_, 0);
  return {};
}

// The host, with the length of a range; `rest` keeps the path.
base::Result<std::string> DestinationPattern::take_authority(std::string_view& rest) {
  if (scheme_.empty() && is_bare_address6(rest)) {
    const std::string_view text = std::exchange(rest, {});
    return text.find('/') == std::string_view::npos ? '[' + std::string(text) + ']' : std::string(text);
  }
  const std::string_view whole = rest;
  std::string_view authority = rest.substr(0, rest.find('/'));
  rest.remove_prefix(authority.size());
  if (authority.find('@', 1) != std::string_view::npos)
    return invalid("the user's name in " + base::quoted(text_) + " is no part of a destination");
  const std::size_t bracket = authority.find(']');
  const std::size_t port_at = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (port_at != std::string_view::npos) {
    if (auto port = read_port(authority.substr(port_at + 1)); port.has_error()) return port.error();
    return std::string(authority.substr(0, port_at));
  }
  const bool address = authority.starts_with('[') || network::read_quad(authority).has_value();
  if (!address || rest.empty() || !is_number(rest.substr(1))) return std::string(authority);
  rest = {};
  return std::string(whole);
}

// `*`: any, as -1.
base::Result<void> DestinationPattern::read_port(std::string_view text) {
  port_ = -1;
  if (text == "*") return {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port_);
  if (error != std::errc() || end != text.data() + text.size() || port_ < 1 || port_ > 65535)
    return invalid("the port of " + base::quoted(text_) + " is not 1 to 65535 or `*`");
  return {};
}

base::Result<void> DestinationPattern::read_path(std::string_view path) {
  if (path.empty() || path == "/" || path == "/**") return {};
  if (path.find('#') != std::string_view::npos)
    return invalid("the fragment in " + base::quoted(text_) + " never reaches a server");
  if (path.find('%') != std::string_view::npos)
    return invalid("write the path of " + base::quoted(text_) + " decoded, without `%`");
  if (const std::size_t mark = path.find('?');
      path.find('=', mark) != std::string_view::npos && mark != path.npos)
    return invalid("the query in " + base::quoted(text_) +
                   " is matched by `re:` only; `?` is one character here");
  if (path.find(';') != std::string_view::npos || path.find('\\') != std::string_view::npos)
    return invalid("the path of " + base::quoted(text_) +
                   " holds a character that no path is certain to keep");
  auto compiled = PathPattern::compile(path, {}, Stance::restrict);
  if (compiled.has_error()) return compiled.error();
  path_ = std::move(*compiled);
  return {};
}

bool DestinationPattern::site_matches(const Site& site) const {
  const bool permit = stance_ == Stance::permit;
  if (scheme_.empty() ? permit && !network::is_web_scheme(site.scheme)
                      : site.scheme != scheme_ && (permit || !site.scheme.empty()))
    return false;
  if (port_ != 0 && site.port != port_ && (permit || site.port != 0)) return false;
  return host_.matches(site.host, permit);
}

// An allow takes an empty component for one: only a wildcard matches it.
bool DestinationPattern::path_matches(const std::string& path) const {
  if (stance_ == Stance::restrict || path.find("//") == std::string::npos) return path_->matches(path);
  std::string spelled;
  for (const char c : path) {
    if (c == '/' && spelled.ends_with('/')) spelled += '\x7f';  // in no pattern
    spelled += c;
  }
  return path_->matches(spelled);
}

bool DestinationPattern::matches(const Target& target) const {
  const bool permit = stance_ == Stance::permit;
  if (permit && !target.agreed()) return false;
  if (!permit && target.any_site && (expression_ || (!path_ && method_.empty()))) return true;
  if (expression_) {
    const auto holds = [&](const std::string& request) { return expression_->matches(request); };
    if (permit) return target.path_doubt.empty() && !target.any_path && every_request(target, holds);
    return target.any_path ||
           !every_request(target, [&](const std::string& request) { return !holds(request); });
  }
  if (!(target.any_site && !permit) &&
      !all_or_any(permit, target.sites, [&](const Site& site) { return site_matches(site); }))
    return false;
  if (path_ && permit && (target.any_path || !target.path_doubt.empty())) return false;
  if (path_ && !target.any_path &&
      !all_or_any(permit, target.paths, [&](const std::string& path) { return path_matches(path); }))
    return false;
  if (method_.empty()) return true;
  if (target.any_method) return !permit;
  return all_or_any(permit, target.methods, [&](const std::string& method) { return method == method_; });
}

bool DestinationPattern::matches(std::string_view request) const {
  network::Request how;
  const std::size_t space = request.find(' ');
  if (space != std::string_view::npos && is_method(request.substr(0, space))) {
    how.methods.emplace_back(request.substr(0, space));
    request.remove_prefix(space + 1);
  }
  return matches(network::read_target(request, how));
}

bool DestinationPattern::covers(const DestinationPattern& inner) const {
  if (text_ == inner.text_ && stance_ == inner.stance_) return true;
  if (expression_ || inner.expression_ || (stance_ == Stance::permit && inner.stance_ == Stance::restrict))
    return false;
  if (!method_.empty() && method_ != inner.method_) return false;
  // An allow without a scheme is for those of the web.
  if (!scheme_.empty() && scheme_ != inner.scheme_) return false;
  if (scheme_.empty() && stance_ == Stance::permit && !inner.scheme_.empty() &&
      !network::is_web_scheme(inner.scheme_))
    return false;
  if (port_ != 0 && port_ != inner.port_) return false;
  if (!host_.covers(inner.host_)) return false;
  return !path_ || (inner.path_ && path_->covers(*inner.path_));
}

DestinationPattern DestinationPattern::without_method() const {
  DestinationPattern wider = *this;
  wider.method_.clear();
  return wider;
}

DestinationPattern DestinationPattern::without_site() const {
  DestinationPattern wider = *this;
  wider.scheme_.clear();
  wider.port_ = 0;
  return wider;
}

std::size_t DestinationPattern::steps(const Target& target) const {
  std::size_t count = network::size_of(target);
  if (expression_) return count / 4 * std::max<std::size_t>(request_count(target), 1);
  if (path_)
    for (const std::string& path : target.paths) count += path_->steps(path);
  return count;
}

}  // namespace policy

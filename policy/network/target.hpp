#pragma once
// What a connection reaches, in every reading that some client, server or proxy on the way may make of it. A
// deny or ask matches any of them, an allow needs all. The tests of a pattern are independent of each other,
// so sites, paths and methods are kept apart: what holds for any (or all) of each holds for any (or all) of
// their combinations.

#include <functional>
#include <string>
#include <vector>

#include "policy/network/host.hpp"

namespace policy::network {

struct Site {
  std::string scheme;  // lower case; empty: not known
  Host host;
  int port = 0;  // 0: not known
  bool operator==(const Site&) const = default;
};

struct Target {
  std::vector<Site> sites;  // the first is what a strict reader sees
  bool any_site = false;    // and it may lead anywhere

  std::vector<std::string> paths;    // absolute, decoded, without dot segments; the first as above
  std::vector<std::string> queries;  // as written with `?`, and decoded
  bool any_path = false;
  std::string path_doubt;  // why no allow that names a path matches; empty: it may

  std::vector<std::string> methods;
  bool any_method = false;  // not known

  std::string doubt;  // why readers do not agree on the site; empty: they do

  bool agreed() const { return doubt.empty() && !any_site && !sites.empty(); }
  bool operator==(const Target&) const = default;
};

// What cannot be told apart any more is doubted, not dropped.
void add_site(Target& target, Site site);
void add_path(Target& target, std::string path);
void add_method(Target& target, std::string method);
void add_doubt(Target& target, std::string why);

// 443 of `https`; 0: the scheme has none that is known here.
int port_of_scheme(std::string_view scheme);
// `http`, `https`, `ws`, `wss`: others may read files, or run what they name.
bool is_web_scheme(std::string_view scheme);

// `https://api.example.com:8443`, for people.
std::string text_of(const Site& site);
// Whether something holds for `METHOD URL` of every combination, as far as they are known: `GET
// https://api.example.com/a%20b?c=d`, the path decoded and what a URL cannot hold encoded again. Where the
// method is not known, with the usual ones.
bool every_request(const Target& target, const std::function<bool(const std::string&)>& holds);
std::size_t request_count(const Target& target);

// The bytes of all readings, for steps.hpp.
std::size_t size_of(const Target& target);

}  // namespace policy::network

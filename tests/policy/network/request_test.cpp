#include "policy/network/request.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using namespace policy::network;

namespace {

std::vector<std::string> sites(std::string_view url, std::vector<std::string> headers = {}) {
  std::vector<std::string> all;
  for (const Site& site : read_target(url, {.methods = {"GET"}, .headers = std::move(headers)}).sites)
    all.push_back(text_of(site));
  return all;
}

bool agreed(std::string_view url) { return read_target(url, {}).agreed(); }

bool has_path(std::string_view raw, const std::string& path) {
  const Target target = read_target("https://a.example" + std::string(raw), {});
  return std::find(target.paths.begin(), target.paths.end(), path) != target.paths.end();
}
std::vector<std::string> paths(std::string_view raw) {
  return read_target("https://a.example" + std::string(raw), {}).paths;
}
std::string path_doubt(std::string_view raw) {
  return read_target("https://a.example" + std::string(raw), {}).path_doubt;
}
std::vector<std::string> methods(const Request& request) {
  return read_target("https://a.example", request).methods;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a plain address has one reading") {
  for (const char* url :
       {"https://a.example", "HTTPS://A.Example./x?y=http://b.example/#@c", "https://a.example:443/@b/c:d",
        "https://a.example:/?u=e@f.example", "https://a.example/?a=\\b", "https://a.example?x=/..;"}) {
    INFO(url);
    CHECK(agreed(url));
    CHECK(sites(url) == Texts{"https://a.example"});
  }
  CHECK(sites("http://a.example:8080/") == Texts{"http://a.example:8080"});
}

TEST_CASE("where readers differ, each one's host is among the readings and no host stands beside them") {
  struct Case {
    const char* url;
    Texts hosts;
  };
  for (const Case& each :
       {Case{"https://u:p@a.example/", {"https://a.example"}},
        Case{"https://a.example@b.example/", {"https://b.example"}},
        Case{"https://a.example#@b.example/", {"https://a.example", "https://b.example"}},
        Case{"https://a.example?@b.example", {"https://a.example", "https://b.example"}},
        Case{"https://a.example\\@b.example/", {"https://b.example", "https://a.example"}},
        Case{"https://x@a.example@b.example/", {"https://b.example", "https://x", "https://a.example"}},
        Case{"https:a.example/", {"https://a.example"}}, Case{"https:/a.example", {"https://a.example"}},
        Case{"https:///a.example", {"https://a.example"}}, Case{"//a.example/x", {"a.example"}},
        Case{"a.example:8080/x", {"a.example:8080"}},
        Case{"https://a.exa\tmple/", {"https://a.exa", "https://a.example"}},
        Case{"https://A::0:1/", {"https://[a::1]"}},
        Case{"https://a.example is down, see x/y", {"https://a.example"}},
        Case{"https://a.example @b.example/", {"https://a.example", "https://b.example"}},
        Case{"https://a.exam ple/", {"https://a.exam", "https://a.example"}},
        Case{"https://a.example/x y", {"https://a.example"}},
        Case{"https://a.example%2f.b.example/", {"https://a.example", "https://b.example"}}}) {
    INFO(each.url);
    CHECK_FALSE(agreed(each.url));
    Texts found = sites(each.url);
    for (const std::string& host : each.hosts)
      CHECK(std::find(found.begin(), found.end(), host) != found.end());
    for (const std::string& host : found)
      CHECK(std::find(each.hosts.begin(), each.hosts.end(), host) != each.hosts.end());
    CHECK_FALSE(read_target(each.url, {}).any_site);
  }
}

TEST_CASE("an address that may mean any host says so") {
  for (const char* url :
       {"https://", "https://${HOST}/", "https://a,b.example/", "https://[::zz]/", "https://1.2.3.999/",
        "https://\xff.example/", "https://a.example\xe2\x81\x84@b/"}) {
    INFO(url);
    CHECK_FALSE(agreed(url));
  }
  CHECK(read_target("https://${HOST}/", {}).any_site);
  CHECK(read_target("https://" + std::string(70000, 'a') + "@b.example/", {}).any_site);
  CHECK_FALSE(read_target("https://a.example/" + std::string(70000, 'a'), {}).any_site);
}

TEST_CASE("a path is decoded once and its dot segments are resolved") {
  CHECK(paths("") == Texts{"/"});
  CHECK(paths("/v1/%61/../b?x=/../..#/..") == Texts{"/v1/b"});
  CHECK(paths("/../../x/.") == Texts{"/x/"});
  CHECK(paths("/a%20b/\xc3\xa9") == Texts{"/a b/\xc3\xa9"});
  CHECK(path_doubt("/a%20b/%C3%A9/100%25").empty());
}

TEST_CASE("encoded slashes, parameters and doubled slashes are read both ways") {
  CHECK(paths("/v1%2fadmin") == Texts{"/v1%2fadmin", "/v1/admin"});
  CHECK(paths("/a;x=1/b") == Texts{"/a;x=1/b", "/a/b"});
  CHECK(paths("/a//b") == Texts{"/a//b", "/a/b"});
  CHECK(has_path("/p/..;x=1/admin", "/admin"));
  CHECK(has_path("/p/..%2fadmin", "/admin"));
  CHECK(has_path("/p/..%3b%2fadmin", "/admin"));
  CHECK(has_path("/p//../admin", "/p/admin"));
  CHECK(has_path("/p//../admin", "/admin"));
  for (const char* raw : {"/v1%2fadmin", "/a;x=1/b", "/a//b"}) CHECK(path_doubt(raw).empty());
}

TEST_CASE("odd encodings are read in every way and never certain") {
  for (const char* raw :
       {"/p/%252e%252e/admin", "/p/..%252fadmin", "/p/..\\admin", "/p/..%5cadmin", "/p/%c0%ae%c0%ae/admin",
        "/p/%u002e%u002e/admin", "/p/%2e%2e/admin", "/%2561dmin", "/admin%00", "/ad%0dmin"}) {
    INFO(raw);
    CHECK(has_path(raw, "/admin"));
    CHECK((!path_doubt(raw).empty() || !agreed("https://a.example" + std::string(raw))));
  }
  for (const char* raw : {"/%", "/%zz", "/%ff", "/u%CC%88"}) {
    INFO(raw);
    CHECK_FALSE(path_doubt(raw).empty());
  }
  CHECK(read_target("https://a.example/" + std::string(9000, 'a'), {}).any_path);
}

TEST_CASE("a method is a token in its case") {
  CHECK(methods({.methods = {"GET"}}) == Texts{"GET"});
  CHECK(methods({.methods = {"get"}}) == Texts{"get", "GET"});
  CHECK(methods({.methods = {"get "}}) == Texts{"get ", "GET"});
  CHECK_FALSE(read_target("https://a.example", {.methods = {"get "}}).agreed());
  CHECK(read_target("https://a.example", {.methods = {"get"}}).agreed());
  CHECK(read_target("https://a.example", {}).any_method);
  CHECK(read_target("https://a.example", {.methods = {""}}).any_method);
  CHECK(read_target("https://a.example?a=b&_method=delete", {.methods = {"POST"}}).methods ==
        Texts{"POST", "DELETE"});
  CHECK(is_broken({.methods = {"GET\r\nX: y"}}));
}

TEST_CASE("headers that override the host, path or method are further readings") {
  CHECK(methods({.methods = {"GET"}, .headers = {"X-HTTP-Method-Override: DELETE"}}) ==
        Texts{"GET", "DELETE"});
  CHECK(methods({.methods = {"GET"}, .headers = {"x_method_override :PUT"}}) == Texts{"GET", "PUT"});
  CHECK(sites("https://a.example:8443/", {"Host: a.example"}) == Texts{"https://a.example:8443"});
  CHECK(sites("https://a.example/", {"HOST: b.example"}) == Texts{"https://a.example", "https://b.example"});
  CHECK(sites("https://a.example/", {"X-Forwarded-Host: a.example, b.example"}) ==
        Texts{"https://a.example", "https://b.example"});
  CHECK(sites("https://a.example/", {"Forwarded: for=1.2.3.4;host=\"b.example\";proto=https"}) ==
        Texts{"https://a.example", "https://b.example"});
  CHECK(read_target("https://a.example/x", {.headers = {"X-Original-URL: /v1%2fadmin?x"}}).paths ==
        Texts{"/x", "/v1%2fadmin", "/v1/admin"});
  CHECK(read_target("https://a.example/x", {.headers = {"X-Rewrite-URL: admin"}}).paths ==
        Texts{"/x", "/admin"});
  CHECK(sites("https://a.example/x", {"Destination: https://b.example/y"}) ==
        Texts{"https://a.example", "https://b.example"});
  CHECK(read_target("https://a.example", {.headers = {"Host: b.example"}}).agreed());
}

TEST_CASE("readings are bounded") {
  std::string path;
  for (int i = 0; i < 200; ++i) path += "/..;a" + std::to_string(i) + "%2f%5c%2525";
  Request request{.methods = {"GET"}};
  for (int i = 0; i < 100; ++i) request.headers.push_back("Host: h" + std::to_string(i));
  for (int i = 0; i < 100; ++i) request.headers.push_back("X-HTTP-Method: M" + std::to_string(i));
  const Target target = read_target("https://a.example" + path, request);
  CHECK(target.sites.size() <= 16);
  CHECK(target.any_site);
  CHECK(target.paths.size() <= 64);
  CHECK(target.any_method);
}

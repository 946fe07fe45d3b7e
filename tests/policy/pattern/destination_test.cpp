#include <random>

#include "policy/pattern/pattern.hpp"
#include "tests/catch.hpp"

using namespace policy;

namespace {

bool reaches(std::string_view pattern, std::string_view url, Stance stance) {
  return DestinationPattern::compile(pattern, stance).value().matches(url);
}

}  // namespace

TEST_CASE("a bare host is https on 443 in an allow and any scheme and port in a deny") {
  CHECK(reaches("api.example.com", "https://api.example.com/x", Stance::permit));
  CHECK_FALSE(reaches("api.example.com", "http://api.example.com/", Stance::permit));
  CHECK_FALSE(reaches("api.example.com", "https://api.example.com:8443/", Stance::permit));
  CHECK(reaches("api.example.com", "http://API.example.com.:8080/", Stance::restrict));
}

TEST_CASE("a star before a host needs the dot and not the apex") {
  CHECK(reaches("*.example.com", "https://a.b.example.com", Stance::permit));
  CHECK_FALSE(reaches("*.example.com", "https://example.com", Stance::permit));
  CHECK_FALSE(reaches("*.example.com", "https://badexample.com", Stance::permit));
}

TEST_CASE(
    "an address on which readers could disagree is allowed by nothing, and denied by what it may mean") {
  for (const char* url :
       {"https:/api.example.com", "https://u@api.example.com", "https://api.example.com\\@x",
        "https://api.example.com%2e", "//api.example.com", "https://api.example.com:0443x",
        " https://api.example.com", "https://api.example.com:99999", "https://api.example.com..",
        "https://x y@api.example.com", "https://[api.example.com]/", "https://${api.example.com}"}) {
    INFO(url);
    CHECK_FALSE(reaches("https://@any", url, Stance::permit));
    CHECK_FALSE(reaches("https://api.example.com", url, Stance::permit));
    CHECK_FALSE(reaches("re:.*", url, Stance::permit));
    CHECK(reaches("@any", url, Stance::restrict));
    CHECK(reaches("api.example.com", url, Stance::restrict));
  }
}

TEST_CASE("no spelling of an address passes a deny of its host") {
  for (const char* url : {"https://x@evil.com/",
                          "https://x:y@evil.com",
                          "https:evil.com",
                          "https:/evil.com/",
                          "https:\\\\evil.com/",
                          "https://evil.com:/",
                          "https://evil.com:443@/",
                          "https://ev%69l.com/",
                          "https:///evil.com",
                          "HTTPS://EVIL.COM",
                          "https://evil.com.",
                          "https://good.com#@evil.com",
                          "https://good.com?@evil.com",
                          "https://good.com\\@evil.com",
                          "\thttps://evil.com",
                          "ht\ntps://evil.com",
                          "https://\xef\xbd\x85vil.com/",
                          "https://evil\xe3\x80\x82"
                          "com",
                          "evil.com",
                          "evil.com:8080/x",
                          "//evil.com/x",
                          "///evil.com",
                          "/\\evil.com",
                          "evil.com?x",
                          "https://ev\til.com",
                          "https://evil.com\x01"}) {
    INFO(url);
    CHECK(reaches("evil.com", url, Stance::restrict));
    CHECK(reaches("@any", url, Stance::restrict));
  }
  for (const char* url : {"https://good.com/@evil.com", "https://good.com/?u=https://evil.com", "good.com",
                          "good.com:80/evil.com", "/evil.com", "file:///evil.com", "https://notevil.com"}) {
    INFO(url);
    CHECK_FALSE(reaches("evil.com", url, Stance::restrict));
    CHECK(reaches("@any", url, Stance::restrict));
  }
}

TEST_CASE("wildcards in a host stay inside their label") {
  CHECK(reaches("example.*", "https://example.net", Stance::permit));
  CHECK_FALSE(reaches("example.*", "https://example.attacker.net", Stance::permit));
  CHECK_FALSE(reaches("example.*", "https://example.co.uk", Stance::restrict));
  CHECK(reaches("api-?.example.com", "https://api-1.example.com", Stance::permit));
  CHECK_FALSE(reaches("api-*.example.com", "https://api-1.x.example.com", Stance::permit));
  CHECK_FALSE(reaches("*.example.*", "https://example.com", Stance::permit));
  CHECK(reaches("*.example.*", "https://a.b.example.com", Stance::permit));
}

TEST_CASE("scheme and port of a pattern are those of the address") {
  CHECK(reaches("http://localhost:8080", "http://localhost:8080/x", Stance::permit));
  CHECK_FALSE(reaches("http://localhost:8080", "http://localhost/x", Stance::permit));
  CHECK_FALSE(reaches("http://localhost:8080", "https://localhost:8080/x", Stance::restrict));
  CHECK(reaches("http://localhost:*", "http://localhost:3000/x", Stance::permit));
  CHECK(reaches("api.example.com:8443", "https://api.example.com:8443", Stance::permit));
  CHECK(reaches("https://@any:8443", "https://x.example:8443", Stance::permit));
  CHECK_FALSE(reaches("https://@any:8443", "https://x.example", Stance::permit));
  CHECK(reaches("ssh://git.example.com", "ssh://git.example.com:22/x", Stance::permit));
}

TEST_CASE("a name stands for every port, and in an allow for the schemes of the web") {
  CHECK(reaches("@loopback", "http://127.0.0.1:3000/", Stance::permit));
  CHECK(reaches("@loopback", "ws://localhost:3000/", Stance::permit));
  CHECK_FALSE(reaches("@loopback", "ssh://localhost/", Stance::permit));
  CHECK(reaches("@loopback", "ssh://localhost/", Stance::restrict));
  CHECK_FALSE(reaches("https://@loopback", "http://localhost/", Stance::permit));
  CHECK_FALSE(reaches("@loopback", "http://10.0.0.1/", Stance::restrict));
  CHECK(reaches("@private", "http://10.0.0.1/", Stance::permit));
  CHECK_FALSE(reaches("@private", "http://printer.local/", Stance::permit));
  CHECK(reaches("@private", "http://printer.local/", Stance::restrict));
}

TEST_CASE("a range holds addresses, and in an allow only those that carry none outside it") {
  CHECK(reaches("10.0.0.0/8", "https://10.1.2.3/", Stance::permit));
  CHECK_FALSE(reaches("10.0.0.0/8", "http://10.1.2.3/", Stance::permit));
  CHECK(reaches("http://10.0.0.0/8", "http://10.1.2.3/x", Stance::permit));
  CHECK_FALSE(reaches("10.0.0.0/8", "https://11.1.2.3/", Stance::restrict));
  CHECK_FALSE(reaches("10.0.0.0/8", "https://10.example.com/", Stance::restrict));
  CHECK(reaches("10.0.0.0/8", "http://[::ffff:10.1.2.3]:8080/", Stance::restrict));
  CHECK(reaches("10.0.0.0/8", "http://0x0a.1/", Stance::restrict));
  CHECK(reaches("fd00::/8", "https://[fd12::1]/", Stance::permit));
  CHECK(reaches("[fd00::]/8", "https://[fd12::1]/", Stance::permit));
  CHECK(reaches("2000::/3", "https://[2606:4700::1]/", Stance::permit));
  CHECK_FALSE(reaches("2000::/3", "https://[2002:a00:1::]/", Stance::permit));
  CHECK(reaches("::1", "https://[::1]/", Stance::permit));
  CHECK(reaches("https://[::1]:8443/x", "https://[0:0::1]:8443/x", Stance::permit));
  CHECK(reaches("10.0.0.5", "http://[64:ff9b::a00:5]/", Stance::restrict));
}

TEST_CASE("a path is matched by whole components, after one decoding") {
  const auto allowed = [](const char* url) {
    return reaches("https://a.example/v1/*/x/**", url, Stance::permit);
  };
  CHECK(allowed("https://a.example/v1/p/x"));
  CHECK(allowed("https://a.example/v1/%70/x/y/z?q#f"));
  CHECK_FALSE(allowed("https://a.example/v1/p/q/x"));
  CHECK_FALSE(allowed("https://a.example/v1/p%2fq/x"));
  CHECK_FALSE(allowed("https://a.example/v1//x"));
  CHECK_FALSE(allowed("https://a.example/v1/p/xy"));
  CHECK(reaches("a.example/v1/", "https://a.example/v1/p", Stance::permit));
  CHECK(reaches("https://a.example/**", "https://a.example/%2e%2e//%252f", Stance::permit));
  CHECK(reaches("https://a.example/**/admin", "https://a.example/x/%61dmin", Stance::restrict));
}

TEST_CASE("a method that is not known is denied and not allowed") {
  CHECK(reaches("GET https://a.example/x", "GET https://a.example/x", Stance::permit));
  CHECK_FALSE(reaches("GET https://a.example/x", "HEAD https://a.example/x", Stance::permit));
  CHECK_FALSE(reaches("GET https://a.example/x", "https://a.example/x", Stance::permit));
  CHECK(reaches("DELETE https://a.example", "https://a.example/x", Stance::restrict));
  CHECK_FALSE(reaches("DELETE https://a.example", "GET https://a.example/x", Stance::restrict));
}

TEST_CASE("an expression meets the canonical request") {
  CHECK(reaches("re:GET https://a\\.example/x/[0-9]+", "GET HTTPS://A.example.:443/y/../x/%31",
                Stance::permit));
  CHECK_FALSE(reaches("re:GET https://a\\.example/x", "GET https://a.example/x/y", Stance::permit));
  CHECK_FALSE(reaches("re:GET https://a\\.example/x", "https://a.example/x", Stance::permit));
  CHECK(reaches("re:[A-Z]+ https://a\\.example/x", "https://a.example/x", Stance::permit));
  CHECK(reaches("re:^DELETE ", "https://a.example/x", Stance::restrict));
  CHECK(reaches("re:[?&]token=", "https://a.example/x?tok%65n=1", Stance::restrict));
  CHECK(reaches("re:/admin", "https://a.example/x%2fadmin", Stance::restrict));
  CHECK_FALSE(reaches("re:/admin", "https://a.example/x", Stance::restrict));
}

TEST_CASE("destination patterns that mean nothing do not compile") {
  for (const char* text : {"",
                           "a b",
                           "get https://a.example",
                           "GET ",
                           "@internal",
                           "@",
                           "10.0.0.0/33",
                           "10.0.0.1/8",
                           "fd00::/129",
                           "10.0.0.*",
                           "*",
                           "*.*",
                           "*.10.0.0.1",
                           "https://u@a.example",
                           "a.example:0",
                           "a.example:x",
                           "re:(",
                           "re:",
                           "://a.example",
                           "https://",
                           "a..example",
                           "0x7f.1",
                           "127.1",
                           "a.example/%61",
                           "a.example/x?y=1",
                           "a.example/#x",
                           "a.example/a**",
                           "https://a.example/x;y",
                           "GET  a.example",
                           "[::1",
                           "https:a.example",
                           "a.example/x y",
                           "\xd0\xb0*.example"}) {
    INFO(text);
    CHECK(DestinationPattern::compile(text, Stance::restrict).has_error());
    CHECK(DestinationPattern::compile(text, Stance::permit).has_error());
  }
}

TEST_CASE("hosts beyond ASCII are compared as they are looked up") {
  CHECK(reaches("m\xc3\xbcnchen.example", "https://xn--mnchen-3ya.example", Stance::permit));
  CHECK(reaches("xn--mnchen-3ya.example", "https://M\xc3\x9cNCHEN.example", Stance::permit));
  CHECK_FALSE(reaches("api.example", "https://\xd0\xb0pi.example", Stance::restrict));
}

namespace {

// Few parts, so that patterns and requests often meet.
std::string random_pattern(std::mt19937& random) {
  static const char* methods[] = {"", "", "GET ", "DELETE "};
  static const char* schemes[] = {"", "https://", "http://"};
  static const char* hosts[] = {"a.example", "*.example", "a.*", "@any", "@private", "@loopback", "10.0.0.1"};
  static const char* ports[] = {"", "", ":443", ":80", ":*"};
  static const char* paths[] = {"", "", "/x", "/x/**", "/**/y", "/*/y", "/"};
  return std::string(methods[random() % 4]) + schemes[random() % 3] + hosts[random() % 7] +
         ports[random() % 5] + paths[random() % 7];
}
std::string random_request(std::mt19937& random) {
  static const char* methods[] = {"", "GET ", "DELETE ", "PUT "};
  static const char* schemes[] = {"https://", "http://", "HTTPS://", "https:", "//", "ws://"};
  static const char* users[] = {"", "", "", "", "u@"};
  static const char* hosts[] = {"a.example", "b.a.example", "a.net",   "127.1",      "[::1]",
                                "10.0.0.1",  "localhost",   "8.8.8.8", "A.example.", "[::ffff:10.0.0.1]"};
  static const char* ports[] = {"", "", ":443", ":80"};
  static const char* paths[] = {"", "/x", "/x/y", "/z/../x", "/x%2fy", "//x", "/x;p/y", "/%2e%2e/x?q"};
  return std::string(methods[random() % 4]) + schemes[random() % 6] + users[random() % 5] +
         hosts[random() % 10] + ports[random() % 4] + paths[random() % 8];
}

}  // namespace

TEST_CASE("a deny pattern matches at least the requests that the same allow pattern matches") {
  std::mt19937 random(3);
  std::size_t allowed = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string pattern = random_pattern(random);
    const std::string request = random_request(random);
    INFO(pattern << " " << request);
    if (!reaches(pattern, request, Stance::permit)) continue;
    ++allowed;
    CHECK(reaches(pattern, request, Stance::restrict));
  }
  CHECK(allowed > 100);
}

TEST_CASE("a pattern that covers another matches all that the other does") {
  std::mt19937 random(4);
  std::size_t covered = 0;
  for (int round = 0; round < 20000; ++round) {
    const Stance stance = round % 2 == 0 ? Stance::permit : Stance::restrict;
    const auto inner = DestinationPattern::compile(random_pattern(random), stance);
    const auto outer =
        DestinationPattern::compile(random_pattern(random), round % 3 == 0 ? Stance::restrict : stance);
    if (!inner || !outer || !outer->covers(*inner)) continue;
    ++covered;
    for (int i = 0; i < 20; ++i) {
      const std::string request = random_request(random);
      INFO(outer->text() << " | " << inner->text() << " | " << request);
      if (inner->matches(request)) CHECK(outer->matches(request));
    }
  }
  CHECK(covered > 100);
}

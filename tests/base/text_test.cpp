#include "proxy/base/text.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace base;

namespace {

TEST_CASE("what is cut is cut at a character and says so") {
  CHECK(bounded("abc", 3) == "abc");
  CHECK(bounded("abcd", 3) == "abc…");
  CHECK(bounded("aé", 2) == "a…");
  CHECK(bounded("", 0).empty());
}

TEST_CASE("what a terminal would act on, or not show, is spelled out") {
  CHECK(printable("a\x1b[2J\n") == "a\\x1b[2J\\x0a");
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == "a\\u{202e}b");
  CHECK(printable("\x80é") == "\\x80é");
  CHECK(printable("long text", 4) == "long…");
  CHECK(quoted("x") == "`x`");
  CHECK(quoted("echo `date`") == "`` echo `date` ``");
  CHECK(quoted("a ``b``") == "``` a ``b`` ```");
}

TEST_CASE("base64 is that of RFC 4648") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xff\xfe") == "//4=");
}

TEST_CASE("a glob of names matches all of the text") {
  CHECK(glob_match("*", ""));
  CHECK(glob_match("a*c", "abbc"));
  CHECK(glob_match("a*b*c", "axbxbxc"));
  CHECK(glob_match("a?c", "abc"));
  CHECK_FALSE(glob_match("a*c", "abcd"));
  CHECK_FALSE(glob_match("", "a"));
  CHECK_FALSE(glob_match("A", "a"));
  CHECK_FALSE(glob_match(std::string(200, '*') + "b", std::string(20000, 'a')));
}

TEST_CASE("of the candidates the nearest is meant, or none") {
  static constexpr std::array<std::string_view, 3> known{"read", "write", "delete"};
  CHECK(nearest("raed", known) == "read");
  CHECK(nearest("wirte", known) == "write");
  CHECK(nearest("connect", known).empty());
  CHECK(edit_distance("kitten", "sitting") == 3);
}

}  // namespace

TEST_CASE("base64 comes back as it was, and what is no base64 is refused", "[text]") {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    CHECK(base::from_base64(base::base64(bytes)) == bytes);
    bytes += static_cast<char>(i * 37);
  }
  for (const char* text :
       {"A", "AA", "AAA", "A===", "====", "AB==", "AAB=", "AA=A", "AAAA=", "AA\n=", "A-_A", "AA==AAAA"})
    CHECK_FALSE(base::from_base64(text));
}

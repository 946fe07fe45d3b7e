#include "proxy/base/utf8.hpp"

#include "tests/catch.hpp"

using namespace base;
using namespace std::string_literals;

namespace {

bool surrogate(char32_t point) { return point >= 0xD800 && point <= 0xDFFF; }

TEST_CASE("every point is written and read as it is, a surrogate is not read") {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    std::string bytes;
    utf8::append(bytes, point);
    const auto [read, length] = utf8::character_at(bytes, 0);
    const bool good = surrogate(point) ? length == 0 : read == point && length == bytes.size();
    if (!good) FAIL("point " << static_cast<unsigned>(point));
  }
}

// Each point in each number of bytes that could hold it, as a decoder without limits would read it.
TEST_CASE("overlong forms and points past the last are refused") {
  const auto in = [](char32_t point, int more) {
    std::string bytes(1, static_cast<char>((0xFF00u >> (more + 1)) | (point >> (6 * more))));
    for (int i = more - 1; i >= 0; --i) bytes += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
    return bytes;
  };
  for (const char32_t point : {0x0u, 0x2Fu, 0x7Fu}) CHECK_FALSE(utf8::valid(in(point, 1)));
  for (const char32_t point : {0x0u, 0x2Fu, 0x80u, 0x7FFu}) CHECK_FALSE(utf8::valid(in(point, 2)));
  for (const char32_t point : {0x0u, 0x2Fu, 0x800u, 0xFFFFu, 0x110000u, 0x1FFFFFu})
    CHECK_FALSE(utf8::valid(in(point, 3)));
}

TEST_CASE("what ends too early, or goes on without a beginning, is not UTF-8") {
  for (const std::string& bytes : {"\x80"s, "\xBF"s, "\xC3"s, "\xC3("s, "\xE2\x82"s, "\xE2(\xA1"s,
                                   "\xF0\x9F\x98"s, "\xFE"s, "\xFF"s, "a\x80"s})
    CHECK_FALSE(utf8::valid(bytes));
  for (const std::string& bytes : {""s, "\0"s, "a"s, "\xC3\xA9"s, "\xE2\x82\xAC"s, "\xF0\x9F\x98\x80"s})
    CHECK(utf8::valid(bytes));
}

TEST_CASE("a broken character takes nothing of what follows it") {
  const std::string bytes = "\xE2\x82z";
  CHECK(utf8::character_at(bytes, 0).length == 0);
  CHECK(utf8::character_at(bytes, 1).length == 0);
  CHECK(utf8::character_at(bytes, 2).point == U'z');
}

}  // namespace

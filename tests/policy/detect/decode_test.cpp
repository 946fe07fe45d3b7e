#include "policy/detect/decode.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/catch.hpp"

using policy::detect::from_base64;
using policy::detect::readings;
using namespace std::string_view_literals;

namespace {

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned held = 0;
  unsigned count = 0;
  for (const char byte : bytes) {
    held = (held << 8) | static_cast<unsigned char>(byte);
    for (count += 8; count >= 6; count -= 6) text += digits[(held >> (count - 6)) & 63];
  }
  if (count > 0) text += digits[(held << (6 - count)) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

std::string in_lines(std::string_view text, std::size_t columns, std::string_view between = "\n") {
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += columns)
    lines.append(lines.empty() ? "" : between).append(text.substr(at, columns));
  return lines;
}

// Each ASCII character as a unit of UTF-16.
std::string wide(std::string_view text, bool big) {
  std::string bytes;
  for (const char c : text) bytes.append(big ? "\0"sv : ""sv).append(1, c).append(big ? ""sv : "\0"sv);
  return bytes;
}

bool reads(std::string_view text, std::string_view part) {
  const auto all = readings(text);
  CHECK(all.complete);
  return std::any_of(all.decoded.begin(), all.decoded.end(),
                     [&](const std::string& decoded) { return decoded.find(part) != std::string::npos; });
}

const std::string said = "what is said in here is 'open sesame', as everybody knows who was ever told of it";
const std::string odd = "\x01\x80\xff\xff\x02\x9c";

}  // namespace

TEST_CASE("base64 is read in either alphabet, with padding or without, and behind other letters") {
  CHECK(from_base64("aGk_aGk-") == "hi?hi>");
  CHECK(from_base64("aGk=") == "hi");
  CHECK(from_base64("a b") == std::nullopt);
  for (const char* before : {"", "x", "xy", "xyz", "wxyz ", "="}) {
    INFO(before);
    CHECK(reads(before + base64(said), said));
  }
}

TEST_CASE("base64 goes on from line to line, however long they are, and each line is tried alone") {
  for (const std::size_t columns : {20, 30, 44, 47, 76})
    for (const char* between : {"\n", "\r\n", "\n    ", "\n\t"}) {
      CAPTURE(columns, between);
      CHECK(reads("key: " + in_lines(base64(said), columns, between) + "\n", said));
      CHECK(reads('"' + in_lines(base64(odd + said), columns, between) + '"', said));
    }
  // The first line is no base64, and what follows it is none that begins at its own byte.
  CHECK(reads("an_identifier_of_33_characters_xx\n" + base64(said), said));
  CHECK(reads(base64(said) + "\nan_identifier_of_33_characters_xx", said));
  CHECK(reads(base64(said) + "\nand more", said));
}

TEST_CASE("in bytes that are no text, what reads as text is read") {
  CHECK(reads(base64(odd + said), said));
  CHECK(reads(base64(said + odd), said));
  CHECK(reads(base64(odd + "12345678" + odd), "12345678\n"));
  CHECK_FALSE(reads(base64(odd + "1234567" + odd), "1234567"));
  CHECK(reads(base64("caf\xe9 " + said), said));
  for (const bool big : {false, true}) {
    CAPTURE(big);
    CHECK(reads(base64(wide(said, big)), said));
    CHECK(reads(base64(odd + wide(said, big) + odd), said));
    CHECK(reads(base64(odd + "." + wide(said, big)), said));
    CHECK_FALSE(reads(base64(odd + wide("1234567", big) + odd), "1234567"));
    // A mark that says the other order.
    CHECK(reads(base64(std::string(big ? "\xff\xfe" : "\xfe\xff") + wide(said, big)), said));
  }
}

TEST_CASE("UTF-16 is read as its characters, where all of it is text") {
  const std::string mark = "\xff\xfe";
  const std::string accented = wide("gr", false) + std::string("\xfc\0"sv) + wide("n ist es", false);
  CHECK(reads(base64(mark + accented), "grün ist es"));
  CHECK(reads(base64(accented), "grün ist es"));
  // U+1F511 in two units, in the other order.
  const std::string key = wide("a key: ", true) + "\xd8\x3d\xdd\x11";
  CHECK(reads(base64(key), "a key: \xF0\x9F\x94\x91"));
  // Half of it, and a private character: then only what is ASCII.
  CHECK_FALSE(reads(base64(mark + accented + "\x3d\xd8"), "grün"));
  CHECK_FALSE(reads(base64(mark + accented + "\x3d\xe8"), "grün"));
  CHECK(reads(base64(mark + accented + "\x3d\xe8"), "n ist es"));
}

TEST_CASE("zeros between characters hide nothing") {
  CHECK(reads(wide(said, false), said));
  CHECK(reads(wide(said, true), said));
}

TEST_CASE("hexadecimal digits are read in a row, in lines, in groups and in dumps") {
  CHECK(reads("6f70656e20736573616d65206973207361", "open sesame is sa"));
  CHECK(reads("x=a6f70656e20736573616d65206973207361", "open sesame is sa"));
  CHECK(reads("6f70656e20736573616d6520\n6973207361696420746f2062\n65", "open sesame is said to be"));
  CHECK(reads("6f:70:65:6e:20:73:65:73:61:6d:65:20:\n   69:73:20:73:61", "open sesame is sa"));
  CHECK(reads("6F-70-65-6E-20-73-65-73-61-6D-65-20-69-73", "open sesame is"));
  CHECK(reads("bytes: 6f 70 65 6e 20 73 65 73 61 6d 65 20 69 73", "open sesame is"));
  CHECK(reads("{0x6f, 0x70, 0x65, 0x6e, 0x20, 0x73,\n 0x65, 0x73, 0x61, 0x6d, 0x65}", "open sesame"));
  CHECK(
      reads("00000000: 6f70 656e 2073 6573 616d 6520 6973 2073  open sesame is s\n"
            "00000010: 6169 6420 746f 2062 650a                 aid to be.\n",
            "open sesame is said to be\n"));
  CHECK(
      reads("00000000: 6f 70 65 6e 20 73 65 73 61 6d 65 20 69 73 20 73  ad be 12\n"
            "00000010: 61 69 64 20 74 6f 20 62 65                       aid to be\n",
            "open sesame is said to be"));
  CHECK(
      reads("00000000  6f 70 65 6e 20 73 65 73  61 6d 65 20 69 73 20 73  |open sesame is s|\n"
            "00000010  61 69 64 20 74 6f 20 62  65 20 c3 a9              |aid to be ..|\n"
            "0000001c\n",
            "open sesame is said to be \u00e9\n"));
  CHECK(
      reads("0000000 6f 70 65 6e 20 73 65 73 61 6d 65 20 69 73 20 73\n"
            "0000020 61 69 64 20 74 6f 20 62 65\n0000031\n",
            "open sesame is said to be"));
  CHECK(reads("0000000 706f 6e65 7320 7365 6d61 2065 7369 7320\n0000010 6961 2064 6f74 6220 0a65\n000001a\n",
              "open sesame is said to be\n"));
  CHECK(
      reads("0000   6f 70 65 6e 20 73 65 73 61 6d 65 20 69 73 20 73   open sesame is s\n"
            "0010   61 69 64 20 74 6f 20 62 65                        aid to be\n",
            "open sesame is said to be"));
  // Numbers, addresses and identifiers are no text.
  for (const char* other : {"12 34 96 78 90 12 84 86 99 13", "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
                            "550e8400-e29b-41d4-a716-446655440000", "------------------------------------",
                            "add a bad bee, a fed cab, a dead ace, a faded bed"}) {
    INFO(other);
    CHECK(readings(other).decoded.empty());
  }
}

TEST_CASE("lists of numbers are read as bytes") {
  const std::string_view text = "open sesame";
  std::string decimal;
  std::string mixed;
  for (const char c : text) {
    const std::string number = std::to_string(static_cast<unsigned char>(c));
    decimal += number + ", ";
    mixed += c == 'e' ? "0x65,\n" : number + ";\r\n\t";
  }
  CHECK(reads("let key = [" + decimal + "];", text));
  CHECK(reads(mixed, text));
  CHECK(reads("256 -1 " + decimal, text));                          // what is no byte before it
  CHECK_FALSE(reads("111, 112, 101, 110, 300, 115, 101", "open"));  // too few
}

TEST_CASE("escapes of many languages are undone, and nothing else") {
  for (const char* escaped :
       {R"(op%65n)", R"(op\x65n)", R"(op\145n)", R"(op\u0065n)", R"(op\u{65}n)", R"(op\u{000065}n)",
        R"(op\U00000065n)", "op&#101;n", "op&#x65;n", "op&#X0065;n", R"(\157%70\x65&#110;)"}) {
    INFO(escaped);
    CHECK(reads(escaped, "open"));
  }
  CHECK(reads(R"(gr\u00fcn \u{1F511} &#252;)", "gr\u00fcn \U0001F511 \u00fc"));
  for (const char* none : {R"(\u{})", R"(\u{65)", R"(\u65)", R"(\400)", R"(\8)", "&#;", "&#xg;", "&#101",
                           "%6", "%", "\\", "&", R"(\U00110000)", "&#99999999;", "&amp;"}) {
    INFO(none);
    CHECK(readings(none).decoded.empty());
  }
}

TEST_CASE("a word is read through every character that nobody sees") {
  for (const char* hidden :
       {"\u00ad", "\u034f", "\u061c", "\u115f", "\u17b4", "\u180e", "\u200b", "\u2060", "\u3164", "\ufe0f",
        "\ufeff", "\uffa0", "\U0001bca0", "\U0001d173", "\U000e0100"}) {
    INFO(hidden);
    CHECK(reads("ope" + std::string(hidden) + "n", "open"));
    CHECK(reads(base64("it is ope" + std::string(hidden) + "n"), "it is open"));
    CHECK(reads("b3BlbiBzZX" + std::string(hidden) + "NhbWUgbm93", "open sesame now"));
  }
  CHECK(readings("caf\u00e9 \u4e2d\u6587 \U0001F511 \u00a9").decoded.empty());
}

TEST_CASE("decoding takes no longer than the text is") {
  // Each would take minutes, if work were repeated.
  for (const char* part :
       {"YWFhYWFhYWFhYWFhYWFhYWFhYWFh\n", "aaaaaaaaaaaaaaaaaaaa\n   ", "00 ", "0 0 0 00 ", "AAAA",
        "00000000  ", "65,", "1 ", "&#1;", "\\1", "00 00 00 00 00 00 00 00  a", " ", "-", "AGEAYQBh"}) {
    INFO(part);
    std::string text;
    while (text.size() < (std::size_t{1} << 18)) text += part;
    CHECK(readings(text).bytes <= 4 * text.size() + policy::detect::decoded_bytes_more_max);
  }
}

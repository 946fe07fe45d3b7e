#include "approvals/render.hpp"

#include "approvals/characters.hpp"
#include "approvals/pretty.hpp"
#include "proxy/base/utf8.hpp"
#include "tests/catch.hpp"

using namespace approvals;
using namespace std::string_literals;

namespace {

std::string joined(const Rendered& rendered) {
  std::string text;
  for (const auto& line : rendered.lines) text += line + "\n";
  return text;
}

const std::vector<std::string> hostile{"\x1b[2J\x1b[1;1Happroved",
                                       "\x1b]52;c;cm0gLXJmIC8=\x07",
                                       "safe\rrm -rf /",
                                       "a\bb\x7f",
                                       "\xc2\x9b"
                                       "31m",
                                       "rm \xe2\x80\xae"
                                       "txt.exe",
                                       "zero\xe2\x80\x8bwidth\xef\xbb\xbf",
                                       "tag\xf3\xa0\x81\x81"
                                       "end",
                                       "p\xd0\xb0ypal",
                                       "\xd0\xb0\xd1\x80\xd1\x80\xd3\x8f\xd0\xb5",
                                       "\xff\xfe\x80",
                                       "\xed\xa0\x80",
                                       "\xc0\xaf",
                                       "\xf4\x90\x80\x80",
                                       "line\xe2\x80\xa8separator",
                                       "soft\xc2\xadhyphen",
                                       "e\xcc\x81\xcc\x81\xcc\x81",
                                       "\xd7\x90\xd7\x91 rtl",
                                       "\xef\xbd\x92\xef\xbd\x8d full width",
                                       "a\xe2\x88\x95"
                                       "b",
                                       "\xe2\x9f\xa8"
                                       "ESC\xe2\x9f\xa9",
                                       "nul\0byte"s,
                                       "tab\tbed",
                                       "│ gutter",
                                       "vs\xef\xb8\x8f",
                                       "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
                                       "\xf0\x9d\x97\xae math"};

}  // namespace

TEST_CASE("nothing but harmless characters reaches the terminal, whatever the bytes") {
  std::vector<std::string> corpus = hostile;
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  corpus.push_back(all);
  for (char32_t point = 0x80; point < 0x3000; ++point)
    if (point >= 0x800)
      corpus.back() += {static_cast<char>(0xE0 | point >> 12), static_cast<char>(0x80 | (point >> 6 & 0x3F)),
                        static_cast<char>(0x80 | (point & 0x3F))};
  for (const auto& text : corpus) {
    for (const auto& line : render(text, {.width = 40}).lines) {
      for (std::size_t at = gutter.size(); at < line.size();) {
        const auto next = base::utf8::character_at(line, at);
        REQUIRE(next.length > 0);
        const bool ours = next.point == 0x27E8 || next.point == 0x27E9;
        if (!ours && cells_of(next.point) == 0) FAIL("U+" << std::hex << static_cast<unsigned>(next.point));
        at += next.length;
      }
    }
  }
}

TEST_CASE("every hostile text is shown with a mark") {
  for (const auto& text : hostile) {
    INFO(joined(render(text)));
    CHECK(render(text).marks > 0);
  }
}

TEST_CASE("marks name what they stand for") {
  CHECK(joined(render("\x1b]52;c;x\x07")) == "│ ⟨ESC⟩]52;c;x⟨BEL⟩\n");
  CHECK(joined(render("a\rb")) == "│ a⟨CR⟩b\n");
  CHECK(joined(render("x\xe2\x80\xaey")) == "│ x⟨U+202E⟩y\n");
  CHECK(joined(render("\xf3\xa0\x81\x81")) == "│ ⟨U+E0041⟩\n");
  CHECK(joined(render("p\xd0\xb0ypal")) == "│ p⟨U+0430⟩ypal\n");
  CHECK(joined(render("\xff")) == "│ ⟨0xFF⟩\n");
  CHECK(joined(render("⟨ESC⟩")) == "│ ⟨U+27E8⟩ESC⟨U+27E9⟩\n");
}

TEST_CASE("texts of other languages are shown as they are") {
  for (const auto* text : {"отчёт.txt и файл", "Größe straße café", "日本語のファイル", "한국어",
                           "Ελληνικά ψάρι", "a → b … “c” – 5 €"}) {
    INFO(text);
    CHECK(joined(render(text)) == "│ "s + text + "\n");
  }
}

TEST_CASE("no line of untrusted text stands without its gutter or wider than asked") {
  const std::string text =
      std::string(300, 'x') + "\n\nallow? yes\n" + std::string(50, '\x1b') + "日本語日本語日本語日本語日本語";
  const auto rendered = render(text, {.width = 30});
  for (const auto& line : rendered.lines) {
    CHECK((line.starts_with(gutter) || line.starts_with(gutter_more)));
    int cells = 0;
    for (std::size_t at = 0; at < line.size();) {
      const auto next = base::utf8::character_at(line, at);
      cells += std::max(1, cells_of(next.point));
      at += next.length;
    }
    CHECK(cells <= 30);
  }
  std::string letters;
  for (const auto& line : rendered.lines)
    for (const char c : line)
      if (c == 'x') letters += c;
  CHECK(letters.size() == 300);
}

TEST_CASE("what is cut in the middle of a line says how much is missing") {
  CHECK(render_inline("abcdef", 4) == "«abcd» … 2 more characters");
  CHECK(render_inline("a\nb»") == "«a⟨LF⟩b⟨U+00BB⟩»");
}

TEST_CASE("laid-out JSON means what the JSON meant") {
  CHECK(pretty(R"({"a":1.0,"b":[true,null,-1e5],"c":{},"d":[]})") ==
        "{\n  \"a\": 1.0,\n  \"b\": [\n    true,\n    null,\n    -1e5\n  ],\n  \"c\": {},\n  \"d\": []\n}");
  CHECK(pretty(R"("\u0072\u006d \"x\" \\ \u0007")") == "\"rm \\\"x\\\" \\\\ \\u0007\"");
  CHECK(pretty(R"("\ud83d\ude00")") == "\"😀\"");
}

TEST_CASE("a text of several lines is shown as lines that cannot be taken for members") {
  CHECK(pretty(R"({"content":"one\n\"b\": 2\n","z":1})") ==
        "{\n  \"content\": text of 2 lines\n  ╎ one\n  ╎ \"b\": 2\n  \"z\": 1\n}");
  CHECK(pretty(R"(["a\nb"])") == "[\n  text of 2 lines, no line feed at the end\n  ╎ a\n  ╎ b\n]");
}

TEST_CASE("what is not JSON is shown as it is") {
  for (const auto* text :
       {"", "{", "[1,]", "{\"a\" 1}", "\"\\x\"", "1 2", "\"\\ud800\"", "{\"a\":1,}", "[1 2]"}) {
    INFO(text);
    CHECK_FALSE(pretty(text));
  }
  CHECK_FALSE(pretty(std::string(129, '[') + std::string(129, ']')));
  CHECK(joined(render_json("{oops")) == "│ {oops\n");
  std::string deep = std::string(120, '[');
  for (int i = 0; i < 20000; ++i) deep += "1,";
  deep += "1" + std::string(120, ']');
  CHECK_FALSE(pretty(deep));
}

#include "policy/network/idna.hpp"

#include "tests/catch.hpp"

using namespace policy::network;

namespace {

std::string name(std::string_view utf8) {
  const NameReading reading = read_name(utf8);
  return reading.unknown || reading.names.empty() ? "?" : reading.names.front();
}

}  // namespace

TEST_CASE("labels beyond ASCII become what RFC 3492 says") {
  CHECK(punycode(U"\u00fc") == "tda");
  CHECK(punycode(U"b\u00fccher") == "bcher-kva");
  CHECK(punycode(U"\u4ED6\u4EEC\u4E3A\u4EC0\u4E48\u4E0D\u8BF4\u4E2D\u6587") == "ihqwcrb4cv8a8dqg056pqjye");
  CHECK(
      punycode(
          U"\u043F\u043E\u0447\u0435\u043C\u0443\u0436\u0435\u043E\u043D\u0438\u043D\u0435\u0433\u043E\u0432"
          U"\u043E\u0440\u044F\u0442\u043F\u043E\u0440\u0443\u0441\u0441\u043A\u0438") ==
      "b1abfaaepdrnnbgefbadotcwatmq2g4l");
  CHECK(name("m\u00fcnchen.de") == "xn--mnchen-3ya.de");
  CHECK(name("M\u00dcNCHEN.DE") == "xn--mnchen-3ya.de");
  CHECK(name("\u4f8b\u3048.jp") == "xn--r8jz45g.jp");
  CHECK(read_name("m\u00fcnchen.de").agreed);
}

TEST_CASE("what maps to ASCII is that name, in doubt") {
  for (const char* text : {"\u24d8nternal.example", "\uff49nternal.example", "\U0001D422nternal.example",
                           "\u2071nternal.example", "internal\u3002example", "internal\uff0eexample",
                           "internal\uff61example", "inter\u00adnal.example", "inter\u200bnal.example",
                           "internal.e\uff58ample", "internal.exam\U0001D5C9le", "\u0130nternal.example"}) {
    INFO(text);
    CHECK((name(text) == "internal.example" || name(text) == "?"));
    CHECK_FALSE(read_name(text).agreed);
  }
  CHECK(name("\u2121.example") == "tel.example");
}

TEST_CASE("a look-alike is another name") {
  CHECK(name("\u0430pi.example") == "xn--pi-6kc.example");
  CHECK(name("g\u03bfogle.example") != "google.example");
  CHECK(read_name("\u0430pi.example").agreed);
}

TEST_CASE("what the standards read differently has both readings") {
  const NameReading reading = read_name("stra\u00dfe.de");
  CHECK(reading.names == std::vector<std::string>{"xn--strae-oqa.de", "strasse.de"});
  CHECK_FALSE(reading.agreed);
}

TEST_CASE("what may be spelled in other ways is not known") {
  for (const char* text :
       {"mu\u0308nchen.de", "a\u2044b", "a\u2100b", "\ufe52", "a\xff", "\u212a\u0301", "\u2024"}) {
    INFO(text);
    CHECK(read_name(text).unknown);
  }
  CHECK(read_name(std::string(2000, 'a')).unknown);
}

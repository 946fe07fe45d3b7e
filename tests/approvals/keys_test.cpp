#include "approvals/console/keys.hpp"

#include "tests/catch.hpp"

using namespace approvals::console;
using namespace std::chrono_literals;

namespace {

struct Typist {
  Keys keys;
  std::chrono::nanoseconds now = 0s;

  Typist() { keys.waiting({17, 20}); }
  ToDo type(std::string_view bytes) {
    ToDo last;
    for (const char byte : bytes) last = keys.key(static_cast<unsigned char>(byte), now);
    return last;
  }
  void open(std::size_t pages) {
    REQUIRE(type("17\r").what == What::open);
    keys.pages(pages, now);
  }
};

}  // namespace

TEST_CASE("allow works only after the last page has stood for 700 ms") {
  Typist typist;
  typist.open(2);
  typist.now += 10s;
  CHECK(typist.type("a").what == What::say);
  CHECK(typist.type(" ") == ToDo{What::page, 17, 1, {}});
  typist.keys.shown(typist.now);
  typist.now += 699ms;
  CHECK(typist.type("a").what == What::say);
  typist.now += 1ms;
  CHECK(typist.type("a") == ToDo{What::allow, 17, 0, {}});
}

TEST_CASE("no other byte allows, alone or in an escape sequence") {
  for (int byte = 0; byte < 256; ++byte) {
    if (byte == 'a') continue;
    Typist typist;
    typist.open(1);
    typist.now += 1s;
    CHECK(typist.type(std::string(1, static_cast<char>(byte))).what != What::allow);
  }
  for (const auto* sequence : {"\x1b"
                               "a",
                               "\x1b[a", "\x1bOa", "\x1b[1;5a", "\x1b\x1b[a"}) {
    Typist typist;
    typist.open(1);
    typist.now += 1s;
    CHECK(typist.type(sequence).what != What::allow);
    typist.now += 1s;
    CHECK(typist.type("a").what == What::allow);
  }
}

TEST_CASE("an ask that no longer waits cannot be answered") {
  Typist typist;
  typist.open(1);
  typist.now += 1s;
  typist.keys.waiting({20});
  CHECK(typist.type("a").what == What::say);
  CHECK(typist.type("d").what == What::say);
}

TEST_CASE("what is typed as a reason answers nothing else when the ask ends meanwhile") {
  Typist typist;
  typist.open(1);
  typist.now += 1s;
  typist.type("d not");
  typist.keys.waiting({20});
  for (const char byte : std::string_view(" a node project, and now they approve")) {
    typist.now += 1s;
    CHECK(typist.type({&byte, 1}).what == What::reason);
  }
  CHECK(typist.type("\r").what == What::say);
  CHECK_FALSE(typist.keys.open());
  // Keys of the same burst open nothing; after a pause they do.
  CHECK(typist.type("n").what == What::say);
  CHECK_FALSE(typist.keys.open());
  typist.now += 700ms;
  CHECK(typist.type("n").id == 20);
}

TEST_CASE("keys that were meant for an ask that has ended open and answer no other") {
  for (const char byte : std::string_view("amednpr")) {
    Typist typist;
    typist.open(1);
    typist.keys.waiting({20});
    CHECK(typist.type({&byte, 1}).what == What::say);
    CHECK_FALSE(typist.keys.open());
  }
}

TEST_CASE("opening another ask or the raw text disarms allow") {
  for (const auto* keys : {"n", "p", "r", "20\r"}) {
    Typist typist;
    typist.open(1);
    typist.now += 1s;
    typist.type(keys);
    CHECK(typist.type("a").what == What::say);
    typist.keys.pages(1, typist.now);
    CHECK(typist.type("a").what == What::say);
  }
}

TEST_CASE("a denial takes a reason, and Esc takes it back") {
  Typist typist;
  typist.open(3);
  CHECK(typist.type("d").what == What::reason);
  CHECK(typist.type("wr\xc3\xa9\x7f"
                    "ong a q") == ToDo{What::reason, 17, 0, "wrong a q"});
  CHECK(typist.type("\r") == ToDo{What::deny, 17, 0, "wrong a q"});
  typist.type("d");
  typist.type("x");
  CHECK(typist.type("\x1b").what == What::say);
  typist.now += 1s;
  CHECK(typist.type("\r").what == What::nothing);
}

TEST_CASE("a number opens only what waits") {
  Typist typist;
  CHECK(typist.type("18\r").what == What::say);
  CHECK(typist.type("99999999999999999999999\r").what == What::say);
  CHECK(typist.type("20\n") == ToDo{What::open, 20, 0, {}});
  CHECK(typist.type("\r").what == What::nothing);
}

TEST_CASE("next and previous go round, and nothing is opened where nothing waits") {
  Typist typist;
  CHECK(typist.type("n").id == 17);
  CHECK(typist.type("n").id == 20);
  CHECK(typist.type("n").id == 17);
  CHECK(typist.type("p").id == 20);
  typist.keys.waiting({});
  CHECK(typist.type("n").what == What::say);
  CHECK(typist.type("q").what == What::quit);
}

TEST_CASE("a key that means nothing says where help is, and ? is help") {
  Typist typist;
  CHECK(typist.type("?").what == What::help);
  CHECK(typist.type("x").what == What::say);
  CHECK(typist.type("\x01").what == What::nothing);
  typist.open(1);
  CHECK(typist.type("A").what == What::say);
  CHECK(typist.keys.open() == 17);
}

TEST_CASE("a grant takes a key, the rule shown for 700 ms, and y: any other key gives none") {
  Typist typist;
  typist.open(1);
  CHECK(typist.type("m").what == What::say);
  typist.now += 700ms;
  CHECK(typist.type("y").what == What::say);
  CHECK(typist.type("m") == ToDo{What::offer, 17, 0, "call"});
  CHECK(typist.type("y").what == What::say);  // it could not be offered
  CHECK(typist.type("e") == ToDo{What::offer, 17, 0, "effects"});
  typist.keys.offered(typist.now);
  CHECK(typist.type("y").what == What::say);
  for (const char* other : {"a", "\r", " ", "\x1b", "Y", "q"}) {
    typist.now += 1s;
    REQUIRE(typist.type("m").what == What::offer);
    typist.keys.offered(typist.now);
    typist.now += 700ms;
    CHECK(typist.type(other).what == What::say);
  }
  typist.now += 1s;
  REQUIRE(typist.type("m").what == What::offer);
  typist.keys.offered(typist.now);
  typist.now += 700ms;
  CHECK(typist.type("y") == ToDo{What::grant, 17, 0, {}});
  typist.keys.offered(typist.now);
  typist.keys.waiting({20});
  typist.now += 700ms;
  CHECK(typist.type("y").what == What::say);
}

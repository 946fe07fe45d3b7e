#include "policy/shell/state.hpp"

#include "tests/catch.hpp"

using namespace policy::shell;

namespace {

Argument known(std::string text) { return {Argument::Sort::known, std::move(text)}; }

State in(std::vector<std::string> directories) {
  State state;
  state.directories.change() = std::move(directories);
  return state;
}

}  // namespace

TEST_CASE("of two states what both know alike stays known") {
  State a = in({"/w"});
  State b = in({"/w"});
  a.variables.change() = {{"same", known("x")}, {"other", known("x")}, {"only", known("x")}};
  b.variables.change() = {{"same", known("x")}, {"other", known("y")}};
  const State both = either(a, b);
  CHECK(both.variables->at("same").is("x"));
  CHECK_FALSE(both.variables->at("other").known());
  CHECK_FALSE(both.variables->at("only").known());
  CHECK(either(b, a) == both);
}

TEST_CASE("of two numbers a number is left") {
  State a;
  State b;
  a.variables.change() = {{"n", known("1")}};
  b.variables.change() = {{"n", known("-2")}};
  CHECK(either(a, b).variables->at("n").number);
  b.variables.change() = {{"n", known("1;rm")}};
  CHECK_FALSE(either(a, b).variables->at("n").number);
}

TEST_CASE("a shell may be in each of a few directories, then anywhere") {
  CHECK(*either(in({"/a"}), in({"/b"})).directories == std::vector<std::string>{"/a", "/b"});
  CHECK(either(in({"/a"}), in({})).directories->empty());
  CHECK(either(in({"/a", "/b", "/c"}), in({"/d", "/e"})).directories->empty());
}

TEST_CASE("a name that may be one function or another is known as neither") {
  const Command first;
  const Command second;
  State a;
  State b;
  a.functions.change() = {{"f", {&first, ""}}, {"g", {&first, ""}}};
  b.functions.change() = {{"f", {&second, ""}}};
  const State both = either(a, b);
  CHECK(both.functions->at("f").definition == nullptr);
  CHECK(both.functions->at("g").definition == nullptr);
  CHECK(either(a, a).functions->at("f").definition == &first);
}

TEST_CASE("parameters that differ are not known, and what never ends adds nothing") {
  State a;
  State b;
  a.parameters.change() = std::vector{known("x")};
  CHECK_FALSE(either(a, b).parameters->has_value());
  CHECK(either(a, a).parameters->has_value());
  CHECK(either(std::optional<State>(), std::optional(a)) == a);
  CHECK_FALSE(either(std::optional<State>(), std::optional<State>()).has_value());
}

#include "proxy/session/batch.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using Lines = std::vector<std::string>;

TEST_CASE(
    "answers go out as one line when the last request lets go of its batch, and nothing when there are "
    "none") {
  Lines sent;
  const auto send = [&](std::string line) { return sent.push_back(std::move(line)), true; };
  auto first = std::make_shared<proxy::Batch>(send, 100);
  auto second = first;
  first->add("{\"id\":1}");
  first.reset();
  CHECK(sent.empty());
  second->add("{\"id\":2}");
  second.reset();
  CHECK(sent == Lines{"[{\"id\":1},{\"id\":2}]"});
  proxy::Batch(send, 100);
  CHECK(sent.size() == 1);
}

TEST_CASE("a batch does not gather more than it may") {
  Lines sent;
  {
    proxy::Batch batch([&](std::string line) { return sent.push_back(std::move(line)), true; }, 10);
    for (const char* answer : {"\"12345\"", "\"6\"", "\"longer than all\""}) batch.add(answer);
  }
  CHECK(sent == Lines{"[\"12345\"]", "[\"6\"]", "[\"longer than all\"]"});
}

TEST_CASE("answers that cannot be sent do not end the program") {
  CHECK_NOTHROW([] {
    proxy::Batch batch([](const std::string&) -> bool { throw std::runtime_error("no memory left"); }, 10);
    batch.add("1");
  }());
}

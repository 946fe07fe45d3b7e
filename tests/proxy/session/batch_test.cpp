#include "proxy/session/batch.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using Lines = std::vector<std::string>;

namespace {

proxy::BatchLimits limits(std::size_t bytes_max, std::size_t all_bytes_max = 1000,
                          std::shared_ptr<std::size_t> all = std::make_shared<std::size_t>(0)) {
  return {bytes_max, all_bytes_max, std::move(all)};
}

}  // namespace

TEST_CASE(
    "answers go out as one line when the last request lets go of its batch, and nothing when there are "
    "none") {
  Lines sent;
  const auto send = [&](std::string line) { return sent.push_back(std::move(line)), true; };
  auto first = std::make_shared<proxy::Batch>(send, limits(100));
  auto second = first;
  first->add("{\"id\":1}");
  first.reset();
  CHECK(sent.empty());
  second->add("{\"id\":2}");
  second.reset();
  CHECK(sent == Lines{"[{\"id\":1},{\"id\":2}]"});
  proxy::Batch(send, limits(100));
  CHECK(sent.size() == 1);
}

TEST_CASE("a batch does not gather more than it may") {
  Lines sent;
  {
    proxy::Batch batch([&](std::string line) { return sent.push_back(std::move(line)), true; }, limits(10));
    for (const char* answer : {"\"12345\"", "\"6\"", "\"longer than all\""}) batch.add(answer);
  }
  CHECK(sent == Lines{"[\"12345\"]", "[\"6\"]", "[\"longer than all\"]"});
}

TEST_CASE("all batches together do not gather more than they may") {
  Lines sent;
  const auto send = [&](std::string line) { return sent.push_back(std::move(line)), true; };
  const auto all = std::make_shared<std::size_t>(0);
  {
    proxy::Batch first(send, limits(100, 10, all));
    proxy::Batch second(send, limits(100, 10, all));
    first.add("\"12345\"");
    second.add("\"6\"");
    CHECK(sent.empty());
    second.add("\"7\"");
    CHECK(sent == Lines{"[\"6\",\"7\"]"});
    CHECK(*all == 7);
    second.add("\"8\"");
  }
  CHECK(sent.size() == 3);
  CHECK(*all == 0);
}

TEST_CASE("answers that cannot be sent do not end the program") {
  CHECK_NOTHROW([] {
    proxy::Batch batch([](const std::string&) -> bool { throw std::runtime_error("no memory left"); },
                       limits(10));
    batch.add("1");
  }());
}

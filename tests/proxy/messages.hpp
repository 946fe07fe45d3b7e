#pragma once
// Messages from text.

#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "transports/limits.hpp"
#include "transports/message.hpp"

namespace proxy_tests {

inline transports::Message message(std::string line) {
  auto parsed = transports::parse(std::move(line), {});
  REQUIRE(parsed);
  return std::move(parsed.message());
}

}  // namespace proxy_tests

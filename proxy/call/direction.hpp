#pragma once
// Which way a message travels.

namespace proxy {

enum class Direction { to_server, to_agent };

constexpr Direction opposite(Direction direction) {
  return direction == Direction::to_server ? Direction::to_agent : Direction::to_server;
}

// Who sends, and who receives and answers, what travels this way.
constexpr const char* requester_name(Direction direction) {
  return direction == Direction::to_server ? "the agent" : "the server";
}
constexpr const char* peer_name(Direction direction) { return requester_name(opposite(direction)); }

}  // namespace proxy

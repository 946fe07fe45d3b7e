#include "proxy/call/methods.hpp"

#include <algorithm>
#include <array>

namespace proxy {
namespace {

using namespace std::string_view_literals;

constexpr std::array free_to_server = {
    "initialize"sv,
    "server/discover"sv,
    "ping"sv,
    "tools/list"sv,
    "resources/list"sv,
    "resources/templates/list"sv,
    "resources/unsubscribe"sv,
    "prompts/list"sv,
    "logging/setLevel"sv,
    "tasks/get"sv,
    "tasks/list"sv,
    "tasks/cancel"sv,
};
constexpr std::array free_to_agent = {"ping"sv, "roots/list"sv, "tasks/get"sv, "tasks/list"sv,
                                      "tasks/cancel"sv};

template <class List>
bool contains(const List& list, std::string_view method) {
  return std::find(list.begin(), list.end(), method) != list.end();
}

}  // namespace

bool is_free(Direction direction, std::string_view method) {
  return direction == Direction::to_server ? contains(free_to_server, method)
                                           : contains(free_to_agent, method);
}

bool answers_with_tool_result(std::string_view method) { return method == "tools/call"; }

}  // namespace proxy

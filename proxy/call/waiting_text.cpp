#include "proxy/call/waiting_text.hpp"

#include "proxy/base/text.hpp"

namespace proxy {

std::string waiting_text(std::uint64_t ask, const std::string& called, const policy::Decision& decision) {
  const policy::Reason* asks = policy::deciding(decision);
  const std::string number = std::to_string(ask);
  return "approval " + number + " waits: " + base::quoted(called) +
         (asks == nullptr ? "" : " would " + base::quoted(summary(decision.effects[asks->effect]))) +
         "; answer in `callgate console`, or with `callgate approve " + number + "` or `deny " + number + "`";
}

}  // namespace proxy

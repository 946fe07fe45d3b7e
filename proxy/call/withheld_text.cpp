#include "proxy/call/withheld_text.hpp"

#include "proxy/base/text.hpp"

namespace proxy {
namespace {

constexpr std::size_t why_bytes_max = 240;
constexpr const char* executed = "this call was executed, and its result is withheld";

std::string again(std::string_view why) { return withheld(std::string(why) + "; " + std::string(not_again)); }

}  // namespace

std::string withheld(std::string_view why) { return std::string(executed) + ": " + std::string(why); }

std::string withheld_by(std::string_view rule, policy::Layer layer, std::string_view why) {
  return std::string(executed) + " by rule " + base::quoted(rule) + " (" + policy::name(layer) + ")" +
         (why.empty() ? "" : ": " + base::printable(why, why_bytes_max));
}

std::string withheld_text(WhyRefused why, const policy::Decision& decision, const std::string& because) {
  const policy::Reason* reason = policy::deciding(decision);
  switch (why) {
    case WhyRefused::by_operator:
      return withheld("the operator refused it" + (because.empty() ? "" : ": " + because));
    case WhyRefused::timed_out: return again("it needs a person's approval, and nobody answered in time");
    case WhyRefused::peer_gone: return again("it waited for a person's approval when the server ended");
    case WhyRefused::denied:
      if (!because.empty()) return withheld(because);
      if (reason != nullptr) return withheld_by(reason->rule, reason->layer, reason->why);
      break;
    case WhyRefused::pending:
    case WhyRefused::failed:
    case WhyRefused::none: break;
  }
  return again("callgate could not have it approved");
}

}  // namespace proxy

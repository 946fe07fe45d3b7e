#pragma once
// What the requester reads in place of an answer that is withheld: that the call was executed, and why it
// does not get what came back. Pure.

#include <string>
#include <string_view>

#include "policy/decision.hpp"
#include "proxy/call/flow.hpp"

namespace proxy {

// For whoever might try again.
inline constexpr std::string_view not_again = "repeating it may not be safe";

std::string withheld(std::string_view why);
std::string withheld_by(std::string_view rule, policy::Layer layer, std::string_view why);
// Of one that a person was asked for, or that another policy withholds meanwhile. `because`: the operator's
// words, or what else decided; may be empty.
std::string withheld_text(WhyRefused why, const policy::Decision& decision, const std::string& because);

}  // namespace proxy

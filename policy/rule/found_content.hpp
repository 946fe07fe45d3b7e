#pragma once
// What a rule with `content` found in an effect, in words for people.

#include <string>

#include "policy/detect/content_pattern.hpp"
#include "policy/effect.hpp"
#include "policy/rule/rule.hpp"

namespace policy {

// "`@payment` (payment-card) in `/content`, line 12", of the first pattern that finds something; of an
// expression the expression itself. Never the text that was found. Empty: nothing is found.
std::string found_content(const Condition& condition, const Effect& effect, const detect::Readings& content);

}  // namespace policy

#pragma once
// Effects guessed from the names and values of arguments that nobody declared. They count for deny and ask,
// are shown to the operator, and never help to allow.

#include <string>

#include "policy/describe/effect_list.hpp"
#include "proxy/base/json.hpp"

namespace policy {

// Of every string in the value, at every depth. `key` is the argument's name, `pointer` its JSON pointer.
void guess_effects(EffectList& list, const base::json::Value& value, const std::string& key,
                   const std::string& pointer);

// `text` as one token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view text);
// The pointer one token further; stays as it is when it is already too long to be of use.
std::string longer_pointer(const std::string& pointer, std::string_view token);

}  // namespace policy

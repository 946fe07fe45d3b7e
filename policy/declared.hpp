#pragma once
// Effects of a tool whose arguments are declared: pointers into the arguments, each with a meaning.

#include <vector>

#include "policy/effect_list.hpp"
#include "policy/rule.hpp"
#include "proxy/base/json.hpp"

namespace policy {

struct Declared {
  const ToolDeclaration* declaration = nullptr;
  bool recursive = false;  // its reads cover everything below
};

// A value that is not of the declared type is opaque. A pointer that leads nowhere has no effect. What only
// an untrusted layer declares is a guess.
void describe_declared(EffectList& list, const base::json::Value& arguments, const Declared& declared);

// One opaque `use` for all that no declaration names, and guesses for each.
void describe_unknown_arguments(EffectList& list, const base::json::Value& arguments,
                                const std::vector<Declared>& declared);

// A resource's address: `file:` reads, `http:` and `https:` connect; others have no effect of their own.
void describe_address(EffectList& list, const std::string& uri, const Origin& origin,
                      const network::Request& request = {});

}  // namespace policy

#pragma once
// Effects of a tool whose arguments are declared: pointers into the arguments, each with a meaning.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "policy/describe/effect_list.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/json.hpp"

namespace policy {

struct Declared {
  const ToolDeclaration* declaration = nullptr;
  bool recursive = false;  // its reads cover everything below
};

// All that declares the tool of this call: of the catalogue first, then of the policy.
std::vector<Declared> declared_for(const Call& call, const std::vector<ToolDeclaration>& declarations,
                                   const Catalogue& catalogue);

// All its lists of pointers.
std::array<const std::vector<std::string>*, 12> pointers_of(const ToolDeclaration& tool);

// Whether a JSON pointer is `start`, or leads on from there.
bool starts_with_pointer(std::string_view pointer, std::string_view start);

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

#pragma once
// What the arguments of a declared tool say of how it connects: its method and its headers.

#include <string>
#include <string_view>

#include "policy/network/request.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/json.hpp"

namespace policy {

// Where the tool declares a method that the call leaves out, it is GET; where it declares none, none is
// known. Headers may be an object (of texts, or lists of them), a list of pairs, of objects with `name` and
// `value`, or of lines `Name: value`, one text of such lines, or one of these as JSON in a text. What is
// kept: those that may lead elsewhere, and all that are broken.
network::Request declared_request(const base::json::Value& arguments, const ToolDeclaration& tool);

// The value that a JSON pointer reaches; nullptr: none.
const base::json::Value* at_pointer(const base::json::Value& arguments, std::string_view pointer);

}  // namespace policy

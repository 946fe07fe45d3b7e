#pragma once
// What the tools do. Each takes the `arguments` object of a call.

#include <memory>
#include <string>
#include <variant>

#include "examples/workshop/job.hpp"

namespace workshop {

// The `result` of a call that is done, or the job that goes on with it.
using Outcome = std::variant<std::string, std::unique_ptr<Job>>;

bool is_tool(const std::string& name);

// Wrong arguments and failures are results with `isError`, so that the model reads them. Needs is_tool(name).
Outcome call_tool(const std::string& name, const Json& arguments, const Json& progress_token);

}  // namespace workshop

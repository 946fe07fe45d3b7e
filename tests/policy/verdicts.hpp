#pragma once
// What a policy in text says to a call: for tests that only look at the decision.

#include <map>
#include <string>
#include <utility>

#include "policy/decide.hpp"
#include "tests/policy/scenes.hpp"

namespace policy_tests {

inline policy::Decision judged(const std::string& policy_text, const policy::Call& described,
                               std::map<std::string, std::string> links = {}) {
  const policy::DescribedFiles files(std::move(links));
  return load(policy_text).judge(described, scene(files));
}

inline policy::Tier tier(const std::string& policy_text, const policy::Call& described,
                         std::map<std::string, std::string> links = {}) {
  return judged(policy_text, described, std::move(links)).tier;
}

inline policy::Call read(const std::string& path) {
  return call("read_file", base::json::Value{{"path", path}}.dump());
}
inline policy::Call run(const std::string& line) {
  return call("run_command", base::json::Value{{"command", line}}.dump(), "workshop");
}

inline const std::string allow_w =
    "[[allow]]\nid=\"w\"\nread=[\"/w/**\"]\nwrite=[\"/w/**\"]\ndelete=[\"/w/**\"]\n";
inline const std::string deny_env =
    "[[deny]]\nid=\"env\"\npath=[\"**/.env\"]\nwhy=\"secrets\"\nseverity=\"high\"\n";
inline const std::string ask = "default = \"ask\"\n";

}  // namespace policy_tests

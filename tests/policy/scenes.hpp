#pragma once
// What the tests of policy share: a described scene and policies from text.

#include <string>

#include "policy/policy.hpp"
#include "policy/review/cases.hpp"
#include "tests/catch.hpp"

namespace policy_tests {

inline policy::Policy load(const std::string& toml) {
  auto loaded = policy::Policy::load({{policy::Layer::mission, "test.toml", "version = 1\n" + toml, true}},
                                     "/w", "/home/dev");
  INFO((loaded ? std::string() : loaded.error().text()));
  REQUIRE(loaded.has_value());
  return std::move(*loaded);
}

inline policy::Scene scene(const policy::Links& links) {
  policy::Scene scene;
  scene.workspace = "/w";
  scene.directory = "/w";
  scene.home = "/home/dev";
  scene.user = "dev";
  scene.links = &links;
  return scene;
}

inline policy::Call call(const std::string& tool, const std::string& arguments,
                         const std::string& server = "files") {
  policy::Call call;
  call.server = server;
  call.catalogue_entry = server;
  call.method = "tools/call";
  call.tool = tool;
  call.arguments = base::json::Value::parse(arguments);
  return call;
}

}  // namespace policy_tests

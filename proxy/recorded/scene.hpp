#pragma once
// What a call was judged in besides its own bytes, as the ledger keeps it: payload `scene` of
// `session_start`,
// `{"directory":…,"folders":[…],"home":…,"user":…,"workspace":…}`, and payload `folders` of a decision, a
// list, where the agent has named more since. `null` in place of either where a path is no UTF-8. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proxy {

struct RecordedScene {
  std::string workspace;
  std::string directory;             // the server's
  std::vector<std::string> folders;  // policy::Call::folders
  std::string home, user;            // policy::Scene; empty: not on record, or no UTF-8
  bool operator==(const RecordedScene&) const = default;
};

std::string scene_payload(const RecordedScene& scene);
std::string folders_payload(const std::vector<std::string>& folders);

// nullopt: it says nothing that can be used.
std::optional<RecordedScene> scene_from_payload(std::string_view payload);
std::optional<std::vector<std::string>> folders_from_payload(std::string_view payload);

}  // namespace proxy

#pragma once
// What a call is judged in: everything outside its own bytes that a decision may depend on.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "proxy/base/json.hpp"

namespace policy {

// One request, decoded. `arguments` is the tool's argument object (empty object when the request has none);
// for other methods it is the whole `params`.
struct Call {
  std::string server;           // by name: what rules are matched with
  std::string catalogue_entry;  // what started it, as found by identify(); empty: no catalogue entry applies
  std::string method;           // `tools/call`, `resources/read`, …
  std::string tool;             // tools/call only
  base::json::Value arguments;
  std::string agent;  // as claimed
  std::string mission;
  std::string host_user;  // that callgate runs as; empty: not known
  // Where the server may also start a relative path (absolute folders): every one of them counts.
  std::vector<std::string> folders;
};

// How paths meet the file system: the one thing policy asks of the outside. The real one is
// path/file_system.hpp, a described one is in review/cases.hpp; path/known_links.hpp remembers for one
// judgement what another said, path/witness.hpp for the ledger, and path/recalled.hpp answers from there.
class Links {
 public:
  virtual ~Links() = default;
  // Text of the symbolic link at this absolute path; nullopt when it is no link or does not exist.
  virtual std::optional<std::string> target(const std::string& path) const = 0;
  // Whether a link may stand on the way to this absolute path without `.` and `..`, or at its end. false:
  // target would find none in any beginning of it. One question for all of them; who cannot tell says true.
  virtual bool may_have_links(const std::string&) const { return true; }
  enum class Kind { file, directory, link };  // file: whatever else
  struct Entry {
    std::string name;
    Kind kind = Kind::file;
  };
  struct Standing {
    std::optional<Kind> kind;  // nullopt: nothing stands there
    unsigned hard_links = 0;   // of a regular file
  };
  // What stands at the path; a link at its end is not followed: it is what has a target.
  virtual Standing standing(const std::string& path) const = 0;
  bool is_directory(const std::string& path) const { return standing(path).kind == Kind::directory; }
  // Of a regular file; 0 when absent or no regular file.
  unsigned hard_links(const std::string& path) const { return standing(path).hard_links; }
  // What stands in the directory, in any order, at most `most` of it; nullopt: not known, or more.
  virtual std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const = 0;
  // What stands in a regular file of at most `most` bytes; nullopt: not known, none there, or longer.
  virtual std::optional<std::string> text(const std::string& path, std::size_t most) const = 0;
  // Whether the volume on which the path (without links) stands, or would, takes names that differ in case
  // only for one.
  virtual bool folds_case(const std::string& path) const = 0;
};

struct Scene {
  std::string workspace;  // absolute
  std::string directory;  // where the server runs: relative paths of a call start here
  std::string home;
  std::string user;
  const Links* links = nullptr;  // never null in use
};

}  // namespace policy

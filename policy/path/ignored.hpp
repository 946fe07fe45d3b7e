#pragma once
// What git certainly ignores, so that it leaves it alone when it takes in a directory. gitignore(5) is read
// in doubt's favour: a name is ignored where a plain pattern says so and no line anywhere may take it in
// again. What a list holds beyond plain patterns ignores nothing; where it may take in what cannot be told,
// nothing below is ignored. The user's own list ranks below all others and is not looked for.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/path/worktree.hpp"
#include "policy/pattern/glob.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t ignore_file_bytes_max = 1u << 16;
inline constexpr std::size_t ignore_rules_max = 2000;
inline constexpr std::size_t ignore_looks_max =
    4'000'000;  // of a name at a line; past these nothing is ignored

class Ignored {
 public:
  // `info/exclude`, and the lists above the directory, down from the top. Borrows the links.
  Ignored(const Worktree& worktree, const std::string& directory, const Links& links);
  // The directory's own list, before what stands in it is asked for. Another repository is not known.
  void enter(const std::string& directory, std::span<const Links::Entry> entries);
  // Of a path below the top, `.git` among them. What lies in an ignored directory is for the caller to leave
  // out.
  bool has(std::string_view path, bool is_directory);

 private:
  struct Line {
    std::string base;         // the directory that it holds for
    std::size_t depth = 0;    // … how many components that has
    std::vector<Glob> names;  // one a component
    bool anywhere = false;    // they may stand at any depth
    bool directories = false;
  };
  // By its last component alone, in small letters.
  struct Mercy {
    std::string base;
    Glob name;
  };
  void enter(const std::string& directory);
  // Nothing below it is ignored.
  void doubt(const std::string& directory) { doubted_.push_back(directory); }
  void read(const std::string& file, const std::string& where);
  void add(std::string_view line, const std::string& where);
  void take_in(std::string_view pattern, const std::string& where);

  const Links& links_;
  const std::string top_;
  std::vector<Line> lines_;
  std::vector<Mercy> mercies_;  // `!`
  std::vector<std::string> doubted_;
  std::size_t looked_at_ = 0;
};

}  // namespace policy

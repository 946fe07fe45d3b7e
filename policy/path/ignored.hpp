#pragma once
// What git leaves alone when it takes in a directory: names that files `.gitignore` list, as gitignore(5) has
// it, but for files that it tracks already: these are not looked for. A line that is not understood ignores
// nothing; so does the list of the user, which is not looked for.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/effect.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t ignore_file_bytes_max = 1u << 16;
inline constexpr std::size_t ignore_rules_max = 2000;
inline constexpr std::size_t ignore_looks_max =
    4'000'000;  // of a name at a line; past these nothing is ignored

class Ignored {
 public:
  // The files above the directory, down from the top of its worktree.
  Ignored(const std::string& directory, const Links& links);
  // The directory's own file. Before what stands in it is asked for.
  void enter(const std::string& directory);
  // The last line that matches decides. What lies in an ignored directory is for the caller to leave out.
  bool has(std::string_view path, bool is_directory);

 private:
  struct Line {
    std::string base;         // the directory that it holds for
    std::vector<Glob> parts;  // one a component; Glob::deep() is `**`
    bool directories = false;
    bool taken_in = false;  // `!`
  };
  void read(const std::string& file, const std::string& base);
  void add(std::string_view text, const std::string& base);

  const Links& links_;
  std::vector<Line> lines_;
  bool full_ = false;
  std::size_t looked_at_ = 0;
};

// Whether one of the effects may change what is ignored before another happens.
bool may_change_ignored(std::span<const Effect> effects);

}  // namespace policy

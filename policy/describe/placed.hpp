#pragma once
// What the commands of a call put somewhere that may be a symbolic link, or hold some: what is on the disk
// now does not tell where a path through it will lead.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policy/effect.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t copied_names_max = 10'000;  // looked at for links

struct Placed {
  std::string path;                       // absolute
  bool itself = false;                    // it may be a link, not only what is below it
  bool any = false;                       // whatever `sources` are, links may be there
  std::vector<std::string> sources = {};  // absolute: it is these, links and all
  // The effects of the command that does it.
  std::size_t first = 0;
  std::size_t last = 0;
};

class Placements {
 public:
  // Borrows. `in_order`: each command ends before the next begins, and none runs again.
  Placements(const std::vector<Placed>& placed, bool in_order, const Links& links);
  // Whether the effect, which stands at this place of the list, may lead through a link that another command
  // puts there.
  bool meets(const Effect& effect, std::size_t at);

 private:
  enum class Holds { unknown, asked, no, yes };
  bool applies(std::size_t which, std::size_t at);
  bool holds_links(std::size_t which);
  bool may_be_linked(const std::string& source);
  // Those at the path or above it, or below.
  bool any_of(std::string_view path, bool below,
              const std::function<bool(std::size_t, bool same)>& test) const;

  const std::vector<Placed>& placed_;
  const bool in_order_;
  const Links& links_;
  std::multimap<std::string, std::size_t, std::less<>> paths_;
  std::vector<Holds> holds_;
};

// Whether the commands of a line for a shell run one after the other, each once, as they stand there. False
// where the text may say otherwise.
bool runs_in_order(std::string_view line);

}  // namespace policy

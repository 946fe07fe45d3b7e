#pragma once
// Whether programs that leave hidden names (those that begin with a dot) alone when they go down a directory
// do so: ripgrep and fd look at one all the same where a list of ignored names takes it in again (`!.env`).

#include <string>
#include <string_view>
#include <vector>

#include "policy/effect.hpp"
#include "policy/pattern/glob.hpp"
#include "policy/scene.hpp"

namespace policy {

// All that lies below, but for hidden names and what lies in such folders.
std::vector<NameGlob> names_but_hidden();
bool leaves_out_hidden(const Reach& reach);

// `.gitignore`, `.ignore`, …, in small letters.
bool is_ignore_list(std::string_view name);

// Of a directory without links: whether no list in it, below it, above it, or of the user takes in a hidden
// name. Where that is not known, or more than tree_names_max names are there: false. Read in doubt's favour.
bool leaves_hidden(const std::string& directory, const std::string& home, const Links& links);

}  // namespace policy

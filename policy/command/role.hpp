#pragma once
// What a word of a command is to the program.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace policy::command {

enum class Role : std::uint8_t {
  text,        // means nothing outside the program
  read,        // a path
  write,       // a path
  remove,      // a path
  connect,     // an address
  remote,      // `[USER@]HOST:PATH`, an address, or a path here
  host,        // `[USER@]HOST`: connected to by ssh
  directory,   // the program works there
  command,     // a program's name; the words behind it are its own
  exec,        // the same, up to `;` or `+`
  line,        // a line for a shell
  rest_line,   // this and all operands behind it, joined, are a line for a shell
  script,      // a file whose code is run
  sed,         // a script of sed
  awk,         // a program of awk
  opaque,      // makes what the program does unknown
  below,       // option: its path is a directory, of which all below counts
  whole,       // its path is taken as it is: where it is a directory now, with all below
  recursive,   // option: paths cover all below them
  skips,       // option: the operand of the first place is given by it
  guess,       // may be a path, an address or nothing
  points,      // says where else it connects: `HOST:PORT:ADDRESS`, or an address
  method,      // of the requests it makes
  header,      // of the requests it makes, `NAME: VALUE`
  jq,          // a program of jq
  package,     // a name, or a path or an address that is read
  target,      // beside `read`: looked for where the last operand lies
  choices,     // braces and brackets in it are choices of the program's own
  stripped,    // beside `write`: so is the name without its last ending
  listed,      // beside `read`: of what is below it only names
  outputs,     // beside `write`: below it only what stands there already, and names of the program's choosing
  named_data,  // sent, or behind `@` or `NAME@` a path that is read
  data,        // sent; behind an `@` a path that is read
  pair,        // `NAME=VALUE`, or a path that is read
  suffix,      // put behind the names of what it writes
  outside,     // a path that is read where it leads out of the workspace
  setting,     // of a shell: the name of one of its options
  tree,        // beside `read`, `write`, `delete`: a guess; a directory counts with all below
  pathspec,    // … as git writes paths: with wildcards and magic
  labelled,    // beside `read`: `NAME=PATH` and `PATH#LABEL`, too
  bare,        // a name: with a `/` or `=` in it the run is opaque
  tracked,     // beside a path: of what is below it only what git tracks, where no operand is a revision
  added,       // beside a path: of what is below it only what git tracks or does not ignore
  top,         // beside a path, of `here`: from the top of git's worktree
  spelled,     // option: an allow must spell it out
  idle,        // option before a subcommand: changes nothing, an allow need not know it
  kept,        // of files below what is read only those of such names
  keeps_more,  // option: beside it `kept` does not hold
  dropped,     // folders of that name are not looked into
  file,        // beside a path: nothing lies below it
  visible,     // beside `read`: of what is below it no hidden names, unless `shows` or a list of ignored ones
               // says so
  shows,       // option: beside it `visible` does not hold; where its value begins with `!` it does
  followed,    // beside a path: what links below it lead to counts, too
  brings,    // what is put there is not told, and may be links; beside a path where `below`, else of all here
  replaces,  // option: its value (`{}` without one) is replaced in the words of the command behind its
             // program
};

const char* name(Role role);
std::optional<Role> role_named(std::string_view text);

class Roles {
 public:
  Roles() = default;
  Roles(std::initializer_list<Role> roles) {
    for (const Role role : roles) add(role);
  }
  void add(Role role) { bits_ |= bit(role); }
  void add(const Roles& other) { bits_ |= other.bits_; }
  // Of another meaning of the same words: what only one of them leaves out is in.
  void join(const Roles& other) {
    const bool narrow = (empty() || parts() != 0) && (other.empty() || other.parts() != 0);
    bits_ |= other.bits_;
    if (!narrow) bits_ &= ~parts();
  }
  bool has(Role role) const { return (bits_ & bit(role)) != 0; }
  bool any(const Roles& others) const { return (bits_ & others.bits_) != 0; }
  bool within(const Roles& others) const { return (bits_ & ~others.bits_) == 0; }
  bool empty() const { return bits_ == 0; }
  bool operator==(const Roles&) const = default;

 private:
  std::uint64_t parts() const { return bits_ & (bit(Role::tracked) | bit(Role::added)); }
  static std::uint64_t bit(Role role) { return std::uint64_t{1} << static_cast<unsigned>(role); }
  std::uint64_t bits_ = 0;
};

}  // namespace policy::command

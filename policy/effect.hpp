#pragma once
// What a call would do. A call is never matched as text: it is described as a set of effects
// (describe/describe.hpp), and each effect is judged (decide.hpp).

#include <optional>
#include <string>
#include <vector>

#include "policy/network/request.hpp"
#include "policy/pattern/glob.hpp"

namespace policy {

enum class EffectKind { use, read, write, remove, run, connect, sample, elicit };

// `use`, `read`, `write`, `delete`, `run`, `connect`, `sample`, `elicit`: as written in rules and records.
const char* name(EffectKind kind);

// One path in its two results: a deny or ask matches on either, an allow needs both. Absolute, no `.` or
// `..`.
struct PathResult {
  std::string written;  // as the call had it
  std::string lexical;  // `..` folded by text
  std::string real;     // links resolved through the deepest existing parent
  bool folds = false;   // its volume takes names that differ in case only for one: denies and asks do, too
  bool operator==(const PathResult&) const = default;
};

// A command that runs another and leaves it what it is: `timeout 5 ls`, `sh -c 'ls'`.
struct Wrapping {
  std::vector<std::string> words;
  bool whole = false;  // an allow must name every word
  bool operator==(const Wrapping&) const = default;
};

// One simple command.
struct Command {
  std::vector<std::string> words;  // argv as it would run; of an opaque run every word that may be one
  std::string directory;           // that it works in, absolute; empty: not known
  bool elevated = false;
  std::string line = {};  // the line as written, where it is more than plain words
  // Runs what its directory tells it to, and that is not callgate's own: needs an allow that names `cwd`.
  bool elsewhere = false;
  std::vector<std::size_t> unknown =
      {};  // places of words that are as written: what they become is not known
  std::vector<std::size_t> spelled = {};  // places of words that an allow must spell out
  std::vector<Wrapping> wrapped_in = {};  // an allow of one of these covers it too
  // Of a program that is not known: each of its words may be another program, which it runs with those behind
  // it, and these commands stand in words of it. A deny that meets one asks.
  bool may_wrap = false;
  std::vector<std::vector<std::string>> maybe_lines = {};
  bool operator==(const Command&) const = default;
};

// What of git's names a command means.
enum class GitPart {
  all,      // whatever stands there
  added,    // what it tracks, and what it does not ignore
  tracked,  // what stands in its index
};

// What below its path an effect is on, beside the path itself. As it is made: nothing.
struct Reach {
  bool recursive = false;            // all that is below
  std::vector<NameGlob> names = {};  // not empty: only what these match, a component each
  bool settled = false;              // only what stands there now: no new name is made
  bool listing = false;              // their names alone: what is read are directories
  GitPart part = GitPart::all;       // only that part of it (path/tree.hpp)
  // Of files that lie elsewhere under the same names (`names`); those that do now are effects of their own.
  // What is denied by its name alone, wherever it lies, could not have been put there.
  bool copied = false;
  // recursive, of what is copied with all below it: where that lies.
  std::vector<std::string> sources = {};
  std::vector<std::string> without = {};  // but for folders of these names
  bool follows = false;                   // what links below it lead to is reached, too

  bool wide() const { return recursive || !names.empty(); }
  bool operator==(const Reach&) const = default;
};

// One of the texts that a content is made of.
struct ContentPart {
  std::string argument;   // JSON pointer
  std::size_t bytes = 0;  // with the line feed behind it
  bool operator==(const ContentPart&) const = default;
};

struct Effect {
  EffectKind kind = EffectKind::use;
  std::string name;                    // use: the tool, or `resource:URI`, `prompt:NAME`, `method:NAME`
  PathResult path;                     // read, write, remove
  Reach reach;                         // … and what is meant below it
  Command command;                     // run
  std::string destination;             // connect: the URL as written
  network::Request request;            // connect: what else is known of it
  std::optional<std::string> content;  // write, connect: the text written or sent
  std::vector<ContentPart> content_parts = {};  // where it stood, from its begin on; maybe not all
  bool opaque = false;  // not understood: only an opaque allow of a literal server and tool covers it
  // Of an undeclared tool, or as an untrusted repository declares it: counts for deny and ask, never helps to
  // allow.
  bool guessed = false;
  // A guess from a word of a command that looks like no path: what covers the whole workspace says nothing
  // of it.
  bool bare_word = false;
  // Of a command that the shell does itself, without an effect outside: needs no allow. It is a guess, too.
  bool idle = false;
  std::string refused;   // why no rule may allow it (NUL, CR or LF in an address); empty: rules decide
  std::string caution;   // why an allow is not enough and a person is asked; empty: none
  std::string argument;  // JSON pointer it came from; empty: the call itself
  std::string note;      // why opaque, or what else an operator should know; may be empty
  bool operator==(const Effect&) const = default;
};

// One line for a person: `write /w/a.txt`, `run git status`, `use files/list_roots`. Untrusted text inside:
// render it before showing.
std::string summary(const Effect& effect);

}  // namespace policy

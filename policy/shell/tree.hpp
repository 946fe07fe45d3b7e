#pragma once
// The syntax of one shell line, as POSIX sh and bash read it: nothing is expanded, nothing is run. Offsets
// are bytes of the line; inside backquotes they are those of the backquotes.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace policy::shell {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Span&) const = default;
};

struct List;
struct Word;

// A piece of a word.
struct Part {
  enum class Kind {
    literal,     // `text`, its quotes taken off
    parameter,   // `$NAME`, `${NAME…}`: `text` is the name
    command,     // `$(…)`, backquotes: what stands there is their output
    process,     // `<(…)`, `>(…)`: a file name
    arithmetic,  // `$((…))`, `$[…]`: `text` as written
    glob,        // an unquoted `*`, `?` or `[`: `text`
    tilde,       // `~USER` where it is expanded: `text` is USER
    brace,       // `{a,b}`: `words` are the choices. `{1..3}`: no words, `text` as written
  };
  Kind kind = Kind::literal;
  Span span;
  Span inside;          // the same in the text that its word stands in, also inside backquotes
  bool braced = false;  // parameter: `${…}`
  bool quoted = false;  // inside double quotes, or a literal that was quoted: is not split, means no pattern
  std::string text;
  // parameter: what stands behind the name: `:-`, `#`, `/`, `@`, `[`, … or `!` and `#` before it. Empty:
  // plain.
  std::string operation;
  bool bash_only = false;            // other shells read what is written here in another way, or may
  std::shared_ptr<const List> list;  // command, process
  std::vector<Word> words;           // brace; parameter and arithmetic: text inside that is expanded
};

struct Word {
  Span span;
  std::vector<Part> parts;

  // The text of a word that is nothing but literals; nullopt: something in it is expanded.
  std::optional<std::string> literal() const;
  bool quoted() const;  // some of it: no reserved word, no operator, no delimiter that expands
};

// A value of a list.
struct Element {
  std::optional<Word> subscript;  // `[…]=`
  Word value;
};

struct Assignment {
  Span span;
  std::size_t words_before = 0;  // of the command
  std::string name;
  std::optional<Word> subscript;  // `NAME[…]=`
  bool append = false;            // `+=`
  Word value;
  std::vector<Element> elements;  // `NAME=(…)`
  bool array = false;
};

struct Redirect {
  enum class Kind {
    read,         // `<`
    write,        // `>`, `>|`
    append,       // `>>`
    read_write,   // `<>`
    both,         // `&>`, `>&WORD` where WORD is no descriptor
    append_both,  // `&>>`
    duplicate,    // `<&`, `>&` and a descriptor, or `-`
    document,     // `<<`, `<<-`
    string,       // `<<<`
  };
  Kind kind = Kind::read;
  Span span;
  std::string descriptor;  // a number, or NAME of `{NAME}>`; empty: the operator's own
  bool twice = false;      // `>&`, `<&`: bash expands what the word has become once more
  Word word;               // of a document: its delimiter
  std::shared_ptr<const Word> document;
};

struct Command;

struct Pipeline {
  bool negated = false;
  bool timed = false;  // `time` before it, a program to some shells
  std::vector<Command> commands;
};

// One pipeline and how it is joined to the one before it.
struct Step {
  enum class Joint { next, background, both, either };  // `;` or a line's end, after `&`, `&&`, `||`
  Joint joint = Joint::next;
  bool begins_line = false;  // behind a line's end that no `&&`, `||` or `|` joins over
  Pipeline pipeline;
};

struct List {
  std::vector<Step> steps;
};

struct CaseArm {
  std::vector<Word> patterns;
  List body;
};

struct Command {
  enum class Kind {
    simple,       // assignments, words
    group,        // `{ … }`: body
    subshell,     // `( … )`: body
    if_clause,    // parts: condition, body, condition, body, …, [else]
    loop,         // `while`, `until`: parts: condition, body
    for_each,     // `for`, `select`: name, words, body
    for_count,    // `for ((…))`: words (what is expanded inside), body
    case_clause,  // words: the subject; arms
    arithmetic,   // `((…))`: words
    condition,    // `[[ … ]]`: words
    function,     // name, body
    coprocess,    // body
  };
  Kind kind = Kind::simple;
  Span span;
  bool keyword = false;  // function: `function NAME`; for_each: `select`
  std::vector<Assignment> assignments;
  std::vector<Word> words;
  std::string name;
  List body;
  std::vector<List> parts;
  std::vector<CaseArm> arms;
  std::vector<Redirect> redirects;
};

}  // namespace policy::shell

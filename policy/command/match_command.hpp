#pragma once
// Whether a command pattern of a rule meets a command.

#include "policy/effect.hpp"
#include "policy/pattern/pattern.hpp"
#include "policy/steps.hpp"

namespace policy::command {

// For allow: the words as they stand, or those of a command that wraps it and changes nothing; by base name
// only in folders of the system. A word that is not known is met by no pattern.
bool permits(const CommandPattern& pattern, const Command& command);

enum class Meets { no, maybe, yes };

// For deny and ask: by base name, past options that stand before a subcommand (`git -C dir push` is `git
// push`); of a line that is not understood from every word on, of a program that is not known perhaps. A word
// that is not known may be any. Past
// options_skipped_max of them: yes, for size must not loosen.
Meets restricts(const CommandPattern& pattern, const Command& command, Steps& steps);
inline constexpr std::size_t options_skipped_max = 1024;

}  // namespace policy::command

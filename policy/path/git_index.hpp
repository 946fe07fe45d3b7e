#pragma once
// The names that git tracks, from the bytes of its index (gitformat-index(5)), versions 2 to 4 with SHA-1.
//
//   index = "DIRC" version:u32 count:u32 entry… extension… checksum:20
//   entry = 40 bytes of stat(2), id:20, flags:u16, in version 3 and later flags2:u16 if flags & 0x4000, name
//   name  = 2, 3: its bytes, 1 to 8 NUL up to a multiple of 8 from the entry's start
//           4: how many bytes of the name before to drop (base 128, each byte with the high bit adds 1), the
//              bytes to put behind, NUL
//   extension = signature:4 size:u32 bytes; one that begins with a small letter must be understood
//
// Numbers have the highest byte first. As git does, the checksum is not verified.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policy {

inline constexpr std::size_t index_bytes_max = 16u << 20;
inline constexpr std::size_t index_names_max = 100'000;
inline constexpr std::size_t index_text_max = 16u << 20;  // bytes of all names

// Every name, from the top of the worktree, in the order of the file. nullopt where it is not known which
// files that are: a broken or larger index, one that is split or sparse, one with a submodule (whose files
// stand in another) or with files that are left out of the worktree (git reads its list of ignored names
// from there), names that lead elsewhere.
std::optional<std::vector<std::string>> read_git_index(std::string_view bytes);

// The names of its submodules alone, also of an index that is sparse. nullopt: not known.
std::optional<std::vector<std::string>> read_submodules(std::string_view bytes);

}  // namespace policy

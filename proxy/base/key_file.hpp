#pragma once
// A secret of 32 bytes in a file: 64 hex digits and a line feed, mode 0600, in a folder of mode 0700. A key
// that others can read or that is not ours is refused, not repaired: it may have been read already.

#include <string>
#include <string_view>

#include "proxy/base/error.hpp"

namespace base {

inline constexpr std::size_t key_bytes = 32;

class KeyFile {
 public:
  // `what` it is, for messages: `the operator's key`.
  KeyFile(std::string folder, std::string_view name, std::string what)
      : folder_(std::move(folder)), path_(folder_ + "/" + std::string(name)), what_(std::move(what)) {}

  // The bytes. Code::not_found when there is none; Code::refused when it is unsafe; Code::invalid when it is
  // no key.
  Result<std::string> load() const;
  // Makes it of `fresh` where there is none. Of several processes that do so at once, one makes it and all
  // get the same.
  Result<std::string> load_or_create(std::string_view fresh) const;
  // Puts another key in its place, whole or not at all.
  Result<void> replace(std::string_view key) const;
  // The same key in the same folder under another name.
  KeyFile named(std::string_view name) const { return {folder_, name, what_}; }
  // Takes the place of `other`, which is gone then.
  Result<void> rename_to(const KeyFile& other) const;
  Result<void> remove() const;
  const std::string& path() const { return path_; }

 private:
  Result<void> check_folder() const;
  Result<void> create(std::string_view key) const;
  Error cannot(std::string_view act, int error_number) const;
  std::string folder_, path_, what_;
};

}  // namespace base

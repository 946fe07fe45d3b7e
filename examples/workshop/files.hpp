#pragma once
// The files of the tools: bounded, and only regular ones are read.

#include <string>

namespace workshop {

struct File {
  bool good = false;
  std::string text;  // what was read or done; else one sentence that says why not
};

File read_text(const std::string& path);
File write_text(const std::string& path, const std::string& content);
File list_names(const std::string& path);

}  // namespace workshop

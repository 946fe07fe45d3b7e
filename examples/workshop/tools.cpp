#include "examples/workshop/tools.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "examples/workshop/files.hpp"

namespace workshop {

namespace {

constexpr long big_bytes_max = 64L << 20;

// Thrown and caught in this file only: a sentence for the model.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const std::string& text_argument(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || !found->is_string())
    throw Wrong("`" + std::string(name) + "` must be a string");
  return found->get_ref<const std::string&>();
}

long number_argument(const Json& arguments, const char* name, long smallest, long largest) {
  const auto found = arguments.find(name);
  if (found != arguments.end() && found->is_number_integer()) {
    const long number = found->get<long>();
    if (number >= smallest && number <= largest) return number;
  }
  throw Wrong("`" + std::string(name) + "` must be an integer from " + std::to_string(smallest) + " to " +
              std::to_string(largest));
}

Outcome read_file(const Json& arguments, const Json&) {
  const File file = read_text(text_argument(arguments, "path"));
  return text_result(file.text, !file.good);
}

Outcome write_file(const Json& arguments, const Json&) {
  const File file = write_text(text_argument(arguments, "path"), text_argument(arguments, "content"));
  return text_result(file.text, !file.good);
}

Outcome list_directory(const Json& arguments, const Json&) {
  const File listing = list_names(text_argument(arguments, "path"));
  return text_result(listing.text, !listing.good);
}

Outcome delete_file(const Json& arguments, const Json&) {
  const std::string& path = text_argument(arguments, "path");
  if (unlink(path.c_str()) != 0)
    return text_result("cannot delete `" + path + "`: " + std::strerror(errno), true);
  return text_result("deleted `" + path + "`");
}

Outcome run_command(const Json& arguments, const Json&) {
  const std::string& command = text_argument(arguments, "command");
  const std::string directory = arguments.contains("cwd") ? text_argument(arguments, "cwd") : std::string();
  std::string error;
  std::unique_ptr<Job> job = start_command(command, directory, error);
  if (!job) return text_result("cannot start a shell: " + error, true);
  return job;
}

Outcome slow(const Json& arguments, const Json& token) {
  const long steps = number_argument(arguments, "steps", 1, 10000);
  const long delay = number_argument(arguments, "delay_ms", 0, 60000);
  return start_slow(steps, std::chrono::milliseconds(delay), token);
}

Outcome big(const Json& arguments, const Json&) {
  const long bytes = number_argument(arguments, "bytes", 0, big_bytes_max);
  static std::string last;  // the benchmark asks for the same size again and again
  if (last.size() != static_cast<std::size_t>(bytes)) {
    constexpr char line[] = "The quick brown fox jumps over the lazy dog, again and again. ";
    last.clear();
    last.reserve(static_cast<std::size_t>(bytes));
    while (last.size() < static_cast<std::size_t>(bytes)) last += line;
    last.resize(static_cast<std::size_t>(bytes));
  }
  return text_result(last);
}

Outcome echo(const Json& arguments, const Json&) { return text_result(text_argument(arguments, "text")); }

Outcome environment(const Json&, const Json&) {
  Json names = Json::array();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    names.push_back(text.substr(0, text.find('=')));
  }
  Json descriptors = Json::object();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), ignored).string();
    // The descriptor that lists this directory is not one we were given.
    if (target.find("/proc/") != 0) descriptors[entry.path().filename().string()] = target;
  }
  const Json found = {{"variables", names}, {"descriptors", descriptors}, {"pid", getpid()}};
  return text_result(found.dump());
}

struct Tool {
  const char* name;
  Outcome (*call)(const Json& arguments, const Json& progress_token);
};
constexpr std::array<Tool, 9> tools{{{"read_file", read_file},
                                     {"write_file", write_file},
                                     {"list_directory", list_directory},
                                     {"delete_file", delete_file},
                                     {"run_command", run_command},
                                     {"slow", slow},
                                     {"big", big},
                                     {"echo", echo},
                                     {"environment", environment}}};

const Tool* find_tool(const std::string& name) {
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return name == tool.name; });
  return found == tools.end() ? nullptr : &*found;
}

}  // namespace

bool is_tool(const std::string& name) { return find_tool(name) != nullptr; }

Outcome call_tool(const std::string& name, const Json& arguments, const Json& progress_token) {
  try {
    return find_tool(name)->call(arguments, progress_token);
  } catch (const Wrong& wrong) {
    return text_result(wrong.what(), true);
  }
}

}  // namespace workshop

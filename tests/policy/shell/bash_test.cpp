// The reader and bash agree on what is a line of shell: lines.txt, entries between lines of `---`.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "policy/shell/parse.hpp"
#include "tests/catch.hpp"

namespace {

std::vector<std::string> lines() {
  std::ifstream file(std::string(SHELL_LINES));
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  static const std::string between = "\n---\n";
  std::vector<std::string> found;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(between, at), all.size() - 1);
    found.push_back(all.substr(at, end - at));
    at = end + between.size();
  }
  return found;
}

// What bash says to the line without running it; its code, 127 without bash, 1 when it only warns.
int bash_says(const std::string& line) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::execlp("bash", "bash", "--norc", "-n", "-c", line.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string said;
  char bytes[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    said.append(bytes, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return code == 0 && !said.empty() ? 1 : code;  // a here-document that does not end
}

TEST_CASE("what bash reads is read, and what it refuses is refused") {
  if (bash_says(":") == 127) {
    WARN("skipped: no bash here");
    return;
  }
  const auto corpus = lines();
  REQUIRE(corpus.size() > 100);
  for (const std::string& line : corpus) {
    INFO(line);
    CHECK(policy::shell::parse(line).has_value() == (bash_says(line) == 0));
  }
}

TEST_CASE("what bash would take but nobody writes is refused") {
  for (const char* line : {"time", "!", "[[ ]]", "echo ${}", "echo ${x y}"}) {
    INFO(line);
    CHECK_FALSE(policy::shell::parse(line).has_value());
  }
}

}  // namespace

// What judging costs, without process, wire or ledger: a policy of a thousand rules is loaded, and calls are
// judged by it on one core, in a repository of git that is really there, and what they saw of it is written
// out as for the ledger. Prints one line a case, `NAME p50_us p99_us`; the floor is a copy of the rules'
// text. `policy_bench [CASE]`: that case alone, beside the floor.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "policy/path/file_system.hpp"
#include "policy/path/witness.hpp"
#include "policy/policy.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

template <class Work>
void measure(const char* name, int rounds, Work work) {
  std::vector<double> times;
  for (int i = 0; i < rounds + rounds / 10; ++i) {
    const auto begin = Clock::now();
    work();
    if (i >= rounds / 10) times.push_back(microseconds(Clock::now() - begin));  // the first tenth warms up
  }
  std::sort(times.begin(), times.end());
  std::printf("%-24s %10.2f %10.2f\n", name, times[times.size() / 2], times[times.size() * 99 / 100]);
}

// Two fifths paths, a fifth commands, destinations and denies each.
std::string rules_of(int count, const std::string& workspace) {
  std::string text = "version = 1\ndefault = \"ask\"\n";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    switch (i % 5) {
      case 0: text += "[[allow]]\nid = \"r" + number + "\"\nread = [\"src/part" + number + "/**\"]\n"; break;
      case 1:
        text += "[[allow]]\nid = \"r" + number + "\"\nwrite = [\"out/part" + number + "/*.txt\"]\n";
        break;
      case 2: text += "[[allow]]\nid = \"r" + number + "\"\nrun = [\"tool" + number + " check\"]\n"; break;
      case 3:
        text += "[[allow]]\nid = \"r" + number + "\"\nconnect = [\"h" + number + ".example.com\"]\n";
        break;
      case 4: text += "[[deny]]\nid = \"r" + number + "\"\npath = [\"**/secret" + number + "/**\"]\n"; break;
    }
  }
  return text + "[[allow]]\nid = \"all\"\nread = [\"" + workspace +
         "/**\"]\nrun = [\"ls\", \"cat\", \"grep\", \"echo\", \"git "
         "status\", "
         "\"git log\", \"head\", \"sort\", \"wc\"]\n"
         "[[deny]]\nid = \"secrets\"\nwrite = [\"**\"]\ncontent = [\"@secrets\"]\n";
}

// What git makes of an empty folder, and a source folder in it.
void make_repository(const std::filesystem::path& top) {
  for (const char* directory : {".git/objects", ".git/refs/heads", "src/part0", "out/part1"})
    std::filesystem::create_directories(top / directory);
  std::ofstream(top / ".git/HEAD") << "ref: refs/heads/main\n";
  std::ofstream(top / ".git/config") << "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
  for (const char* file : {"src/a", "src/b", "src/part0/a.c"}) std::ofstream(top / file) << "x\n";
}

policy::Call call(const char* tool, const char* key, const std::string& value) {
  policy::Call made;
  made.server = made.catalogue_entry = "workshop";
  made.method = "tools/call";
  made.tool = tool;
  made.arguments = {{key, value}};
  return made;
}

policy::Policy load(int rules, const std::string& workspace) {
  auto loaded = policy::Policy::load({{policy::Layer::mission, "bench", rules_of(rules, workspace), true}},
                                     workspace, "/home/dev");
  if (!loaded) {
    std::fprintf(stderr, "policy_bench: %s\n", loaded.error().text().c_str());
    std::exit(1);
  }
  return std::move(*loaded);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const policy::FileSystem files;
  const TemporaryFolder folder;
  const std::string workspace = folder.path().string();
  make_repository(folder.path());
  const policy::Scene scene{workspace, workspace, "/home/dev", "dev", &files};
  const std::string text = rules_of(1000, workspace);
  std::string copy, payload;
  measure("copy_rules", 1000, [&] { copy = text; });
  measure("load_1000", 20, [&] { load(1000, workspace); });
  const std::string line =
      "cd src && git status; ls -la | head -5; cat a b > out.txt; grep -n x a | sort | wc -l; "
      "for f in a b; do echo \"$f\"; done";
  std::string prose;
  while (prose.size() < 10'000)
    prose += "int main(int argc, char** argv) { return argc > 1 ? run(argv[1]) : 0; }\n";
  policy::Call write = call("write_file", "path", "out/part1/a.txt");
  write.arguments["content"] = prose;
  for (const int count : {10, 100, 1000}) {
    const policy::Policy policy = load(count, workspace);
    const auto judge = [&](const std::string& name, const policy::Call& judged) {
      if (!only.empty() && only != name) return;
      measure((name + '_' + std::to_string(count)).c_str(), 2000, [&] {
        const policy::Witness witness(files);
        policy::Scene seen = scene;
        seen.links = &witness;
        policy.judge(judged, seen);
        payload = policy::seen_payload(witness.seen());
      });
    };
    judge("read_file", call("read_file", "path", "src/part0/a.c"));
    judge("ten_commands", call("run_command", "command", line));
    judge("write_10_kb", write);
  }
}

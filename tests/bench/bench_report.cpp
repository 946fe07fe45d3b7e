// bench_report ROUNDS.jsonl MACHINE COMMAND DATE FOLDER [RESULTS.md]: prints the table and the targets,
// writes FOLDER/results.json and FOLDER/results.svg, and appends one row a case to RESULTS.md where it is
// given.

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/report.hpp"

namespace {

void write_file(const std::string& path, const std::string& text, std::ios::openmode mode = std::ios::trunc) {
  std::ofstream file(path, std::ios::out | mode);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write `" + path + "`");
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read `" + path + "`");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || argc > 7) {
    std::fprintf(stderr, "usage: bench_report ROUNDS.jsonl MACHINE COMMAND DATE FOLDER [RESULTS.md]\n");
    return 2;
  }
  try {
    const bench::Report report = bench::make_report(read_lines(argv[1]));
    const bench::Circumstances circumstances{argv[2], argv[3], argv[4]};
    const std::string folder = argv[5];
    std::fputs(bench::text_table(report).c_str(), stdout);
    write_file(folder + "/results.json", bench::results_json(report, circumstances));
    write_file(folder + "/results.svg", bench::picture(report, circumstances));
    if (argc == 7) write_file(argv[6], bench::results_rows(report, circumstances), std::ios::app);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_report: %s\n", error.what());
    return 1;
  }
  return 0;
}

#pragma once
// The protocol: one line in, lines out. Legacy lifecycle, revisions 2025-06-18 and 2025-11-25.
// Reads as leniently as common servers do (the last of two equal keys counts): what protects it stands in
// front of it.

#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "examples/workshop/job.hpp"
#include "examples/workshop/options.hpp"

namespace workshop {

class Server {
 public:
  explicit Server(const Options& options) : options_(options) {}

  // One received line without its newline; answers are appended to output().
  void take(std::string_view line);
  // Lets every job go on that wants to.
  void step_jobs();

  std::string& output() { return output_; }
  bool must_die() const { return must_die_; }

  struct Running {
    Json id;
    std::unique_ptr<Job> job;
  };
  const std::list<Running>& jobs() const { return jobs_; }

 private:
  void request(const Json& id, const std::string& method, const Json& params);
  void notification(const std::string& method, const Json& params);
  void call(const Json& id, const Json& params);
  void answer(const Json& id, std::string_view result);
  void refuse(const Json& id, int code, std::string_view message);

  Options options_;
  std::string output_;
  std::list<Running> jobs_;
  long calls_answered_ = 0;
  bool must_die_ = false;
};

}  // namespace workshop

#include "examples/workshop/job.hpp"

namespace workshop {

namespace {

class Slow final : public Job {
 public:
  Slow(long steps, std::chrono::milliseconds delay, Json token)
      : steps_(steps),
        delay_(delay),
        token_(std::move(token)),
        due_(std::chrono::steady_clock::now() + delay) {}

  int descriptor() const override { return -1; }
  Time due() const override { return due_; }

  std::optional<std::string> step(std::string& output) override {
    if (std::chrono::steady_clock::now() < due_) return std::nullopt;
    ++done_;
    due_ += delay_;
    if (!token_.is_null()) {
      output += R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
                token_.dump() + R"(,"progress":)" + std::to_string(done_) + R"(,"total":)" +
                std::to_string(steps_) + "}}\n";
    }
    if (done_ < steps_) return std::nullopt;
    return text_result("took " + std::to_string(steps_) + " steps");
  }

 private:
  long steps_;
  long done_ = 0;
  std::chrono::milliseconds delay_;
  Json token_;
  Time due_;
};

}  // namespace

std::unique_ptr<Job> start_slow(long steps, std::chrono::milliseconds delay, const Json& token) {
  return std::make_unique<Slow>(steps, delay, token);
}

}  // namespace workshop

#include <chrono>

#include "proxy/anchors/kinds.hpp"
#include "proxy/anchors/program.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/hmac.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"

namespace proxy::anchors {
namespace {

constexpr std::size_t secret_bytes_max = 4096;

// By `curl`, which knows proxies and certificates as the machine has them.
class WebhookAnchor final : public Anchor {
 public:
  explicit WebhookAnchor(const AnchorConfig& config) : url_(config.place), secret_file_(config.secret_file) {}

  std::string name() const override { return "webhook " + url_; }

  base::Result<void> publish(const std::string& note) override {
    auto headers = signed_headers(note);
    if (!headers) return headers.error();
    // What is secret stands in no argument: others can read those.
    Program program =
        curl({"--request", "POST", "--data-binary", "@-", "--header", "Content-Type: text/plain"});
    for (const std::string& header : *headers)
      program.words.insert(program.words.end(), {"--header", header});
    program.input = note;
    const auto posted = run(program);
    if (!posted) return posted.error();
    return {};
  }

  base::Result<std::vector<std::string>> read() override {
    const auto body = run(curl({}));
    if (!body) return body.error();
    return split_notes(*body);
  }

 private:
  Program curl(std::vector<std::string> words) const {
    Program program;
    program.words = {"curl", "--disable", "--silent",    "--show-error",   "--fail",  "--max-time",
                     "8",    "--proto",   "=http,https", "--max-filesize", "67108864"};
    program.words.insert(program.words.end(), words.begin(), words.end());
    program.words.insert(program.words.end(), {"--url", url_});
    return program;
  }

  // Standard Webhooks: HMAC-SHA256 over `ID.TIME.BODY`. Without a secret none: the note is signed itself.
  base::Result<std::vector<std::string>> signed_headers(const std::string& note) const {
    if (secret_file_.empty()) return std::vector<std::string>{};
    auto secret = base::read_file(secret_file_, secret_bytes_max);
    if (!secret) return secret.error();
    while (secret->ends_with('\n')) secret->pop_back();
    const std::string id = "msg_" + base::hex(base::random_bytes(12));
    const std::string time = std::to_string(
        std::chrono::duration_cast<std::chrono::seconds>(base::wall_now().time_since_epoch()).count());
    const std::string signature = base::base64(base::hmac_sha256(*secret, id + "." + time + "." + note));
    return std::vector<std::string>{"webhook-id: " + id, "webhook-timestamp: " + time,
                                    "webhook-signature: v1," + signature};
  }

  std::string url_, secret_file_;
};

}  // namespace

std::unique_ptr<Anchor> webhook_anchor(const AnchorConfig& config) {
  return std::make_unique<WebhookAnchor>(config);
}

}  // namespace proxy::anchors

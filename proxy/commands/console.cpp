// callgate console: the operator's terminal, line by line. What the keys mean is decided in
// approvals/console/keys.hpp.

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "approvals/answer.hpp"
#include "approvals/ask.hpp"
#include "approvals/console/keys.hpp"
#include "approvals/grant.hpp"
#include "approvals/render.hpp"
#include "ledger/doorbell.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/grant_terms.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

using approvals::AskView;
using approvals::Verdict;
using approvals::console::Keys;
using approvals::console::ToDo;
using approvals::console::What;

constexpr int slow_poll_milliseconds = 1000;
constexpr const char* help =
    "number Enter: open   n/p: next, previous   Space: more   a: allow once   m, e: for the mission, this "
    "call or what it asks for   d: deny   r: raw   l: list   "
    "?: this   q: quit";

class Console {
 public:
  explicit Console(Surroundings here) : here_(std::move(here)) {}

  int run(RawTerminal& terminal) {
    std::printf("callgate console. %s\n", help);
    while (!quit_) {
      if (!doorbell_)
        if (auto bell = ledger::Doorbell::open({here_.state_folder})) doorbell_.emplace(std::move(*bell));
      look();
      std::fflush(stdout);
      pollfd sources[3] = {{STDIN_FILENO, POLLIN, 0},
                           {terminal.signal_descriptor(), POLLIN, 0},
                           {doorbell_ ? doorbell_->descriptor() : -1, POLLIN, 0}};
      if (::poll(sources, 3, slow_poll_milliseconds) < 0 && errno != EINTR) return 1;
      if (sources[1].revents != 0) return 130;
      if (sources[2].revents != 0) doorbell_->drain();
      if (sources[0].revents != 0 && !read_keys()) return 0;
    }
    return 0;
  }

 private:
  // Reads what waits, and announces what is new or gone.
  void look() {
    auto waiting = read_waiting({here_.state_folder}, waiting_);
    if (!waiting) {
      if (trouble_ != waiting.error().text()) std::printf("! %s\n", waiting.error().text().c_str());
      trouble_ = waiting.error().text();
      waiting_.clear();
      keys_.waiting({});
      return;
    }
    trouble_.clear();
    std::vector<std::uint64_t> ids;
    for (const AskView& each : *waiting) {
      ids.push_back(each.id());
      if (find(each.id()) == nullptr)
        std::printf("\a? %s\n", approvals::headline(each, base::wall_now()).c_str());
    }
    for (const AskView& each : waiting_)
      if (std::find(ids.begin(), ids.end(), each.id()) == ids.end())
        std::printf("  %llu is no longer waiting\n", static_cast<unsigned long long>(each.id()));
    waiting_ = std::move(*waiting);
    keys_.waiting(std::move(ids));
  }

  bool read_keys() {
    unsigned char bytes[256];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    for (ssize_t i = 0; i < count && !quit_; ++i) carry_out(keys_.key(bytes[i], base::monotonic_now()));
    return count > 0;
  }

  void carry_out(const ToDo& todo) {
    switch (todo.what) {
      case What::nothing: break;
      case What::list: list(); break;
      case What::open: show(todo.id, false); break;
      case What::open_raw: show(todo.id, true); break;
      case What::page: page(todo.page); break;
      case What::say: std::printf("%s\n", todo.text.c_str()); break;
      case What::reason:
        std::printf("\r\x1b[Kdeny %llu, because (Enter denies, Esc goes back): %s",
                    static_cast<unsigned long long>(todo.id),
                    approvals::render_inline(todo.text, 4000).c_str());
        break;
      case What::allow: answer(todo.id, Verdict::allow, {}); break;
      case What::deny:
        std::printf("\n");
        answer(todo.id, Verdict::deny, todo.text);
        break;
      case What::offer: offer(todo.id, todo.text); break;
      case What::grant: grant(todo.id); break;
      case What::help: std::printf("%s\n", help); break;
      case What::quit: quit_ = true; break;
    }
    std::fflush(stdout);
  }

  void list() {
    if (waiting_.empty()) std::printf("nothing is waiting\n");
    for (const AskView& each : waiting_)
      std::printf("  %s\n", approvals::headline(each, base::wall_now()).c_str());
  }

  void show(std::uint64_t id, bool raw) {
    const AskView* view = find(id);
    if (view == nullptr) return;
    lines_ = approvals::full_text(*view, base::wall_now(),
                                  {.width = std::max(terminal_width(), approvals::width_min)}, raw);
    page_lines_ = std::max<std::size_t>(terminal_height(), 6) - 3;
    std::printf("\n");
    print_page(0);
    keys_.pages((lines_.size() + page_lines_ - 1) / page_lines_, base::monotonic_now());
  }

  void page(std::size_t number) {
    print_page(number);
    keys_.shown(base::monotonic_now());
  }

  void print_page(std::size_t number) {
    const std::size_t first = number * page_lines_;
    const std::size_t end = std::min(lines_.size(), first + page_lines_);
    for (std::size_t i = first; i < end; ++i) std::printf("%s\n", lines_[i].c_str());
    if (end < lines_.size())
      std::printf("-- %zu of %zu lines; Space: more; allow is off until all has been shown\n", end,
                  lines_.size());
    else
      std::printf("-- all of it; a: allow once, m or e: for the mission, d: deny\n");
  }

  void answer(std::uint64_t id, Verdict verdict, const std::string& reason,
              const MakeGrant& grant = nullptr) {
    const auto answered = answer_ask(here_, id, verdict, reason, grant);
    if (!answered) return void(std::printf("! %s\n", answered.error().text().c_str()));
    std::printf("%s %llu (record %llu)\n",
                verdict == Verdict::deny ? "denied"
                : grant                  ? "allowed for this mission"
                                         : "allowed once",
                static_cast<unsigned long long>(id), static_cast<unsigned long long>(answered->record));
    if (answered->grant != 0)
      std::printf("grant %llu; `callgate grants revoke %llu` takes it back\n",
                  static_cast<unsigned long long>(answered->grant),
                  static_cast<unsigned long long>(answered->grant));
    if (!answered->note.empty()) std::printf("! %s\n", answered->note.c_str());
  }

  // Shows the rule; the call itself stands above it.
  void offer(std::uint64_t id, const std::string& scope) {
    const AskView* view = find(id);
    if (view == nullptr) return;
    auto terms =
        grant_terms(*view, {.scope = scope, .rule = {}, .expires = {}, .reason = {}}, base::wall_now());
    if (!terms) return void(std::printf("! %s\n", terms.error().text().c_str()));
    terms_ = std::move(*terms);
    std::printf("%s\n", granted_text(terms_).c_str());
    if (terms_.scope != approvals::GrantScope::call)
      for (const std::string& line :
           approvals::render(terms_.rule, {.width = std::max(terminal_width(), approvals::width_min)}).lines)
        std::printf("%s\n", line.c_str());
    std::printf("give this grant? y, or any other key\n");
    keys_.offered(base::monotonic_now());
  }

  void grant(std::uint64_t id) {
    const MakeGrant make = [this](const AskView& ask, const base::SigningKey& key) {
      return base::Result<ledger::Draft>(
          approvals::make_grant(ask.decision, terms_, key, base::random_bytes(16)));
    };
    answer(id, Verdict::allow, {}, make);
  }

  const AskView* find(std::uint64_t id) const {
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [id](const AskView& each) { return each.id() == id; });
    return found == waiting_.end() ? nullptr : &*found;
  }

  Surroundings here_;
  std::optional<ledger::Doorbell> doorbell_;
  Keys keys_;
  std::vector<AskView> waiting_;
  std::vector<std::string> lines_;  // of the open ask
  std::size_t page_lines_ = 20;
  approvals::GrantTerms terms_;  // as offered
  std::string trouble_;
  bool quit_ = false;
};

int console() {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
    complain("the console needs a terminal; scripts use `callgate pending`, `approve` and `deny`");
    return exit_usage;
  }
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  RawTerminal terminal;
  if (const auto begun = terminal.begin(); !begun) return fail(begun.error(), exit_failed);
  return Console(*here).run(terminal);
}

}  // namespace

void add_console(CLI::App& app, int& exit) {
  CLI::App* command = app.add_subcommand(
      "console",
      "Watch for calls that wait for an answer, read them and answer them.\nExample: callgate console");
  command->callback([&exit] { exit = console(); });
}

}  // namespace proxy::commands

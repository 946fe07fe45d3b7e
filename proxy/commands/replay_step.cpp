// callgate replay MISSION --step: one entry at a time. What keys and lines mean is decided in
// proxy/replay/stepper.hpp.

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "proxy/base/text.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"
#include "proxy/commands/verified.hpp"
#include "proxy/replay/stepper.hpp"

namespace proxy::commands {
namespace {

using replay::Step;

std::string title(const VerifiedMission& mission, const replay::Stepper& stepper) {
  return "mission " + base::printable(mission.timeline.span.id, 40) + ", " +
         std::to_string(stepper.at() + 1) + " of " + std::to_string(stepper.count()) +
         (exit_of(mission.checked.level) == 0
              ? ""
              : std::string(", ledger ") + ledger::name(mission.checked.level));
}

class Screen {
 public:
  Screen(const VerifiedMission& mission, replay::Stepper stepper)
      : mission_(mission), stepper_(std::move(stepper)) {}

  int run(RawTerminal& terminal) {
    load();
    draw("");
    while (!quit_) {
      std::fflush(stdout);
      pollfd sources[2] = {{STDIN_FILENO, POLLIN, 0}, {terminal.signal_descriptor(), POLLIN, 0}};
      if (::poll(sources, 2, -1) < 0 && errno != EINTR) return exit_failed;
      if (sources[1].revents != 0) return 130;
      if (sources[0].revents != 0 && !read_keys()) break;
    }
    std::printf("\r\x1b[K");
    return exit_of(mission_.checked.level);
  }

 private:
  bool read_keys() {
    unsigned char bytes[256];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    for (ssize_t i = 0; i < count && !quit_; ++i) {
      const auto command = keys_.key(bytes[i]);
      if (command)
        carry_out(stepper_.command(*command));
      else
        prompt(keys_.typed());
    }
    return count > 0;
  }

  void carry_out(const Step& step) {
    switch (step.what) {
      case Step::What::show:
        load();
        draw(step.text);
        break;
      case Step::What::say: prompt(step.text); break;
      case Step::What::more:
        if (first_ + room() < lines_.size()) first_ += room();
        draw("");
        break;
      case Step::What::quit: quit_ = true; break;
    }
  }

  void load() {
    lines_ = replay::full_lines(mission_.timeline, stepper_.place(), text_options());
    first_ = 0;
  }

  // Beside the title and the last line; cut lines would wrap.
  std::size_t room() const { return std::max<std::size_t>(terminal_height(), 6) - 3; }

  void draw(const std::string& note) {
    std::printf("\x1b[H\x1b[2J%s\n", title(mission_, stepper_).c_str());
    const std::size_t end = std::min(lines_.size(), first_ + room());
    for (std::size_t i = first_; i < end; ++i) std::printf("%s\n", lines_[i].c_str());
    prompt(!note.empty()         ? note
           : end < lines_.size() ? std::to_string(lines_.size() - end) + " more lines: Space"
                                 : std::string("n b v d /TEXT number ? q"));
  }

  void prompt(const std::string& text) {
    const std::string shown = base::printable(text, std::max<std::size_t>(terminal_width(), 8) - 4);
    std::printf("\x1b[%zu;1H\x1b[K> %s", terminal_height(), shown.c_str());
  }

  const VerifiedMission& mission_;
  replay::Stepper stepper_;
  replay::StepKeys keys_;
  std::vector<std::string> lines_;
  std::size_t first_ = 0;  // line shown at the top
  bool quit_ = false;
};

int run_lines(const VerifiedMission& mission, replay::Stepper stepper) {
  const auto show = [&] {
    std::printf("%s\n", title(mission, stepper).c_str());
    for (const std::string& line : replay::full_lines(mission.timeline, stepper.place(), text_options()))
      std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  };
  show();
  for (std::string line; std::getline(std::cin, line);) {
    const Step step = stepper.command(line);
    if (step.what == Step::What::quit) break;
    if (!step.text.empty()) std::printf("%s\n", step.text.c_str());
    if (step.what == Step::What::show) show();
  }
  return exit_of(mission.checked.level);
}

}  // namespace

int step_through(const VerifiedMission& mission, const replay::Filter& filter) {
  auto places = replay::fitting(mission.timeline, filter);
  if (places.empty()) {
    complain("nothing of this mission fits");
    return exit_of(mission.checked.level);
  }
  replay::Stepper stepper(mission.timeline, std::move(places));
  for (const std::string& line : replay::heading_lines(mission.timeline, mission.checked, text_options()))
    if (exit_of(mission.checked.level) != 0) std::fprintf(stderr, "%s\n", line.c_str());
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0)
    return run_lines(mission, std::move(stepper));
  RawTerminal terminal;
  if (const auto begun = terminal.begin(); !begun) return fail(begun.error(), exit_failed);
  return Screen(mission, std::move(stepper)).run(terminal);
}

}  // namespace proxy::commands

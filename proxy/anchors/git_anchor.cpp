#include <unistd.h>

#include <iterator>

#include "proxy/anchors/kinds.hpp"
#include "proxy/anchors/program.hpp"
#include "proxy/base/text.hpp"

namespace proxy::anchors {
namespace {

constexpr const char* file_name = "checkpoints";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The notes so far and the new one are one file of one commit: a line of commits, each with all before it.
class GitAnchor final : public Anchor {
 public:
  explicit GitAnchor(const AnchorConfig& config)
      : repository_(config.place), ref_(config.ref), remote_(config.remote) {}

  std::string name() const override {
    return "git " + repository_ + " " + ref_ + (remote_.empty() ? "" : " at " + remote_);
  }

  base::Result<void> publish(const std::string& note) override {
    const auto before = git({"rev-parse", "--verify", "--quiet", ref_ + "^{commit}"});
    const std::string parent = before ? first_line(*before) : "";
    std::string notes;
    if (!parent.empty()) {
      const auto blob = git({"cat-file", "blob", parent + ":" + file_name});
      if (!blob) return blob.error();
      notes = *blob;
    }
    const auto commit = make_commit(notes + note, parent, first_line(note));
    if (!commit) return commit.error();
    // Of two that publish at once the second fails, and comes again.
    const auto moved = git({"update-ref", ref_, *commit, parent.empty() ? std::string(40, '0') : parent});
    if (!moved) return moved.error();
    if (remote_.empty()) return {};
    const auto pushed = git({"push", "--quiet", "--no-verify", remote_, ref_ + ":" + ref_});
    if (!pushed) return pushed.error();
    return {};
  }

  // Of a remote, what stands there: the repository here may have been rewritten beside the ledger.
  base::Result<std::vector<std::string>> read() override {
    std::string commit = ref_;
    if (!remote_.empty()) {
      const auto fetched =
          git({"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
               "--refmap=", remote_, "+" + ref_ + ":" + fetched_ref()});
      if (!fetched) return fetched.error();
      commit = fetched_ref();
    }
    const auto blob = git({"cat-file", "blob", commit + ":" + file_name});
    if (!blob) return blob.error();
    return split_notes(*blob);
  }

 private:
  std::string fetched_ref() const { return "refs/callgate/fetched/" + ref_.substr(ref_.rfind('/') + 1); }

  base::Result<std::string> make_commit(const std::string& notes, const std::string& parent,
                                        const std::string& message) {
    const auto blob = git({"hash-object", "-w", "--no-filters", "--stdin"}, notes);
    if (!blob) return blob;
    const auto tree = git({"mktree"}, "100644 blob " + first_line(*blob) + "\t" + file_name + "\n");
    if (!tree) return tree;
    std::vector<std::string> words{"commit-tree", first_line(*tree), "-m", message};
    if (!parent.empty()) words.insert(words.end(), {"-p", parent});
    const auto commit = git(std::move(words));
    if (!commit) return commit;
    return first_line(*commit);
  }

  // Plumbing that reads no working tree, runs no hook and asks nobody for a password.
  base::Result<std::string> git(std::vector<std::string> words, std::string input = {}) {
    Program program;
    program.words = {"git", "--git-dir=" + directory(), "-c", "core.hooksPath=/dev/null",
                     "-c",  "core.fsmonitor=false",     "-c", "gc.auto=0",
                     "-c",  "commit.gpgSign=false",     "-c", "push.gpgSign=false"};
    program.words.insert(program.words.end(), std::make_move_iterator(words.begin()),
                         std::make_move_iterator(words.end()));
    program.environment = {"GIT_TERMINAL_PROMPT=0",
                           "GIT_SSH_COMMAND=ssh -oBatchMode=yes -oConnectTimeout=5",
                           "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh",
                           "GIT_NO_REPLACE_OBJECTS=1",
                           "GIT_AUTHOR_NAME=callgate",
                           "GIT_AUTHOR_EMAIL=callgate@localhost",
                           "GIT_COMMITTER_NAME=callgate",
                           "GIT_COMMITTER_EMAIL=callgate@localhost",
                           "LC_ALL=C"};
    program.input = std::move(input);
    return run(program);
  }

  // `.git` of a repository with a working tree, or a bare one.
  std::string directory() const {
    const std::string inside = repository_ + "/.git";
    return ::access(inside.c_str(), F_OK) == 0 ? inside : repository_;
  }

  std::string repository_, ref_, remote_;
};

}  // namespace

std::unique_ptr<Anchor> git_anchor(const AnchorConfig& config) { return std::make_unique<GitAnchor>(config); }

}  // namespace proxy::anchors

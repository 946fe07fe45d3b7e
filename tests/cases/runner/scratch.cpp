#include "tests/cases/runner/scratch.hpp"

#include "tests/cases/runner/organisation.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace cases {

namespace files = std::filesystem;

namespace {

std::string read_all(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_all(const files::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A call is asked, not paused: what a case does not say itself.
constexpr const char* default_config = "pause_on = \"never\"\n";

}  // namespace

Scratch::Scratch(const files::path& case_folder, const Programs& programs)
    : case_(files::canonical(case_folder)),
      programs_{files::absolute(programs.callgate).string(), files::absolute(programs.workshop).string()} {
  std::string pattern = (files::canonical(files::temp_directory_path()) / "callgate-case-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw agent::Failed("cannot make a scratch folder");
  root_ = pattern;
  variables_ = {{"SCRATCH", root_.string()},
                {"WORKSPACE", workspace().string()},
                {"CALLGATE", programs_.callgate},
                {"WORKSHOP", programs_.workshop},
                {"SERVER_LOG", server_log().string()},
                {"STDERR", errors().string()},
                {"STATE", (root_ / "state/callgate").string()},
                {"VERIFIER", (case_ / "../../../../examples/verify/verify.py").lexically_normal().string()}};
  for (const char* folder : {"workspace", "state", "config/callgate", "home"})
    files::create_directories(root_ / folder);
  copy_files();
  place_policy();
  place_organisation();
  const std::string config = text("callgate.toml");
  write_all(root_ / "config/callgate/callgate.toml", config.empty() ? default_config : config);
  spoil_state();
}

Scratch::~Scratch() {
  chmod((root_ / "state").c_str(), 0700);
  std::error_code ignored;
  if (std::getenv("CALLGATE_KEEP") == nullptr) files::remove_all(root_, ignored);
}

std::string Scratch::text(const std::string& name) const {
  return agent::substitute(read_all(case_ / name), variables_);
}

Json Scratch::options() const {
  const std::string options = text("case.json");
  return options.empty() ? Json::object() : Json::parse(options);
}

void Scratch::copy_files() const {
  if (files::exists(case_ / "files"))
    files::copy(case_ / "files", workspace(), files::copy_options::recursive);
}

// "policy": where policy.toml stands: "mission" (--policy), "user", "repository" or "none".
void Scratch::place_policy() const {
  const std::string policy = text("policy.toml");
  const std::string place = options().value("policy", "mission");
  if (place == "user") write_all(root_ / "config/callgate/policy.toml", policy);
  if (place == "mission") write_all(root_ / "policy.toml", policy);
  if (place != "repository") return;
  files::create_directories(workspace() / ".callgate");
  write_all(workspace() / ".callgate/policy.toml", policy);
}

// organisation.toml stands in /etc.
void Scratch::place_organisation() const {
  const std::string policy = text("organisation.toml");
  if (!policy.empty() && !stand_in_for_etc(root_ / "etc", policy))
    throw CannotRun("an /etc of its own is not allowed here");
}

// "state": "file" puts a file where the folder should be; "readonly" takes the right to write, which root has
// anyway.
void Scratch::spoil_state() const {
  const std::string state = options().value("state", "");
  if (state == "file" || (state == "readonly" && geteuid() == 0)) write_all(root_ / "state/callgate", "");
  if (state == "readonly") chmod((root_ / "state").c_str(), 0500);
}

agent::Environment Scratch::environment() const {
  agent::Environment environment = agent::own_environment();
  environment["HOME"] = (root_ / "home").string();
  environment["XDG_STATE_HOME"] = (root_ / "state").string();
  environment["XDG_CONFIG_HOME"] = (root_ / "config").string();
  environment["NO_COLOR"] = "1";
  return environment;
}

agent::Start Scratch::start() const {
  const Json wanted = options();
  agent::Start start;
  start.command = {programs_.callgate, "run", "--name", "workshop"};
  if (wanted.value("policy", "mission") == "mission") {
    start.command.push_back("--policy");
    start.command.push_back((root_ / "policy.toml").string());
  }
  for (const Json& word : wanted.value("run_options", Json::array())) start.command.push_back(word);
  start.command.push_back("--");
  const Json server =
      wanted.value("server", Json::array({programs_.workshop, "--log", server_log().string()}));
  for (const Json& word : server) start.command.push_back(word);
  for (const Json& word : wanted.value("server_options", Json::array())) start.command.push_back(word);
  start.environment = environment();
  start.directory = workspace().string();
  start.errors_file = errors().string();
  return start;
}

agent::Setting Scratch::setting() const {
  agent::Setting setting;
  setting.variables = variables_;
  setting.environment = environment();
  setting.directory = workspace().string();
  setting.callgate = programs_.callgate;
  return setting;
}

}  // namespace cases

// callgate ledger export: what is on record, for others to read.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "ledger/reader.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/progress.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/replay/recording.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

struct Export {
  std::string mission, file, server;
  bool cassette = false;
};

// One line a record: its body as it is stored, its leaf, its payloads; what is gone is null.
base::Result<std::string> line_of(const ledger::Reader& reader, const ledger::StoredRecord& stored) {
  std::string line =
      "{\"record\":" + stored.body + ",\"leaf\":\"" + base::hex(stored.leaf) + "\",\"payloads\":{";
  const char* before = "";
  for (const auto& each : stored.record.payloads) {
    const auto bytes = reader.payload(stored, each.slot);
    if (!bytes && bytes.error().code() != base::Code::unavailable) return bytes.error();
    line += before + nlohmann::json(each.slot).dump() + ":" + (bytes && *bytes ? json_of(**bytes) : "null");
    before = ",";
  }
  return line + "}}\n";
}

base::Result<std::string> lines_of(const ledger::Reader& reader, const std::string& mission) {
  Progress progress("exporting", "records");
  const auto head = reader.head();
  if (!head) return head.error();
  const std::uint64_t all = *head ? (*head)->sequence + 1 : 0;
  std::string lines;
  base::Result<void> failed;
  const auto add = [&](const ledger::StoredRecord& stored) {
    progress.at(stored.record.sequence, all);
    if (!mission.empty() && stored.record.mission != mission) return true;
    auto line = line_of(reader, stored);
    if (line)
      lines += *line;
    else
      failed = line.error();
    return failed.has_value();
  };
  const auto scanned = mission.empty() ? reader.scan(0, all, add) : reader.scan_mission(mission, add);
  if (!scanned) return scanned.error();
  if (!failed) return failed.error();
  return lines;
}

base::Result<std::string> exported(const ledger::Reader& reader, const Export& options) {
  if (!options.cassette) return lines_of(reader, options.mission == "all" ? "" : options.mission);
  const auto span = replay::find_mission(reader, options.mission);
  if (!span) return span.error();
  const auto recording = replay::read_recording(reader, *span, options.server);
  if (!recording) return recording.error();
  return replay::cassette_of(*recording);
}

int run_export(const Export& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader) return fail(reader.error(), exit_failed);
  const auto text = exported(**reader, options);
  if (!text) return fail(text.error(), text.error().code() == base::Code::invalid ? exit_usage : exit_failed);
  if (text->empty())
    return fail(
        {base::Code::not_found, "there is no mission " + base::quoted(options.mission) + " on record"},
        exit_failed);
  if (options.file == "-") {
    std::fwrite(text->data(), 1, text->size(), stdout);
    return 0;
  }
  if (const auto written = base::write_file(options.file, *text, 0600); !written)
    return fail(written.error(), exit_failed);
  std::printf("%s\n", base::quoted(options.file, base::path_shown_bytes_max).c_str());
  return 0;
}

}  // namespace

void add_ledger_export(CLI::App& ledger, int& exit) {
  auto options = std::make_shared<Export>();
  CLI::App* command = ledger.add_subcommand(
      "export",
      "Write a mission's records with their payloads, redacted as stored, one JSON object a line; or, as a "
      "cassette, what "
      "a\nserver answered, for `callgate replay FILE.jsonl --serve` on another machine.\n"
      "Example: callgate ledger export nightly nightly.jsonl --cassette");
  command->add_option("MISSION", options->mission, "Its id or name; without --cassette also `all`")
      ->type_name("")
      ->required();
  command->add_option("FILE", options->file, "Where to; `-` is stdout")->type_name("")->required();
  auto* cassette =
      command->add_flag("--cassette", options->cassette, "A cassette (proxy/replay/CASSETTE.md)");
  command->add_option("--server", options->server, "Of this server, where there were several")
      ->type_name("NAME")
      ->needs(cassette);
  command->callback([options, &exit] { exit = run_export(*options); });
}

}  // namespace proxy::commands

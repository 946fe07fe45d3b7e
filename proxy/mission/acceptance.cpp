#include "proxy/mission/acceptance.hpp"

#include <filesystem>

namespace proxy {
namespace {

std::string line_of(const policy::Source& source) {
  return std::string(policy::name(source.layer)) + (source.trusted ? " trusted " : " ") +
         base::hex(base::sha256(source.bytes)) + "\n";
}

}  // namespace

std::vector<PolicyPart> parts_of(const policy::Policy& policy, const std::string& workspace) {
  std::vector<PolicyPart> parts{{base::sha256({"callgate policy accepted\n", workspace}), {}}};
  for (const policy::Source& source : policy.sources()) {
    if (source.layer == policy::Layer::mission)
      parts.push_back({base::sha256({"callgate policy accepted\n", workspace, "\n",
                                     std::filesystem::absolute(source.file).lexically_normal().string()}),
                       line_of(source)});
    else if (source.layer != policy::Layer::built_in)
      parts.front().statement += line_of(source);
  }
  return parts;
}

base::Result<std::vector<PolicyPart>> not_accepted(const std::vector<PolicyPart>& was,
                                                   const std::vector<PolicyPart>& now, std::uint64_t since,
                                                   const WordFor& word_for) {
  std::vector<PolicyPart> missing;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i < was.size() && was[i].statement == now[i].statement) continue;
    const auto word = word_for(now[i].place);
    if (!word) return word.error();
    const bool stands = *word && !(*word)->ended && (*word)->record > since &&
                        (*word)->policy == base::sha256(now[i].statement);
    if (!stands) missing.push_back(now[i]);
  }
  for (std::size_t i = now.size(); i < was.size(); ++i) missing.push_back(was[i]);
  return missing;
}

std::string parts_text(const std::vector<PolicyPart>& parts) {
  std::string text;
  for (const PolicyPart& part : parts)
    text += (text.empty() ? "" : " ") + base::hex(part.place) + ":" + base::hex(base::sha256(part.statement));
  return text;
}

}  // namespace proxy

// What programs say over the network: methods, headers, what they send.

#include <algorithm>

#include "policy/command/keep_first.hpp"
#include "policy/command/runs.hpp"
#include "policy/network/header.hpp"

namespace policy::command {

// What its options say of the requests it makes.
void Runs::requests(const SortedWords& sorted, Place& place) const {
  const Entry& entry = *sorted.entry;
  network::Request request;
  std::vector<std::string> implied;
  std::string sent;
  for (const Meaning& each : sorted.options) {
    if (each.roles.has(Role::method)) {
      if (!each.word.known()) request.doubt = "a method that is not known";
      request.methods.push_back(each.word.text);
    }
    if (each.roles.has(Role::header)) {
      const std::string name = each.word.start.substr(0, each.word.start.find(':'));
      const bool named = name.size() < each.word.start.size() && !network::may_lead_elsewhere(name);
      if (!each.word.known() && !named) request.doubt = "a header that is not known";
      if (each.word.known()) request.headers.push_back(each.word.text);
    }
    if (each.roles.has(Role::data) || each.roles.has(Role::named_data))
      sent.append(each.word.text).append("\n");
    if (const auto method = entry.methods.find(each.option); method != entry.methods.end())
      implied.push_back(method->second);
  }
  const bool gets = std::find(implied.begin(), implied.end(), "GET") != implied.end();
  const auto other = entry.methods.find("else");
  if (request.methods.empty() && !gets) request.methods = implied;
  if (request.methods.empty() && other != entry.methods.end()) request.methods.push_back(other->second);
  place.request = std::move(request);
  place.sent.reset();
  if (!sent.empty()) place.sent = std::move(sent);
}

// `@FILE`, and `NAME@FILE` where it is `named`.
void Runs::data(const Argument& word, const Place& place, bool named, std::string& trouble) {
  const std::string& text = word.known() ? word.text : word.start;
  const std::size_t at = text.find('@');
  if (!word.known() && (text.empty() || at != std::string::npos))
    keep_first(trouble, "data that may name a file");
  if (!word.known() || at == std::string::npos) return;
  const std::string file = text.substr(at + 1);
  if (at == 0 || (named && text.find('=') > at))
    return path({Role::read}, {Argument::Sort::known, file}, false, place);
  if (text.substr(0, at).find_first_of(" :") == std::string::npos) guess(file, place);
}

}  // namespace policy::command

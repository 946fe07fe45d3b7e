#include "policy/path/seen.hpp"

#include <charconv>
#include <utility>

#include "proxy/base/json.hpp"
#include "proxy/base/utf8.hpp"

namespace policy {
namespace {

using base::json::Value;
using Kind = Links::Kind;

constexpr std::size_t number_max = std::size_t{1} << 53;
constexpr std::size_t digest_line_bytes = 100;
constexpr std::string_view not_whole = "\"whole\":false";

// Bytes as UTF-8 that tells them apart.
std::string as_text(std::string_view bytes) {
  const bool valid = base::utf8::valid(bytes);
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    if (byte != '%' && (valid || value < 0x80)) {
      text += byte;
      continue;
    }
    constexpr std::string_view digits = "0123456789ABCDEF";
    text += {'%', digits[value >> 4], digits[value & 15]};
  }
  return text;
}

std::optional<std::string> from_text(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    unsigned value = 0;
    const char* from = text.data() + i + 1;
    if (text.size() - i < 3 || std::from_chars(from, from + 2, value, 16).ptr != from + 2)
      return std::nullopt;
    bytes += static_cast<char>(value);
    i += 2;
  }
  if (as_text(bytes) != text) return std::nullopt;
  return bytes;
}

void append_path(std::string& out, std::string_view path) {
  const bool plain = path.find('%') == std::string_view::npos && base::utf8::valid(path);
  plain ? base::json::append_string(out, path) : base::json::append_string(out, as_text(path));
}

std::string what_stands(const Links::Standing& standing) {
  if (!standing.kind) return "nothing";
  switch (*standing.kind) {
    case Kind::directory: return "directory";
    case Kind::link: return "link";
    case Kind::file: break;
  }
  return "file" + std::to_string(standing.hard_links);
}

char letter(Kind kind) {
  switch (kind) {
    case Kind::directory: return 'd';
    case Kind::link: return 'l';
    case Kind::file: break;
  }
  return 'f';
}

void append(std::string& out, const Links::Standing& standing) {
  base::json::append_string(out, what_stands(standing));
}
void append(std::string& out, const std::string& target) { append_path(out, target); }
void append(std::string& out, bool folds) { out += folds ? "true" : "false"; }
void append(std::string& out, const Seen::List& list) {
  if (!list.entries) {
    out += std::to_string(list.most);
    return;
  }
  out += '[';
  for (const Links::Entry& entry : *list.entries) {
    if (out.back() != '[') out += ',';
    append_path(out, letter(entry.kind) + entry.name);
  }
  out += ']';
}
void append(std::string& out, const Seen::Text& text) {
  switch (text.part) {
    case Seen::Part::none: out += "\"none\"," + std::to_string(text.size); return;
    case Seen::Part::digest:
      out += "\"sha256\",\"" + base::hex(text.digest) + "\"," + std::to_string(text.size);
      return;
    case Seen::Part::bytes: break;
  }
  if (text.bytes.find('\0') != std::string::npos || !base::utf8::valid(text.bytes)) {
    out += "\"hex\",\"" + base::hex(text.bytes) + '"';
    return;
  }
  out += "\"text\",";
  base::json::append_string(out, text.bytes);
}

// The same with each text that is longer than its digest's line kept by that.
Seen::Answers<Seen::Text> shortened(Seen::Answers<Seen::Text> texts) {
  for (auto& [path, text] : texts)
    if (text.part == Seen::Part::bytes && text.bytes.size() > digest_line_bytes)
      text = {Seen::Part::digest, {}, base::sha256(text.bytes), text.bytes.size()};
  return texts;
}

// Writes one list after the other, as far as there is room.
class Payload {
 public:
  template <class Answer>
  void add(std::string_view key, const Seen::Answers<Answer>& answers) {
    begin(key);
    for (const auto& each : answers) {
      const std::size_t before = open();
      append_answer(each);
      fits(before);
    }
    end();
  }
  void add(std::string_view key, const std::vector<std::string>& paths) {
    begin(key);
    for (const std::string& path : paths) {
      const std::size_t before = open();
      append_path(out_, path);
      fits(before);
    }
    end();
  }
  // Where not all of them fit, only digests of the longer ones.
  void add_texts(std::string_view key, const Seen::Answers<Seen::Text>& texts) {
    Payload all = *this;
    all.add(key, texts);
    if (all.left_out_ && !left_out_)
      add(key, shortened(texts));
    else
      *this = std::move(all);
  }
  std::string finish(bool whole) && {
    if (!whole || left_out_) {
      if (out_.size() > 1) out_ += ',';
      out_ += not_whole;
    }
    return out_.size() == 1 ? std::string() : std::move(out_) + '}';
  }

 private:
  void begin(std::string_view key) {
    start_ = out_.size();
    if (out_.size() > 1) out_ += ',';
    out_ += '"';
    out_ += key;
    out_ += "\":[";
    first_ = out_.size();
  }
  void end() {
    if (out_.size() == first_)
      out_.resize(start_);
    else
      out_ += ']';
  }
  std::size_t open() {
    const std::size_t before = out_.size();
    if (before != first_) out_ += ',';
    return before;
  }
  template <class Answer>
  void append_answer(const std::pair<std::string, Answer>& each) {
    out_ += '[';
    append_path(out_, each.first);
    out_ += ',';
    append(out_, each.second);
    out_ += ']';
  }
  bool fits(std::size_t before) {
    constexpr std::size_t ends = 64;  // brackets, the next key and not_whole
    if (out_.size() + ends <= seen_bytes_max) return true;
    out_.resize(before);
    left_out_ = true;
    return false;
  }

  std::string out_ = "{";
  std::size_t start_ = 0, first_ = 0;
  bool left_out_ = false;
};

std::optional<std::size_t> number(const Value& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > number_max) return std::nullopt;
  return value.get<std::size_t>();
}

std::optional<Kind> kind_of(char letter) {
  for (const Kind kind : {Kind::file, Kind::directory, Kind::link})
    if (policy::letter(kind) == letter) return kind;
  return std::nullopt;
}

bool read(const Value& value, std::string& bytes) {
  if (!value.is_string()) return false;
  auto text = from_text(value.get_ref<const std::string&>());
  if (text) bytes = std::move(*text);
  return text.has_value();
}

bool read_rest(const Value& list, Links::Standing& standing) {
  if (list.size() != 2 || !list[1].is_string()) return false;
  const std::string& what = list[1].get_ref<const std::string&>();
  if (what == "directory") standing.kind = Kind::directory;
  if (what == "link") standing.kind = Kind::link;
  if (what.starts_with("file")) {
    standing.kind = Kind::file;
    std::from_chars(what.data() + 4, what.data() + what.size(), standing.hard_links);
  }
  return what_stands(standing) == what;
}

bool read_rest(const Value& list, std::string& target) { return list.size() == 2 && read(list[1], target); }
bool read_rest(const Value& list, bool& folds) {
  if (list.size() != 2 || !list[1].is_boolean()) return false;
  folds = list[1].get<bool>();
  return true;
}
bool read_rest(const Value& list, Seen::List& read_list) {
  if (list.size() != 2) return false;
  if (const auto most = number(list[1])) {
    read_list.most = *most;
    return true;
  }
  if (!list[1].is_array()) return false;
  read_list.entries.emplace();
  for (const Value& each : list[1]) {
    std::string name;
    if (!read(each, name) || name.size() < 2 || name.find('/') != std::string::npos) return false;
    const auto kind = kind_of(name.front());
    if (!kind) return false;
    read_list.entries->push_back({name.substr(1), *kind});
  }
  return true;
}
bool read_rest(const Value& list, Seen::Text& text) {
  if (list.size() < 3 || !list[1].is_string()) return false;
  const std::string& part = list[1].get_ref<const std::string&>();
  if (part == "none") {
    const auto most = number(list[2]);
    text.size = most.value_or(0);
    return most && list.size() == 3;
  }
  if (!list[2].is_string()) return false;
  const std::string& said = list[2].get_ref<const std::string&>();
  if (part == "sha256") {
    const auto digest = base::digest_from_hex(said);
    const auto size = list.size() == 4 ? number(list[3]) : std::nullopt;
    if (!digest || !size) return false;
    text = {Seen::Part::digest, {}, *digest, *size};
    return true;
  }
  if (list.size() != 3 || (part != "text" && part != "hex")) return false;
  text.part = Seen::Part::bytes;
  if (part == "text") {
    text.bytes = said;
    return true;
  }
  auto bytes = base::from_hex(said);
  if (bytes) text.bytes = std::move(*bytes);
  return bytes.has_value();
}

template <class Answer>
bool read_list(const Value& value, Seen::Answers<Answer>& answers) {
  if (!value.is_array() || value.empty()) return false;
  for (const Value& each : value) {
    if (!each.is_array() || each.empty()) return false;
    std::pair<std::string, Answer> answer;
    if (!read(each[0], answer.first) || !read_rest(each, answer.second)) return false;
    if (!answers.empty() && !(answers.back().first < answer.first)) return false;
    answers.push_back(std::move(answer));
  }
  return true;
}

bool read_list(const Value& value, std::vector<std::string>& paths) {
  if (!value.is_array() || value.empty()) return false;
  for (const Value& each : value) {
    std::string path;
    if (!read(each, path) || (!paths.empty() && !(paths.back() < path))) return false;
    paths.push_back(std::move(path));
  }
  return true;
}

bool read_member(const std::string& key, const Value& value, Seen& seen) {
  if (key == "plain") return read_list(value, seen.plain);
  if (key == "stands") return read_list(value, seen.standing);
  if (key == "links") return read_list(value, seen.targets);
  if (key == "folds") return read_list(value, seen.folds);
  if (key == "entries") return read_list(value, seen.lists);
  if (key == "texts") return read_list(value, seen.texts);
  seen.whole = false;
  return key == "whole" && value == Value(false);
}

}  // namespace

bool Seen::empty() const {
  return whole && plain.empty() && standing.empty() && targets.empty() && folds.empty() && lists.empty() &&
         texts.empty();
}

std::string seen_payload(const Seen& seen) {
  Payload payload;
  payload.add("plain", seen.plain);
  payload.add("stands", seen.standing);
  payload.add("links", seen.targets);
  payload.add("folds", seen.folds);
  payload.add("entries", seen.lists);
  if (!seen.texts.empty()) payload.add_texts("texts", seen.texts);
  return std::move(payload).finish(seen.whole);
}

base::Result<Seen> seen_from_payload(std::string_view payload) {
  if (payload.size() > seen_bytes_max)
    return base::Error(base::Code::limit, "what was seen of the file system is too long");
  const auto value = base::json::parse(payload);
  const base::Error invalid(base::Code::invalid, "what was seen of the file system cannot be read");
  if (!value || !value->is_object() || value->empty()) return invalid;
  Seen seen;
  for (const auto& [key, member] : value->items())
    if (!read_member(key, member, seen)) return invalid;
  return seen;
}

}  // namespace policy

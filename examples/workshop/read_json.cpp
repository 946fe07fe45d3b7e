#include "examples/workshop/read_json.hpp"

namespace workshop {

namespace {

constexpr int depth_max = 64;

// Each function takes its piece from the front of text_ and returns whether it was there.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool value(Json& made, int depth) {
    skip_space();
    if (text_.empty() || depth > depth_max) return false;
    switch (text_.front()) {
      case '{': return object(made, depth);
      case '[': return array(made, depth);
      case '"': return string(made);
      default: return scalar(made);
    }
  }

  bool at_end() {
    skip_space();
    return text_.empty();
  }

 private:
  void skip_space() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t' || text_[0] == '\n' || text_[0] == '\r')) {
      text_.remove_prefix(1);
    }
  }

  bool take(char wanted) {
    skip_space();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool object(Json& made, int depth) {
    made = Json::object();
    take('{');
    if (take('}')) return true;
    do {
      Json key;
      skip_space();
      if (text_.empty() || text_.front() != '"' || !string(key) || !take(':')) return false;
      if (!value(made[key.get_ref<const std::string&>()], depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  bool array(Json& made, int depth) {
    made = Json::array();
    take('[');
    if (take(']')) return true;
    do {
      made.push_back(nullptr);
      if (!value(made.back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool string(Json& made) {
    bool plain = true;
    std::size_t end = 1;
    for (; end < text_.size() && text_[end] != '"'; ++end) {
      const auto byte = static_cast<unsigned char>(text_[end]);
      plain = plain && byte >= 0x20 && byte < 0x7f && byte != '\\';
      if (byte == '\\') ++end;
    }
    if (end >= text_.size()) return false;
    const std::string_view token = text_.substr(0, end + 1);
    text_.remove_prefix(end + 1);
    if (plain) {
      made = std::string(token.substr(1, token.size() - 2));
      return true;
    }
    return other(token, made);
  }

  bool scalar(Json& made) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}"), text_.size());
    const std::string_view token = text_.substr(0, end);
    text_.remove_prefix(end);
    return other(token, made);
  }

  // Escapes, UTF-8, numbers: rare or short.
  static bool other(std::string_view token, Json& made) {
    made = Json::parse(token, nullptr, false);
    return !made.is_discarded();
  }

  std::string_view text_;
};

}  // namespace

std::optional<Json> read_json(std::string_view text) {
  Reader reader(text);
  std::optional<Json> made(std::in_place);
  if (!reader.value(*made, 0) || !reader.at_end()) return std::nullopt;
  return made;
}

}  // namespace workshop

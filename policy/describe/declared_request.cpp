#include "policy/describe/declared_request.hpp"

#include <algorithm>

#include "policy/network/header.hpp"

namespace policy {
namespace {

using base::json::Value;

constexpr int depth_max = 4;

class HeaderReader {
 public:
  explicit HeaderReader(network::Request& request) : request_(request) {}

  void read(const Value& value, int depth = 0) {
    if (depth > depth_max) return fail();
    if (value.is_string()) {
      read_text(value.get_ref<const std::string&>(), depth);
    } else if (value.is_object()) {
      read_object(value);
    } else if (value.is_array()) {
      read_list(value, depth);
    } else if (!value.is_null()) {
      fail();
    }
  }

 private:
  void fail() {
    if (request_.doubt.empty()) request_.doubt = "headers that are none";
  }

  void add(const std::string& name, const std::string& value) {
    const std::string line = name + ": " + value;
    const bool broken = line.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos;
    if (request_.headers.size() > network::headers_max) return;
    if (broken || network::may_lead_elsewhere(name)) request_.headers.push_back(line);
  }

  void add(const std::string& name, const Value& value) {
    if (value.is_string()) {
      add(name, value.get_ref<const std::string&>());
    } else if (value.is_array()) {
      for (const Value& each : value) each.is_array() ? fail() : add(name, each);
    } else if (!value.is_object()) {
      add(name, value.is_null() ? std::string() : value.dump());
    } else {
      fail();
    }
  }

  // One header with its parts named, or headers by name.
  void read_object(const Value& object) {
    const auto value = object.find("value");
    for (const char* key : {"name", "key"}) {
      const auto name = object.find(key);
      if (object.size() > 4 || name == object.end() || value == object.end() || !name->is_string()) continue;
      add(name->get<std::string>(), *value);
    }
    for (const auto& [name, each] : object.items()) add(name, each);
  }

  void read_list(const Value& list, int depth) {
    const bool pair = list.size() == 2 && list[0].is_string() && list[1].is_string();
    if (pair && list[0].get_ref<const std::string&>().find(':', 1) == std::string::npos) {
      add(list[0].get<std::string>(), list[1]);
      return;
    }
    for (const Value& each : list) read(each, depth + 1);
  }

  void read_text(const std::string& text, int depth) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return;
    if (text[first] == '{' || text[first] == '[') {
      const auto parsed = base::json::parse(text);
      return parsed ? read(*parsed, depth + 1) : fail();
    }
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.empty()) continue;
      const std::size_t colon = line.find(':', 1);
      if (colon == std::string::npos) {
        fail();
      } else {
        add(line.substr(0, colon), line.substr(colon + 1));
      }
    }
  }

  network::Request& request_;
};

const Value* child(const Value& value, const std::string& token) {
  if (value.is_object()) {
    const auto found = value.find(token);
    return found == value.end() ? nullptr : &*found;
  }
  if (!value.is_array() || token.empty() || token.size() > 9) return nullptr;
  if (token.find_first_not_of("0123456789") != std::string::npos) return nullptr;
  if (token.size() > 1 && token.front() == '0') return nullptr;
  const std::size_t index = std::stoul(token);
  return index < value.size() ? &value[index] : nullptr;
}

std::string unescaped(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
      text += token[++i] == '0' ? '~' : '/';
    } else {
      text += token[i];
    }
  }
  return text;
}

}  // namespace

const Value* at_pointer(const Value& arguments, std::string_view pointer) {
  const Value* value = &arguments;
  while (value != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    value = child(*value, unescaped(token));
  }
  return value;
}

network::Request declared_request(const Value& arguments, const ToolDeclaration& tool) {
  network::Request request;
  for (const std::string& pointer : tool.method) {
    const Value* value = at_pointer(arguments, pointer);
    if (value == nullptr || value->is_null()) continue;
    if (value->is_string()) {
      request.methods.push_back(value->get<std::string>());
    } else {
      request.doubt = "a method that is no text";
    }
  }
  if (request.methods.empty() && request.doubt.empty() && !tool.method.empty()) request.methods = {"GET"};
  HeaderReader reader(request);
  for (const std::string& pointer : tool.headers)
    if (const Value* value = at_pointer(arguments, pointer)) reader.read(*value);
  return request;
}

}  // namespace policy

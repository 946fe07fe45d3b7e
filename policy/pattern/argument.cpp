// ArgumentCondition: a JSON pointer (RFC 6901) and a test on what it reaches.

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "policy/pattern/pattern.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

using base::json::Value;

constexpr std::size_t argument_bytes_max = 4096;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks(" \t\n\v\f\r\0", 7);
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// A whole decimal number (no hex, no `inf`), as a person or JSON writes it. One that is too large or too
// small for any number is the largest or the least.
std::optional<long double> number_of(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
    return std::nullopt;
  long double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const std::size_t power = text.find_first_of("eE");
    const bool small = power != std::string_view::npos && text.substr(power + 1).starts_with('-');
    const long double most = small ? 0 : std::numeric_limits<long double>::infinity();
    return text.starts_with('-') ? -most : most;
  }
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<long double> number_of(const Value& scalar) {
  if (scalar.is_number_unsigned()) return static_cast<long double>(scalar.get<std::uint64_t>());
  if (scalar.is_number_integer()) return static_cast<long double>(scalar.get<std::int64_t>());
  if (scalar.is_number()) return static_cast<long double>(scalar.get<double>());
  return std::nullopt;
}

// `/a~1b/0` in tokens; nullopt: not a pointer.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] != '~') {
      tokens.back() += pointer[i];
    } else {
      ++i;
      if (i == pointer.size() || (pointer[i] != '0' && pointer[i] != '1')) return std::nullopt;
      tokens.back() += pointer[i] == '0' ? '~' : '/';
    }
  }
  return tokens;
}

const Value* reach(const Value& root, const std::vector<std::string>& tokens) {
  const Value* at = &root;
  for (const std::string& token : tokens) {
    if (at->is_object()) {
      const auto found = at->find(token);
      if (found == at->end()) return nullptr;
      at = &*found;
    } else if (at->is_array()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
      const bool leading_zero = token.size() > 1 && token.front() == '0';
      if (error != std::errc() || end != token.data() + token.size() || leading_zero || index >= at->size())
        return nullptr;
      at = &(*at)[index];
    } else {
      return nullptr;
    }
  }
  return at;
}

// Every scalar inside, without recursion: the depth is the agent's choice.
template <class Use>
void each_scalar(const Value& root, Use use) {
  std::vector<const Value*> open{&root};
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    if (value->is_structured()) {
      for (const Value& inner : *value) open.push_back(&inner);
    } else {
      use(*value);
    }
  }
}

}  // namespace

base::Result<ArgumentCondition> ArgumentCondition::compile(std::string_view pointer, std::string_view test,
                                                           Stance stance) {
  if (pointer.size() > argument_bytes_max || test.size() > argument_bytes_max)
    return base::Error(base::Code::limit,
                       "the argument test is longer than " + std::to_string(argument_bytes_max) + " bytes");
  if (!tokens_of(pointer))
    return base::Error(base::Code::invalid,
                       base::quoted(pointer) + " is no JSON pointer; one starts with `/`, as in `/path`");
  ArgumentCondition condition;
  condition.pointer_ = pointer;
  condition.test_ = test;
  condition.stance_ = stance;
  if (test.starts_with("re:")) {
    auto expression = Expression::compile(test.substr(3), stance);
    if (expression.has_error()) return expression.error();
    condition.expression_ = std::make_shared<const Expression>(std::move(*expression));
    return condition;
  }
  static constexpr std::array<std::pair<std::string_view, Comparison>, 6> comparisons{
      {{"<=", Comparison::less_or_equal},
       {">=", Comparison::greater_or_equal},
       {"==", Comparison::equal},
       {"!=", Comparison::unequal},
       {"<", Comparison::less},
       {">", Comparison::greater}}};
  for (const auto& [sign, comparison] : comparisons) {
    if (!test.starts_with(sign)) continue;
    const auto bound = number_of(trimmed(test.substr(sign.size())));
    if (!bound)
      return base::Error(base::Code::invalid, "the comparison " + base::quoted(test) +
                                                  " needs a number, as in `" + std::string(sign) + " 100`");
    condition.comparison_ = comparison;
    condition.bound_ = *bound;
    return condition;
  }
  condition.glob_ = Glob(test);
  return condition;
}

bool ArgumentCondition::matches(const Value& arguments) const {
  const auto tokens = tokens_of(pointer_);
  const Value* reached = tokens ? reach(arguments, *tokens) : nullptr;
  if (reached == nullptr) return false;
  bool any = false;
  bool all = true;
  each_scalar(*reached, [&](const Value& scalar) {
    const bool matched = scalar_matches(scalar);
    any = any || matched;
    all = all && matched;
  });
  return stance_ == Stance::permit ? any && all : any;
}

bool ArgumentCondition::number_matches(long double number) const {
  switch (comparison_) {
    case Comparison::none: return false;
    case Comparison::less: return number < bound_;
    case Comparison::less_or_equal: return number <= bound_;
    case Comparison::greater: return number > bound_;
    case Comparison::greater_or_equal: return number >= bound_;
    case Comparison::equal: return number == bound_;
    case Comparison::unequal: return number != bound_;
  }
  return false;
}

// A text that is a number may be used as one by a server: under restrict it is compared too.
bool ArgumentCondition::scalar_matches(const Value& scalar) const {
  auto number = number_of(scalar);
  if (comparison_ != Comparison::none) {
    if (!number && stance_ == Stance::restrict && scalar.is_string())
      number = number_of(trimmed(scalar.get_ref<const std::string&>()));
    return number && number_matches(*number);
  }
  const std::string text = scalar.is_string() ? scalar.get<std::string>() : scalar.dump();
  if (expression_) return expression_->matches(text);
  if (glob_.matches(text)) return true;
  const auto wanted = number && glob_.literal() ? number_of(std::string_view(test_))
                                                : std::nullopt;  // 5 and 5.0 are one number
  return wanted && *wanted == *number;
}

}  // namespace policy

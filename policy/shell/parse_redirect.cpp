// Redirections and here-documents.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/parser.hpp"

namespace policy::shell {
namespace {

// A backslash that is itself behind one joins nothing.
bool continues(std::string_view line) {
  const std::size_t last = line.find_last_not_of('\\');
  const std::size_t count = last == std::string_view::npos ? line.size() : line.size() - last - 1;
  return count % 2 == 1;
}

// A number that ends where a redirection begins, past what a descriptor may be, is a word.
constexpr std::size_t descriptor_digits_max = 9;

}  // namespace

base::Result<Word> Parser::document() {
  Word body;
  while (!at_end()) expanded(body, "$`\\");
  if (error_) return *error_;
  body.span = span_from(0);
  return body;
}

// The bodies of the here-documents of the line that has just ended.
void Parser::read_documents() {
  for (Pending& pending : std::exchange(documents_, {})) {
    const std::size_t begin = at_;
    std::string body;
    for (bool found = false; !found;) {
      if (at_ >= text_.size()) return fail("a here-document that does not end");
      std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string line(text_.substr(at_, end - at_));
      // Where the body is expanded, a backslash joins the next line to this one.
      while (!pending.quoted && continues(line) && end < text_.size()) {
        line.pop_back();
        const std::size_t next = end + 1;
        end = std::min(text_.find('\n', next), text_.size());
        line += text_.substr(next, end - next);
      }
      at_ = std::min(end + 1, text_.size());
      if (pending.tabs) line.erase(0, line.find_first_not_of('\t'));
      found = line == pending.delimiter;
      if (!found) body += line + "\n";
    }
    if (pending.quoted) {
      add_literal(*pending.body, std::move(body), true, begin);
    } else {
      auto read = Parser(body, budget_, where(begin), true).document();
      if (!read) return fail(read.error().message(), read.error().code());
      *pending.body = std::move(*read);
    }
    pending.body->span = span_from(begin);
  }
}

void Parser::redirects(Command& into) {
  for (skip_blanks(); redirect(into.redirects); skip_blanks()) {
  }
}

// Whether the word that begins there is `{NAME[…]}` before a redirection: its subscript is evaluated.
bool Parser::opens_element(std::size_t begin) const {
  if (at_end() || (look() != '<' && look() != '>')) return false;
  const std::string text = spelled(begin, at_);
  return text.size() > 2 && text.front() == '{' && begins_name(text[1]) && text.ends_with('}') &&
         text.find('[') != std::string::npos;
}

// False: no redirection stands here, and nothing was taken.
bool Parser::redirect(std::vector<Redirect>& into) {
  if (at_end() || (!digit(look()) && std::string_view("<>&{").find(look()) == std::string_view::npos))
    return false;
  const std::size_t before = at_;
  const std::size_t begin = index(0);
  Redirect redirect;
  while (digit(look())) {
    redirect.descriptor += look();
    skip(1);
  }
  if (redirect.descriptor.empty() && look() == '{' && begins_name(look(1))) {
    skip(1);
    redirect.descriptor = name();
    if (look() == '}')
      skip(1);
    else
      at_ = before;
  }
  const bool both = redirect.descriptor.empty() && look() == '&' && look(1) == '>';
  const char c = look();
  if ((c != '<' && c != '>' && !both) || at_end() || (at_ == before && !redirect.descriptor.empty()) ||
      (!both && look(1) == '(')) {
    at_ = before;
    return false;
  }
  using Kind = Redirect::Kind;
  static constexpr std::array<std::pair<std::string_view, Kind>, 12> operators{{{"&>>", Kind::append_both},
                                                                                {"&>", Kind::both},
                                                                                {"<<<", Kind::string},
                                                                                {"<<-", Kind::document},
                                                                                {"<<", Kind::document},
                                                                                {"<&", Kind::duplicate},
                                                                                {"<>", Kind::read_write},
                                                                                {"<", Kind::read},
                                                                                {">>", Kind::append},
                                                                                {">&", Kind::duplicate},
                                                                                {">|", Kind::write},
                                                                                {">", Kind::write}}};
  const auto* found = std::find_if(operators.begin(), operators.end(),
                                   [this](const auto& each) { return next_is(each.first); });
  const bool tabs = found->first == "<<-";
  if (redirect.descriptor.size() > descriptor_digits_max && digit(redirect.descriptor.front())) {
    fail("a number that is no descriptor");
    return true;
  }
  redirect.kind = found->second;
  redirect.twice = redirect.kind == Kind::duplicate;
  const bool to_both = found->first == ">&" && redirect.descriptor.empty();
  skip(found->first.size());
  skip_blanks();
  const std::size_t word_begin = index(0);
  redirect.word = word();
  if (failed()) return true;
  const std::string target = redirect.word.literal().value_or("x");
  const bool number =
      !redirect.word.quoted() && !target.empty() && std::all_of(target.begin(), target.end(), digit);
  if (redirect.word.parts.empty() || (number && (look() == '<' || look() == '>'))) {
    fail("a redirection to nothing");
    return true;
  }
  if (to_both &&
      !std::all_of(target.begin(), target.end(), [](char each) { return digit(each) || each == '-'; }))
    redirect.kind = Kind::both;
  if (redirect.kind == Kind::document) {
    auto body = std::make_shared<Word>();
    redirect.document = body;
    // What the delimiter holds beside quotes is taken as it is written.
    const auto plain = redirect.word.literal();
    documents_.push_back(
        {plain ? *plain : spelled(word_begin, at_), redirect.word.quoted(), tabs, std::move(body)});
    if (!plain && redirect.word.quoted()) fail("a here-document with a delimiter that is partly quoted");
  }
  redirect.span = span_from(begin);
  into.push_back(std::move(redirect));
  return true;
}

}  // namespace policy::shell

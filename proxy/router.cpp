#include "proxy/router.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "proxy/answers.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/progress.hpp"
#include "transports/id.hpp"

namespace proxy {

using transports::Kind;
using transports::Message;

namespace {

constexpr std::size_t claim_bytes_max = 200;
constexpr std::size_t late_max = 256;  // cancelled requests whose answer may still come

// The string at this member (of this member) of a foreign value, bounded; empty when there is none of that
// shape.
std::string text_in(const base::Result<base::json::Value>& value, const char* key,
                    const char* inner = nullptr) {
  if (!value || !value->is_object() || !value->contains(key)) return {};
  const base::json::Value* found = &(*value)[key];
  if (inner != nullptr) {
    if (!found->is_object() || !found->contains(inner)) return {};
    found = &(*found)[inner];
  }
  return found->is_string() ? base::bounded(found->get_ref<const std::string&>(), claim_bytes_max)
                            : std::string();
}

// Progress tokens look like ids, and have as many spellings.
std::string token_key(const std::string& spelled) {
  return transports::usable_id(spelled) ? transports::id_key(spelled) : spelled;
}

const char* peer_name(Direction direction) {
  return direction == Direction::to_server ? "the server" : "the agent";
}

}  // namespace

Direction opposite(Direction direction) {
  return direction == Direction::to_server ? Direction::to_agent : Direction::to_server;
}

Router::Router(boost::asio::any_io_executor executor, CallGate& gate, const transports::Limits& limits,
               Log log)
    : executor_(executor),
      gate_(gate),
      limits_(limits),
      log_(std::move(log)),
      agent_requests_(limits.pending_max),
      server_requests_(limits.pending_max),
      over_(executor) {}

void Router::take(Direction direction, transports::LineFramer::Line line) {
  if (line.refusal) return refused(direction, *line.refusal);
  auto parsed = transports::parse(std::move(line.bytes), limits_);
  if (!parsed) return refused(direction, parsed.refusal());
  switch (parsed.message().kind) {
    case Kind::request: return request(direction, std::move(parsed.message()));
    case Kind::notification: return notification(direction, std::move(parsed.message()));
    case Kind::response: return response(direction, std::move(parsed.message()));
  }
}

void Router::request(Direction direction, Message message) {
  if (!is_free(direction, message.method)) return judged_request(direction, std::move(message));
  const bool initialize = direction == Direction::to_server && message.method == "initialize";
  if (!remember(direction, message.id, {nullptr, initialize, {}})) return;
  if (initialize) {
    const auto params = base::json::parse(message.at(message.params));
    handshake_.client_name = text_in(params, "clientInfo", "name");
    handshake_.client_version = text_in(params, "clientInfo", "version");
    gate_.set_agent(handshake_.client_name);
  }
  if (outlet(direction)(std::move(message.bytes))) return;
  pending(direction).remove(message.id);
  back(direction)(
      error_answer(message.id, AnswerCode::peer_gone, std::string(peer_name(direction)) + " has ended"));
}

// False: refused, and the requester has been told.
bool Router::remember(Direction direction, const std::string& id, PendingRequest request) {
  const Pending::Added added = pending(direction).add(id, std::move(request));
  if (added == Pending::Added::yes) return true;
  const char* why = added == Pending::Added::duplicate ? "its id is already in use"
                                                       : "too many requests wait for an answer";
  refused(direction, {id, true, -32600, base::Error(base::Code::refused, why)});
  return false;
}

void Router::judged_request(Direction direction, Message message) {
  const std::string id = message.id;
  const std::string token = direction == Direction::to_server ? token_key(message.progress_token) : "";
  auto call = std::make_shared<HeldCall>(executor_, std::move(message), direction);
  if (!remember(direction, id, {call, false, {}})) return;
  if (!token.empty()) tokens_[token] = call;
  ++running_;
  boost::asio::co_spawn(executor_, pass(std::move(call), id), boost::asio::detached);
}

// One call's way through the gate, then out of the tables.
boost::asio::awaitable<void> Router::pass(std::shared_ptr<HeldCall> call, std::string id) {
  const Direction direction = call->direction;
  Ends ends;
  ends.to_requester = [this, direction](const std::string& line) { return back(direction)(line); };
  ends.to_peer = [this, direction](const std::string& line) {
    over_.ring();
    return outlet(direction)(line);
  };
  try {
    co_await gate_.run(call, ends);
  } catch (const std::exception& error) {
    log_(std::string("a call failed inside callgate: ") + error.what());
    if (!call->answer && !call->cancelled)
      back(direction)(
          call_answer(call->message, AnswerCode::failed, "callgate failed; the call was not passed on"));
  }
  settle(direction, id, call);
  if (!call->message.progress_token.empty()) {
    const auto token = tokens_.find(token_key(call->message.progress_token));
    if (token != tokens_.end() && token->second == call) tokens_.erase(token);
  }
  --running_;
  over_.ring();
}

// Its id is free again, unless the peer may still answer it: a late answer must not reach another call of
// that id.
void Router::settle(Direction direction, const std::string& id, const std::shared_ptr<HeldCall>& call) {
  const PendingRequest* entry = pending(direction).find(id);
  if (entry == nullptr || entry->call != call) return;
  if (!call->cancelled || !call->forwarded || call->peer_gone) return pending(direction).remove(id);
  call->message.bytes.clear();  // only its id is still needed
  late_.push_back({direction, id, call});
  if (late_.size() <= late_max) return;
  const Late oldest = std::move(late_.front());
  late_.pop_front();
  const PendingRequest* still = pending(oldest.direction).find(oldest.id);
  if (still != nullptr && still->call == oldest.call) pending(oldest.direction).remove(oldest.id);
}

void Router::notification(Direction direction, Message message) {
  if (message.method == "notifications/cancelled" && cancelled(direction, message.request_id)) return;
  if (message.method == "notifications/progress" && !progress(direction, message)) return;
  outlet(direction)(std::move(message.bytes));
}

// True: the request it names has not been forwarded, so the cancellation ends here.
bool Router::cancelled(Direction direction, const std::string& id) {
  PendingRequest* request = pending(direction).find(id);
  if (request == nullptr || !request->call) return false;
  HeldCall& call = *request->call;
  if (call.cancelled) return true;
  call.cancelled = true;
  call.flow.cancel();
  call.nudge();
  return !call.forwarded;
}

// False: it speaks of a call that the peer has not been given. The peer's progress is offset by our own, so
// that it rises.
bool Router::progress(Direction direction, Message& message) {
  if (direction != Direction::to_agent) return true;
  const auto found = tokens_.find(token_key(message.progress_token));
  if (found == tokens_.end()) return true;
  if (!found->second->forwarded) return false;
  if (found->second->progress_sent == 0) return true;
  auto offset = offset_progress(message, found->second->progress_sent);
  if (!offset) return false;
  message.bytes = std::move(*offset);
  return true;
}

void Router::response(Direction direction, Message message) {
  // A response that travels to the agent answers a request that travelled to the server.
  Pending& waiting = pending(opposite(direction));
  PendingRequest* request = waiting.find(message.id);
  if (request == nullptr || (request->call && !request->call->forwarded)) {
    log_("dropped an answer that nobody waits for, with id " + base::quoted(message.id, 80));
    return;
  }
  if (!request->call) {
    if (request->initialize) handshake(message);
    waiting.remove(message.id);
    outlet(direction)(std::move(message.bytes));
    return;
  }
  if (request->call->cancelled) {
    waiting.remove(message.id);
    return;  // nobody waits for it any more
  }
  HeldCall& call = *request->call;
  call.answer = HeldCall::Answer{std::string(message.at(message.result)), message.bytes.size(),
                                 message.is_error || message.tool_error};
  waiting.remove(message.id);
  outlet(direction)(std::move(message.bytes));
  call.nudge();
}

void Router::handshake(const Message& answer) {
  if (answer.is_error) return;
  const auto result = base::json::parse(answer.at(answer.result));
  handshake_.protocol = text_in(result, "protocolVersion");
  handshake_.server_name = text_in(result, "serverInfo", "name");
  handshake_.server_version = text_in(result, "serverInfo", "version");
  if (on_initialized) on_initialized(handshake_);
}

void Router::refused(Direction direction, const transports::Refusal& refusal) {
  log_(std::string("refused a message from the ") + (direction == Direction::to_server ? "agent" : "server") +
       ": " + refusal.error.text());
  PendingRequest* request = pending(opposite(direction)).find(refusal.id);
  const bool answer =
      request != nullptr && !(request->call && (!request->call->forwarded || request->call->cancelled));
  if (refusal.answerable && !answer) {
    // A server that answers our complaint with another complaint would loop with us.
    if (direction == Direction::to_server || !refusal.id.empty()) back(direction)(refusal_answer(refusal));
    return;
  }
  // A malformed answer: whoever waits for it is told.
  if (!answer) return;
  const std::string text =
      "the other side's answer was malformed and not passed on: " + refusal.error.message();
  const std::string line = request->call ? call_answer(request->call->message, AnswerCode::failed, text)
                                         : error_answer(refusal.id, AnswerCode::failed, text);
  if (request->call) {
    request->call->answer = HeldCall::Answer{"", 0, true};
    request->call->nudge();
  }
  pending(opposite(direction)).remove(refusal.id);
  outlet(direction)(line);
}

void Router::requester_gone(Direction direction) {
  for (const std::string& id : pending(direction).ids()) {
    const PendingRequest* request = pending(direction).find(id);
    if (!request->call) continue;
    request->call->requester_gone = true;
    request->call->nudge();
  }
}

void Router::peer_gone(Direction direction) {
  for (const std::string& id : pending(direction).ids()) {
    PendingRequest* request = pending(direction).find(id);
    if (request->call) {
      request->call->peer_gone = true;
      request->call->nudge();
      continue;
    }
    back(direction)(error_answer(id, AnswerCode::peer_gone,
                                 std::string(peer_name(direction)) + " has ended without an answer"));
    pending(direction).remove(id);
  }
}

boost::asio::awaitable<void> Router::all_forwarded() {
  for (;;) {
    bool waiting = false;
    for (const std::string& id : agent_requests_.ids()) {
      const PendingRequest* request = agent_requests_.find(id);
      waiting = waiting || (request->call && !request->call->forwarded);
    }
    if (!waiting) co_return;
    co_await over_.wait();
  }
}

boost::asio::awaitable<void> Router::all_over() {
  while (running_ > 0) co_await over_.wait();
}

}  // namespace proxy

#include "proxy/session/router.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <exception>
#include <utility>

#include "proxy/base/text.hpp"
#include "proxy/call/answers.hpp"
#include "proxy/call/methods.hpp"
#include "proxy/call/progress.hpp"
#include "proxy/call/refusal_text.hpp"
#include "transports/batch.hpp"
#include "transports/id.hpp"

namespace proxy {

using transports::Kind;
using transports::Message;

namespace {

constexpr const char* revision_of_batches = "2025-03-26";

// Progress tokens look like ids, and have as many spellings.
std::string token_key(const std::string& spelled) {
  return transports::usable_id(spelled) ? transports::id_key(spelled) : spelled;
}

}  // namespace

Router::Router(boost::asio::any_io_executor executor, CallGate& gate, const transports::Limits& limits,
               Log log)
    : executor_(executor),
      gate_(gate),
      limits_(limits),
      log_(std::move(log)),
      agent_requests_(limits.requests_max),
      server_requests_(limits.requests_max),
      over_(executor) {}

Router::~Router() {
  to_server = to_agent = [](const std::string&) { return false; };
}

void Router::take(Direction direction, transports::LineFramer::Line line) {
  if (line.refusal) return refused(direction, *line.refusal);
  if (handshake_.protocol == revision_of_batches && transports::is_batch(line.bytes))
    return batch(direction, line.bytes);
  message(direction, std::move(line.bytes));
}

void Router::batch(Direction direction, const std::string& line) {
  const auto elements = transports::split_batch(line, limits_);
  if (!elements) return refused(direction, {"", true, false, -32600, elements.error()});
  gathering_ = std::make_shared<Batch>(
      [this, direction](std::string answers) { return back(direction)(std::move(answers)); },
      BatchLimits{limits_.message_bytes_max, limits_.queue_bytes_max, gathered_bytes_});
  try {
    for (const std::string& element : *elements) message(direction, element);
  } catch (...) {
    gathering_.reset();
    throw;
  }
  gathering_.reset();
}

void Router::message(Direction direction, std::string line) {
  auto parsed = transports::parse(std::move(line), limits_);
  if (!parsed) return refused(direction, parsed.refusal());
  switch (parsed.message().kind) {
    case Kind::request: return request_or_failure(direction, std::move(parsed.message()));
    case Kind::notification: return notification(direction, std::move(parsed.message()));
    case Kind::response: return response(direction, std::move(parsed.message()));
  }
}

// Whoever waits for an answer gets one, also when callgate itself fails.
void Router::request_or_failure(Direction direction, Message message) {
  const std::string id = message.id;
  const bool known = requests(direction).find(id) != nullptr;
  try {
    request(direction, std::move(message));
  } catch (const std::exception& error) {
    log_(std::string("a request failed inside callgate: ") + error.what());
    if (!known) requests(direction).remove(id);
    answer(direction, gathering_,
           error_answer(id, AnswerCode::failed,
                        "callgate failed on this request, which may have been passed on all the same"));
  }
}

void Router::request(Direction direction, Message message) {
  if (!is_free(direction, message.method)) return judged_request(direction, std::move(message));
  const bool initialize = direction == Direction::to_server && message.method == "initialize";
  const bool roots = direction == Direction::to_agent && message.method == "roots/list";
  const Request::Asks asks = initialize ? Request::Asks::handshake
                             : roots    ? Request::Asks::roots
                                        : Request::Asks::other;
  if (initialize && gathering_)
    return refuse_request(direction, message.id, "`initialize` must not be part of a batch");
  if (!remember(direction, message.id, {.call = nullptr, .asks = asks})) return;
  if (initialize) {
    read_client(handshake_, message);
    gate_.set_agent(handshake_.client_name, handshake_.client_version);
  }
  if (outlet(direction)(std::move(message.bytes))) return;
  requests(direction).remove(message.id);
  answer(direction, gathering_,
         error_answer(message.id, AnswerCode::peer_gone, std::string(peer_name(direction)) + " has ended"));
}

// One that reads well, and may not pass all the same.
void Router::refuse_request(Direction direction, const std::string& id, const char* why) {
  refused(direction, {id, true, true, -32600, base::Error(base::Code::refused, why)});
}

// False: refused, and the requester has been told.
bool Router::remember(Direction direction, const std::string& id, Request request) {
  request.batch = gathering_;
  const Requests::Added added = requests(direction).add(id, std::move(request));
  if (added == Requests::Added::yes) return true;
  const char* why = added == Requests::Added::duplicate ? "its id is already in use"
                                                        : "too many requests wait for an answer";
  refuse_request(direction, id, why);
  return false;
}

void Router::judged_request(Direction direction, Message message) {
  const std::string id = message.id;
  const std::size_t size = message.bytes.size();
  if (size > limits_.calls_bytes_max - calls_bytes(direction))
    return refuse_request(direction, id, "the calls that wait for an answer are too large");
  const std::string token = direction == Direction::to_server ? token_key(message.progress_token) : "";
  auto call = std::make_shared<Call>(executor_, std::move(message), direction);
  if (!remember(direction, id, {.call = call})) return;
  if (!token.empty()) tokens_[token] = call;
  ++running(direction);
  calls_bytes(direction) += size;
  try {
    boost::asio::co_spawn(executor_, pass(std::move(call), id), boost::asio::detached);
  } catch (...) {
    if (!token.empty()) tokens_.erase(token);
    --running(direction);
    calls_bytes(direction) -= size;
    throw;
  }
}

// One call's way through the gate, then out of the tables, whatever fails.
boost::asio::awaitable<void> Router::pass(std::shared_ptr<Call> call, std::string id) {
  const Direction direction = call->direction;
  Ends ends;
  ends.to_requester = [this, direction](const std::string& line) { return back(direction)(line); };
  ends.to_peer = [this, direction](const std::string& line) {
    over_.ring();
    return outlet(direction)(line);
  };
  ends.answer = [this, direction, id](const std::string& line) {
    const Request* request = requests(direction).find(id);
    return answer(direction, request == nullptr ? nullptr : request->batch, line);
  };
  const std::size_t size = call->message.bytes.size();
  std::string failure;
  try {
    co_await gate_.run(call, ends);
  } catch (const std::exception& error) {
    failure = std::string("a call failed inside callgate: ") + error.what();
  }
  const Request* request = requests(direction).find(id);
  const auto batch = request == nullptr ? nullptr : request->batch;
  settle(direction, id, call);
  if (!call->message.progress_token.empty()) {
    const auto token = tokens_.find(token_key(call->message.progress_token));
    if (token != tokens_.end() && token->second == call) tokens_.erase(token);
  }
  --running(direction);
  calls_bytes(direction) -= size + (call->arrived ? call->arrived->bytes.size() : 0);
  over_.ring();
  if (failure.empty()) co_return;
  log_(failure);
  give_up(*call, batch);
}

// To a request that travelled in this direction: with the others of its batch, or at once.
bool Router::answer(Direction direction, const std::shared_ptr<Batch>& batch, std::string line) {
  if (!batch) return back(direction)(std::move(line));
  batch->add(line);
  return true;
}

// Whoever waits for a call that failed inside callgate is told, unless it has its answer, or was being told.
void Router::give_up(Call& call, const std::shared_ptr<Batch>& batch) {
  if (call.answer || call.told || call.flow.cancelled() || call.requester_gone) return;
  call.told = true;
  const RefusedCall refused{
      .why = WhyRefused::failed, .direction = call.direction, .forwarded = call.forwarded};
  answer(call.direction, batch, call_answer(call.message, refusal_code(refused.why), refusal_text(refused)));
}

// Its id is free again, unless the peer may still answer it: a late answer must not reach another call of
// that id, nor a requester that has been told of its end.
void Router::settle(Direction direction, const std::string& id, const std::shared_ptr<Call>& call) {
  Request* entry = requests(direction).find(id);
  if (entry == nullptr || entry->call != call) return;
  if (!call->forwarded || call->peer_gone || call->arrived) return requests(direction).remove(id);
  call->message.bytes.clear();  // only its id is still needed
  entry->batch.reset();
  late_.push_back({direction, id, call});
  if (late_.size() <= limits_.late_requests_max) return;
  const Late oldest = std::move(late_.front());
  late_.pop_front();
  const Request* still = requests(oldest.direction).find(oldest.id);
  if (still != nullptr && still->call == oldest.call) requests(oldest.direction).remove(oldest.id);
}

void Router::notification(Direction direction, Message message) {
  // A server that is not strict would carry it out as a request: unjudged, and unseen.
  if (direction == Direction::to_server && !message.method.starts_with("notifications/"))
    return log_("dropped a message without an id that is no notification: " +
                base::quoted(message.method, 80));
  if (message.method == "notifications/cancelled" && cancelled(direction, message.request_id)) return;
  if (message.method == "notifications/progress" && !progress(direction, message)) return;
  outlet(direction)(std::move(message.bytes));
}

// True: the request it names has not been forwarded, so the cancellation ends here.
bool Router::cancelled(Direction direction, const std::string& id) {
  Request* request = requests(direction).find(id);
  if (request == nullptr || !request->call) return false;
  Call& call = *request->call;
  if (call.flow.cancelled()) return true;
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
  Requests& waiting = requests(opposite(direction));
  Request* request = waiting.find(message.id);
  if (request == nullptr || (request->call && !request->call->forwarded)) {
    log_("dropped an answer that nobody waits for, with id " + base::quoted(message.id, 80));
    return;
  }
  if (!request->call) {
    if (request->asks == Request::Asks::roots) gate_.learn_roots(message);
    if (request->asks == Request::Asks::handshake && !message.is_error) {
      read_server(handshake_, message);
      if (on_initialized) on_initialized(handshake_);
    }
    const auto batch = request->batch;
    waiting.remove(message.id);
    answer(opposite(direction), batch, std::move(message.bytes));
    return;
  }
  Call& call = *request->call;
  if (call.arrived) return log_("dropped a second answer to one request, whose first is held");
  if (!call.awaited()) return waiting.remove(message.id);  // late: nobody waits for it any more
  const std::uint64_t size = message.bytes.size();
  const bool is_error = message.is_error || message.tool_error;
  std::string line;
  if (call.result_rules.empty() && call.note.empty()) {
    call.answer = Call::Answer{std::string(message.at(message.result)), size, is_error};
    line = std::move(message.bytes);
  } else {
    CheckedAnswer checked = check_answer(call.message, message, call.result_rules, call.note);
    if (checked.asks && hold_answer(call, message)) return;
    if (checked.asks) checked = without_room(call.message, std::move(checked));
    line = std::move(checked.line);
    call.answer = Call::Answer{std::move(checked.result), size, is_error, checked.withheld,
                               std::move(checked.findings)};
  }
  call.nudge();  // before the outlet: should that fail, the call still ends
  const auto batch = request->batch;
  waiting.remove(message.id);
  answer(opposite(direction), batch, std::move(line));
}

// Until the gate has asked a person for it. False: too much is held.
bool Router::hold_answer(Call& call, Message& message) {
  const std::size_t size = message.bytes.size();
  if (size > limits_.calls_bytes_max - calls_bytes(call.direction)) return false;
  calls_bytes(call.direction) += size;
  call.arrived = std::move(message);
  call.nudge();
  return true;
}

void Router::refused(Direction direction, const transports::Refusal& refusal) {
  log_(std::string("refused a message from ") + requester_name(direction) + ": " + refusal.error.text());
  Request* request = refusal.request ? nullptr : requests(opposite(direction)).find(refusal.id);
  const bool awaited = request != nullptr && (!request->call || request->call->awaited());
  if (refusal.answerable && !awaited) {
    // A server that answers our complaint with another complaint would loop with us.
    if (direction == Direction::to_server || !refusal.id.empty())
      answer(direction, gathering_, refusal_answer(refusal));
    return;
  }
  // A malformed answer: whoever waits for it is told.
  if (!awaited) return;
  const std::string text =
      "the other side's answer was malformed and not passed on: " + refusal.error.message();
  const std::string line = request->call ? call_answer(request->call->message, AnswerCode::failed, text)
                                         : error_answer(refusal.id, AnswerCode::failed, text);
  if (request->call) {
    request->call->answer = Call::Answer{"", 0, true};
    request->call->nudge();
  }
  const auto batch = request->batch;
  requests(opposite(direction)).remove(refusal.id);
  answer(opposite(direction), batch, line);
}

void Router::requester_gone(Direction direction) {
  for (const std::string& id : requests(direction).ids()) {
    const Request* request = requests(direction).find(id);
    if (!request->call) continue;
    request->call->requester_gone = true;
    request->call->nudge();
  }
}

void Router::peer_gone(Direction direction) {
  for (const std::string& id : requests(direction).ids()) {
    Request* request = requests(direction).find(id);
    if (request->call) {
      request->call->peer_gone = true;
      request->call->nudge();
      continue;
    }
    answer(direction, request->batch,
           error_answer(id, AnswerCode::peer_gone,
                        std::string(peer_name(direction)) + " has ended without an answer"));
    requests(direction).remove(id);
  }
}

boost::asio::awaitable<void> Router::all_forwarded() {
  for (;;) {
    bool waiting = running(Direction::to_agent) > 0;
    for (const std::string& id : agent_requests_.ids()) {
      const Request* request = agent_requests_.find(id);
      waiting = waiting || (request->call && !request->call->forwarded);
    }
    if (!waiting) co_return;
    co_await over_.wait();
  }
}

boost::asio::awaitable<void> Router::all_over() {
  while (running(Direction::to_server) + running(Direction::to_agent) > 0) co_await over_.wait();
}

}  // namespace proxy

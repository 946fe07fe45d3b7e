#include "proxy/commands/custody.hpp"

#include "ledger/reader.hpp"
#include "proxy/commands/operator.hpp"

namespace proxy::commands {

base::Result<Custody> open_custody() {
  auto here = find_surroundings();
  if (!here) return here.error();
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader) return reader.error();
  const auto fold = (*reader)->state();
  if (!fold) return fold.error();
  auto key = matching_key(here->state_folder, *fold);
  if (!key) return key.error();
  auto writer = operator_writer(here->state_folder, *key);
  if (!writer) return writer.error();
  return Custody{std::move(*here), std::move(*key), std::move(*writer)};
}

}  // namespace proxy::commands

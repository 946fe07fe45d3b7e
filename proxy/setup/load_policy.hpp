#pragma once
// The policy that stands where callgate was started, and the scene it judges in: for `run`, and for the
// commands that say what `run` would do.

#include <string>

#include "policy/load/layers.hpp"
#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

// `mission`: the file of --policy; empty: none.
policy::LayerPlaces layer_places(const Surroundings& here, const std::string& mission = {});

// The layer whose file this is here, whatever name it is given by; of another file mission, as of `--policy
// FILE`.
policy::Layer layer_of(const Surroundings& here, const std::string& file);

// All layers, judged together. Whether the repository's counts is for `trusted`.
base::Result<policy::Policy> load_policy(const Surroundings& here, const std::string& mission,
                                         const policy::Trusted& trusted);

// Error: the organisation forbids runs to bring a policy (`[delegate] mission = false`). A file of the
// organisation's that cannot be read forbids nothing here: by it every call is denied.
base::Result<void> may_bring_policy(const policy::LayerPlaces& places);

// In place of one that cannot be had: denies everything, and says why.
policy::Policy denying_policy(const Surroundings& here, const std::string& why);

// Of a server that is started here. `links` outlives it.
policy::Scene scene_of(const Surroundings& here, const policy::Links& links);

}  // namespace proxy

#include "proxy/setup/load_policy.hpp"

#include <filesystem>
#include <system_error>

#include <utility>
#include "policy/load/built_in.hpp"

#include "policy/load/load.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/file.hpp"

namespace proxy {

policy::LayerPlaces layer_places(const Surroundings& here, const std::string& mission) {
  policy::LayerPlaces places;
  places.user = here.config_folder + "/policy.toml";
  places.workspace = here.workspace;
  places.mission = mission;
  places.state_folder = here.state_folder;
  return places;
}

policy::Layer layer_of(const Surroundings& here, const std::string& file) {
  const policy::LayerPlaces places = layer_places(here);
  const auto is = [&](const std::string& place) {
    std::error_code error;
    return std::filesystem::equivalent(file, place, error) && !error;
  };
  if (is(places.organisation)) return policy::Layer::organisation;
  if (is(places.user)) return policy::Layer::user;
  if (is(policy::repository_file(here.workspace))) return policy::Layer::repository;
  return policy::Layer::mission;
}

base::Result<policy::Policy> load_policy(const Surroundings& here, const std::string& mission,
                                         const policy::Trusted& trusted) {
  const auto sources = policy::read_layers(layer_places(here, mission), trusted);
  if (!sources) return sources.error();
  return policy::Policy::load(*sources, here.workspace, here.home);
}

base::Result<void> may_bring_policy(const policy::LayerPlaces& places) {
  auto bytes = base::read_file(places.organisation, policy::policy_bytes_max);
  if (!bytes) return {};
  const auto rules = policy::compile_sources(
      {{policy::Layer::organisation, places.organisation, std::move(*bytes), true}}, {places.workspace, ""});
  if (!rules || rules->delegation.mission) return {};
  return base::Error(base::Code::invalid,
                     "the organisation forbids a policy of a run's own: leave out `--policy`",
                     rules->delegation.place);
}

policy::Policy denying_policy(const Surroundings& here, const std::string& why) {
  return *policy::Policy::load({policy::unreadable_source(why)}, here.workspace, here.home);
}

policy::Scene scene_of(const Surroundings& here, const policy::Links& links) {
  policy::Scene scene;
  scene.workspace = here.workspace;
  scene.directory = here.directory;
  scene.home = here.home;
  scene.user = here.user;
  scene.links = &links;
  return scene;
}

}  // namespace proxy

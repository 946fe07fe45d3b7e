#include "proxy/load_policy.hpp"

namespace proxy {

policy::LayerPlaces layer_places(const Surroundings& here, const std::string& mission) {
  policy::LayerPlaces places;
  places.user = here.config_folder + "/policy.toml";
  places.workspace = here.workspace;
  places.mission = mission;
  places.state_folder = here.state_folder;
  return places;
}

base::Result<policy::Policy> load_policy(const Surroundings& here, const std::string& mission,
                                         const policy::Trusted& trusted) {
  const auto sources = policy::read_layers(layer_places(here, mission), trusted);
  if (!sources) return sources.error();
  return policy::Policy::load(*sources, here.workspace, here.home);
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

#pragma once

namespace proxy {

inline constexpr char version[] = "callgate 0.1.0";

}  // namespace proxy

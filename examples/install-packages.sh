#!/bin/sh
# install-packages.sh [--ci]: sees to it that what callgate is built and tested with is there.
# Debian 12 and 13, Ubuntu 24.04. Looks first and installs only what is missing; a machine that has all needs no apt.
# --ci adds what .ci/run uses: clang, clang-tidy, clang-format, libFuzzer, Node.js with npm, Python.
set -eu
case ${1:-} in -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

# One line a need: the package, and how to see that it is there without asking apt.
needs='
g++             command c++
cmake           command cmake
ninja-build     command ninja
pkg-config      command pkg-config
git             command git
boost           boost
nlohmann-json3-dev header nlohmann/json.hpp
libre2-dev      header re2/re2.h
libssl-dev      header openssl/evp.h
libsqlite3-dev  header sqlite3.h
libdeflate-dev  header libdeflate.h
libtomlplusplus-dev header toml++/toml.h
libcli11-dev    header CLI/CLI.hpp
catch2          catch
'
ci_needs='
clang           command clang++
clang-tidy      command clang-tidy
clang-format    command clang-format
libfuzzer       fuzzer
nodejs          command node
npm             command npm
python3         command python3
'
[ "${1:-}" = --ci ] && needs="$needs$ci_needs"

compiles() { # reads a program from stdin
  command -v c++ >/dev/null && c++ -std=c++20 -fsyntax-only -x c++ - 2>/dev/null
}

there() {
  case $1 in
    command) command -v "$2" >/dev/null ;;
    header) echo "#if !__has_include(<$2>)
#error
#endif" | compiles ;;
    boost) echo "#include <boost/version.hpp>
#if BOOST_VERSION < 108100
#error
#endif" | compiles ;;
    catch) echo "#if !__has_include(<catch2/catch_all.hpp>) && !__has_include(<catch2/catch.hpp>)
#error
#endif" | compiles ;;
    fuzzer) command -v clang++ >/dev/null && [ -n "$(find "$(clang++ -print-resource-dir)" -name 'libclang_rt.fuzzer*' 2>/dev/null)" ] ;;
  esac
}

missing=$(echo "$needs" | while read -r package how what; do
  [ -z "$package" ] || there "$how" "${what:-}" || echo "$package"
done)
missing=$(echo $missing)
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || {
  echo "missing here: $missing" >&2
  echo "this script installs with apt-get only; install them by hand (Boost: 1.81 or newer) and run it again" >&2
  exit 1
}

root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "missing here: $missing; run $0 as root" >&2; exit 1; }
  echo "Missing here: $missing. Installing needs root: sudo may ask for your password."
  root=sudo
fi
apt() { $root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@"; }

# What the names above that are no packages stand for, on this release. Needs apt's lists.
package_for() {
  case $1 in
    boost)
      # Debian 12: the default is 1.74, and 1.81 stands beside it.
      default=$(apt-cache show libboost-dev 2>/dev/null | sed -n 's/^Version: //p' | head -n 1)
      if [ -n "$default" ] && dpkg --compare-versions "$default" ge 1.81; then echo libboost-dev; else echo libboost1.81-dev; fi ;;
    libfuzzer)
      # In the package of the compiler's own version.
      version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
      echo "libclang-rt-$version-dev" ;;
    *) echo "$1" ;;
  esac
}

apt update >/dev/null
packages=
for name in $missing; do packages="$packages $(package_for "$name")"; done
echo "Installing:$packages"
# shellcheck disable=SC2086
apt install -y --no-install-recommends $packages >/dev/null

#!/usr/bin/env bash
# Shared by the scripts beside it; sourced, never run.
# shellcheck disable=SC2034 # its variables are for them

set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# A Python that came with Debian: a python3 earlier on PATH may be a version manager's shim.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

say() { printf '[%4ds] %s\n' "$SECONDS" "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

lavapipe_icd=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json
swiftshader_icd="$root/build/swiftshader/vk_swiftshader_icd.json"
jobs="${TAILOR_JOBS:-$(nproc)}"

# Compiler launchers for CMake: ccache where it is installed. Debian's default limit is enough; the
# base folder makes results of another clone usable.
launcher_arguments() {
  if have ccache; then
    printf '%s\n' -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
}
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1

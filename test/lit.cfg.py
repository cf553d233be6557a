# The lit suites: small files with RUN lines, in folders that mirror the tree
# (test/passes/<flag>/, test/tools/, test/Frontend/, test/reports/, ...).
#
# Substitutions
#   %tailor         spirv-tailor of this build
#   %opt            spirv-tailor-opt of this build
#   %lavapipe       the Vulkan driver file (ICD) of lavapipe
#   %swiftshader    the one of SwiftShader
#   %inputs         test/Inputs
#   %kernels        bench/kernels
#   %examples       the built examples (shared libraries): %examples/libX%shlib
#   %shlib          the suffix of a loadable module
#
# Features for REQUIRES
#   vulkan          at least one Vulkan driver is there
#   lavapipe, swiftshader
#   validation      Vulkan validation is on (TAILOR_VALIDATION=1)
#   asan, tsan      the build has that sanitizer
#
# Parameter: --param vulkan-only=1 leaves out every test that requires no Vulkan device.
import os

import lit.formats

config.name = "spirv-tailor"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".comp", ".spvasm", ".hlsl", ".wgsl"]
config.excludes = ["Inputs", "unit", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.join(config.tailor_source, "test")
config.test_exec_root = os.path.join(config.tailor_build, "test")

bin_folder = os.path.join(config.tailor_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_folder, config.llvm_tools, config.environment.get("PATH", os.environ.get("PATH", ""))]
)

# What a Vulkan driver, a sanitizer or the tool itself reads from the environment.
for name in ("TAILOR_VALIDATION", "VK_LAYER_PATH", "VK_LOADER_DEBUG", "ASAN_OPTIONS", "LSAN_OPTIONS",
             "UBSAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Drivers keep shader caches in the home folder: here they stay in the build.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
config.environment["HOME"] = config.test_exec_root


def find_drivers():
    """The driver files by kind: from VK_DRIVER_FILES, else the places where scripts/bootstrap puts them."""
    given = os.environ.get("VK_DRIVER_FILES", "")
    candidates = given.split(os.pathsep) if given else [
        "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json",
        os.path.join(config.tailor_source, "build", "swiftshader", "vk_swiftshader_icd.json"),
    ]
    found = {}
    for path in candidates:
        if not os.path.isfile(path):
            continue
        file = os.path.basename(path)
        kind = "lavapipe" if "lvp" in file else "swiftshader" if "swiftshader" in file else file
        found.setdefault(kind, path)
    return found


drivers = find_drivers()
if drivers:
    config.available_features.add("vulkan")
    config.environment["VK_DRIVER_FILES"] = os.pathsep.join(drivers.values())
for kind in ("lavapipe", "swiftshader"):
    if kind in drivers:
        config.available_features.add(kind)
    # Without the driver no test that may use the substitution runs.
    config.substitutions.append(("%" + kind, drivers.get(kind, "no-" + kind)))
if config.environment.get("TAILOR_VALIDATION", "0") not in ("", "0"):
    config.available_features.add("validation")
if "address" in config.tailor_sanitize:
    config.available_features.add("asan")
if "thread" in config.tailor_sanitize:
    config.available_features.add("tsan")
if lit_config.params.get("vulkan-only", "0") not in ("", "0"):
    config.limit_to_features = {"vulkan", "lavapipe", "swiftshader", "validation"}

config.substitutions += [
    ("%tailor", os.path.join(bin_folder, "spirv-tailor")),
    ("%opt", os.path.join(bin_folder, "spirv-tailor-opt")),
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%kernels", os.path.join(config.tailor_source, "bench", "kernels")),
    ("%examples", os.path.join(config.tailor_build, "lib")),
    ("%shlib", config.tailor_shared_suffix),
]

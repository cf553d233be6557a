"""Checks what `spirv-tailor extract` wrote: check_extracted.py FOLDER LANGUAGE,...

Every file that manifest.json names is there and no other; every variant has each language, or says why not; the SPIR-V is valid; and
the workgroup size read out of every file is the manifest's. MSL says invocations, not sizes.
"""
import json
import os
import re
import subprocess
import sys

folder, languages = sys.argv[1], sys.argv[2].split(",")


def spirv_size(path, entry, literal):
    subprocess.run(["spirv-val", "--target-env", "vulkan1.3", path], check=True)
    text = subprocess.run(["spirv-dis", "--raw-id", "--no-color", path], check=True, capture_output=True,
                          text=True).stdout
    entries = re.findall(r'OpEntryPoint GLCompute %(\S+) "(.*?)"', text)
    function = next(id for id, name in entries if name == entry)
    if literal:
        assert len(entries) == 1, f"{path}: {len(entries)} entry points"
        assert "BuiltIn WorkgroupSize" not in text, f"{path}: a decorated size is left"
        assert "LocalSizeId" not in text, f"{path}: LocalSizeId is left"
    constants = dict(re.findall(r"%(\S+) = Op(?:Spec)?Constant %\S+ (\d+)", text))
    decorated = re.search(r"OpDecorate %(\S+) BuiltIn WorkgroupSize", text)
    if decorated:
        parts = re.search(rf"%{decorated[1]} = Op(?:Spec)?ConstantComposite %\S+ %(\S+) %(\S+) %(\S+)", text)
        return [int(constants[part]) for part in parts.groups()]
    modes = re.findall(rf"OpExecutionMode %{function} LocalSize (\d+) (\d+) (\d+)", text)
    assert len(modes) == 1, f"{path}: {len(modes)} LocalSize modes"
    return [int(part) for part in modes[0]]


def text_size(path, pattern):
    with open(path, encoding="utf-8") as file:
        found = re.findall(pattern, file.read())
    assert len(found) == 1, f"{path}: {len(found)} sizes"
    return [int(part) for part in ([found[0]] if isinstance(found[0], str) else found[0])]


PATTERNS = {
    "glsl": r"layout\(local_size_x = (\d+), local_size_y = (\d+), local_size_z = (\d+)\) in;",
    "essl": r"layout\(local_size_x = (\d+), local_size_y = (\d+), local_size_z = (\d+)\) in;",
    "wgsl": r"@workgroup_size\((\d+), (\d+), (\d+)\)",
    "hlsl": r"\[numthreads\((\d+), (\d+), (\d+)\)\]",
    "msl": r"\[\[max_total_threads_per_threadgroup\((\d+)\)\]\]",
}

with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
    manifest = json.load(file)
assert manifest["schema"] == 1
interfaces = manifest["interfaces"]
named = {"manifest.json"}
for kernel in manifest["kernels"]:
    for variant in kernel["variants"]:
        skipped = variant["skipped"]
        assert sorted([*variant["files"], *skipped]) == sorted(languages), (variant["files"], skipped)
        assert all(skipped.values()), skipped
        assert set(variant["interface"]) == set(variant["files"]) - {"spirv"}
        assert all(0 <= index < len(interfaces) for index in variant["interface"].values())
        x, y, z = variant["local_size"]
        for language, name in variant["files"].items():
            path = os.path.join(folder, name)
            named.add(name)
            if language == "spirv":
                authored = variant["id"] == "authored"
                size = spirv_size(path, kernel["entry_point"], literal=not authored)
                # Under host values the authored module still says its defaults.
                if authored and variant["spec_constants"]:
                    continue
            else:
                size = text_size(path, PATTERNS[language])
            expected = [x * y * z] if language == "msl" else [x, y, z]
            assert size == expected, f"{path}: {size}, and the manifest says {expected}"
        print(kernel["name"], variant["id"], "x".join(map(str, variant["local_size"])), "ok",
              *[f"without {language}" for language in skipped])
assert sorted(os.listdir(folder)) == sorted(named), set(os.listdir(folder)) ^ named

//===- Bundle/ManifestJson.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields, their meaning and their units: docs/formats.md.
//
//===----------------------------------------------------------------------===//
#include "Bundle/Manifest.h"

#include "llvm/Support/JSON.h"

namespace tailor {
namespace {

using llvm::json::OStream;

// Names come from shaders and files and can hold any bytes; JSON holds UTF-8 alone.
std::string utf8(std::string_view text) { return llvm::json::fixUTF8(text); }

void writeText(OStream &json, llvm::StringRef name, std::string_view text) {
  json.attribute(name, utf8(text));
}

void writeTexts(OStream &json, llvm::StringRef name, const std::vector<std::string> &texts) {
  json.attributeArray(name, [&] {
    for (const std::string &text : texts)
      json.value(utf8(text));
  });
}

void writeDim(OStream &json, llvm::StringRef name, const Dim3 &dim) {
  json.attributeArray(name, [&] {
    for (uint32_t extent : dim.array())
      json.value(extent);
  });
}

/// What each parameter of a leaf is called, in the order of UniformExpr::params.
std::vector<llvm::StringRef> paramNames(UniformExpr::Op op) {
  switch (op) {
  case UniformExpr::Op::Constant:
    return {"value"};
  case UniformExpr::Op::SpecConstant:
    return {"spec_id", "default"};
  case UniformExpr::Op::PushConstant:
    return {"offset"};
  case UniformExpr::Op::BufferValue:
    return {"set", "binding", "offset"};
  case UniformExpr::Op::ImageSize:
    return {"set", "binding", "component"};
  case UniformExpr::Op::ArrayLength:
    return {"set", "binding", "offset", "stride"};
  default:
    return {};
  }
}

void writeExpr(OStream &json, const UniformExpr &expr) {
  json.object([&] {
    writeText(json, "op", nameOf(expr.op));
    unsigned i = 0;
    for (llvm::StringRef name : paramNames(expr.op))
      json.attribute(name, expr.params[i++]);
    if (!expr.isLeaf())
      json.attributeArray("operands", [&] {
        for (const UniformExpr &operand : expr.operands)
          writeExpr(json, operand);
      });
  });
}

void writeBound(OStream &json, const DispatchBound &bound) {
  json.object([&] {
    json.attribute("axis", llvm::StringRef(&kAxisName[bound.axis], 1));
    json.attribute("text", bound.str());
    json.attribute("signed", bound.isSigned);
    json.attribute("inclusive", bound.inclusive);
    writeText(json, "location", bound.location.str());
    json.attributeBegin("expr");
    writeExpr(json, bound.bound);
    json.attributeEnd();
    if (bound.divisor) {
      json.attributeBegin("divisor");
      writeExpr(json, *bound.divisor);
      json.attributeEnd();
    }
    if (bound.terms.empty())
      return;
    json.attributeArray("terms", [&] {
      for (const BoundTerm &term : bound.terms)
        json.object([&] {
          json.attribute("axis", llvm::StringRef(&kAxisName[term.axis], 1));
          json.attributeBegin("factor");
          writeExpr(json, term.factor);
          json.attributeEnd();
        });
    });
    json.attributeBegin("offset");
    writeExpr(json, bound.offset);
    json.attributeEnd();
  });
}

void writeDispatch(OStream &json, const Dispatch &dispatch) {
  json.attributeObject("dispatch", [&] {
    writeText(json, "rule", nameOf(dispatch.rule));
    writeDim(json, "mul", dispatch.mul);
    writeDim(json, "div", dispatch.div);
    json.attributeArray("bounds", [&] {
      for (const DispatchBound &bound : dispatch.bounds)
        writeBound(json, bound);
    });
  });
}

template <typename T>
void writeOptional(OStream &json, llvm::StringRef name, const std::optional<T> &value) {
  json.attribute(name, value ? llvm::json::Value(*value) : llvm::json::Value(nullptr));
}

void writeAccess(OStream &json, const AccessFact &access) {
  json.object([&] {
    writeText(json, "variable", access.variable);
    writeOptional(json, "set", access.set);
    writeOptional(json, "binding", access.binding);
    writeText(json, "op", access.op);
    writeText(json, "space", access.space);
    json.attribute("bytes", access.bytes);
    if (access.pattern.empty())
      json.attribute("pattern", nullptr);
    else
      writeText(json, "pattern", access.pattern);
    json.attributeArray("stride_bytes", [&] {
      for (const std::optional<int64_t> &stride : access.strideBytes)
        json.value(stride ? llvm::json::Value(*stride) : llvm::json::Value(nullptr));
    });
    writeText(json, "location", access.location);
  });
}

void writeFacts(OStream &json, const KernelFacts &facts) {
  json.attributeObject("facts", [&] {
    writeText(json, "class", facts.kernelClass);
    json.attribute("shared_bytes", facts.sharedBytes);
    json.attribute("control_barriers", facts.controlBarriers);
    json.attribute("barriers_in_loops", facts.barriersInLoops);
    json.attribute("atomics", facts.atomics);
    writeTexts(json, "subgroup_ops", facts.subgroupOps);
    writeTexts(json, "ids", facts.ids);
    json.attributeArray("accesses", [&] {
      for (const AccessFact &access : facts.accesses)
        writeAccess(json, access);
    });
  });
}

void writeGuard(OStream &json, const std::optional<GuardInfo> &guard) {
  if (!guard) {
    json.attribute("guard", nullptr);
    return;
  }
  json.attributeObject("guard", [&] {
    writeText(json, "kind", guard->kind);
    if (guard->kind == kGuardSpecConstant) {
      json.attributeArray("ids", [&] {
        for (uint32_t id : guard->specIds)
          json.value(id);
      });
      return;
    }
    json.attribute("offset", guard->offset);
    json.attribute("bytes", guard->bytes);
  });
}

void writeStep(OStream &json, const StepInfo &step) {
  json.object([&] {
    writeText(json, "technique", step.technique);
    writeDim(json, "local_size", step.localSize);
    json.attributeObject("parameters", [&] {
      for (const auto &[name, value] : step.parameters)
        writeText(json, utf8(name), value);
    });
  });
}

void writeVariant(OStream &json, const KernelInfo &kernel, const VariantInfo &variant) {
  json.object([&] {
    writeText(json, "id", variant.id);
    writeText(json, "technique", variant.technique);
    json.attributeArray("steps", [&] {
      for (const StepInfo &step : variant.steps)
        writeStep(json, step);
    });
    writeDim(json, "local_size", variant.localSize);
    json.attribute("shared_bytes", variant.sharedBytes);
    writeDispatch(json, variant.dispatch);
    writeTexts(json, "assumes", variant.assumes);
    writeGuard(json, variant.guard);
    json.attributeObject("spec_constants", [&] {
      for (auto [specId, bits] : variant.specConstants)
        json.attribute(std::to_string(specId), bits);
    });
    writeText(json, "evidence", nameOf(variant.evidence));
    writeText(json, "why", variant.why);
    if (variant.chosenFor.empty())
      json.attribute("chosen_for", nullptr);
    else
      writeText(json, "chosen_for", variant.chosenFor);
    json.attributeObject("skipped", [&] {
      for (const auto &[target, reason] : variant.skipped)
        writeText(json, utf8(target), reason);
    });
    json.attributeObject("files", [&] {
      for (const auto &[target, code] : variant.code)
        json.attribute(utf8(target), fileNameOf(kernel, variant, target));
    });
    json.attributeObject("interface", [&] {
      for (const auto &[target, code] : variant.code)
        if (code.interface)
          json.attribute(utf8(target), *code.interface);
    });
  });
}

void writePlace(OStream &json, const std::vector<PlaceNumber> &place) {
  json.attributeObject("place", [&] {
    for (const PlaceNumber &each : place)
      json.attribute(utf8(each.word), each.number);
  });
}

void writeInterface(OStream &json, const LanguageInterface &interface) {
  json.object([&] {
    writeText(json, "entry_point", interface.entryPoint);
    writeText(json, "version", interface.version);
    json.attributeArray("resources", [&] {
      for (const PlacedResource &resource : interface.resources)
        json.object([&] {
          writeText(json, "kind", resource.kind);
          writeText(json, "name", resource.name);
          json.attribute("set", resource.set);
          json.attribute("binding", resource.binding);
          json.attribute("count", resource.count);
          json.attribute("writes", resource.writes);
          writePlace(json, resource.place);
          if (resource.sampler)
            json.attributeObject("sampler", [&] {
              json.attribute("set", resource.sampler->first);
              json.attribute("binding", resource.sampler->second);
            });
        });
    });
    json.attributeArray("values", [&] {
      for (const PlacedValues &values : interface.values)
        json.object([&] {
          writeText(json, "what", values.what);
          writeText(json, "kind", values.kind);
          writeText(json, "name", values.name);
          json.attribute("bytes", values.bytes);
          writePlace(json, values.place);
        });
    });
    writeTexts(json, "features", interface.features);
  });
}

void writeRefusal(OStream &json, const Refusal &refusal) {
  json.object([&] {
    writeText(json, "technique", refusal.technique);
    if (refusal.variant.empty())
      json.attribute("variant", nullptr);
    else
      writeText(json, "variant", refusal.variant);
    writeText(json, "reason", refusal.reason);
    writeText(json, "location", refusal.location);
    writeTexts(json, "causes", refusal.causes);
  });
}

void writeKernel(OStream &json, const KernelInfo &kernel, const KernelMembers &members) {
  json.object([&] {
    writeText(json, "name", kernel.name);
    writeText(json, "entry_point", kernel.entryPoint);
    writeText(json, "source_hash", kernel.sourceHash);
    json.attributeObject("authored", [&] {
      writeDim(json, "local_size", kernel.authoredSize);
      json.attribute("shared_bytes", kernel.facts.sharedBytes);
      writeText(json, "spelling", kernel.spelling);
    });
    writeFacts(json, kernel.facts);
    json.attributeArray("variants", [&] {
      for (const VariantInfo &variant : kernel.variants)
        writeVariant(json, kernel, variant);
    });
    json.attributeArray("refused", [&] {
      for (const Refusal &refusal : kernel.refused)
        writeRefusal(json, refusal);
    });
    if (kernel.assumedGroups)
      writeDim(json, "assumed_groups", *kernel.assumedGroups);
    else
      json.attribute("assumed_groups", nullptr);
    if (members)
      members(json, kernel);
  });
}

} // namespace

void writeManifestJson(OStream &json, const Bundle &bundle, const KernelMembers &members) {
  json.object([&] {
    json.attribute("schema", kManifestSchema);
    writeText(json, "tool", bundle.tool);
    json.attributeArray("kernels", [&] {
      for (const KernelInfo &kernel : bundle.kernels)
        writeKernel(json, kernel, members);
    });
    json.attributeArray("interfaces", [&] {
      for (const LanguageInterface &interface : bundle.interfaces)
        writeInterface(json, interface);
    });
  });
}

} // namespace tailor

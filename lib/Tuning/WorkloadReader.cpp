//===- Tuning/WorkloadReader.cpp - The workload file as text --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A named size is laid over the rest of the file as text, member by member, and
// the result is read as if it stood there alone. Each value keeps its own line
// and column, so that a message points at whichever of the two is wrong.
//
//===----------------------------------------------------------------------===//
#include "Support/Files.h"
#include "Support/Json.h"
#include "Tuning/Workload.h"
#include "Tuning/WorkloadParts.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace tailor {

namespace {

/// What a named size may override.
constexpr std::array<std::string_view, 6> kSizeMembers = {
    "grid", "groups", "bindings", "push_constants", "spec_constants", "compare"};

/// An integer member, or the default where it is absent or no integer.
uint64_t keyPart(const JsonValue &object, std::string_view name, uint64_t absent) {
  const JsonValue *value = object.find(name);
  return value && value->kind == JsonValue::Kind::Integer && !value->negative ? value->magnitude
                                                                              : absent;
}

using EntryKey = std::array<uint64_t, 3>;

EntryKey bindingKey(const JsonValue &v) {
  return {keyPart(v, "set", 0), keyPart(v, "binding", UINT64_MAX), keyPart(v, "index", 0)};
}
EntryKey offsetKey(const JsonValue &v) { return {keyPart(v, "offset", UINT64_MAX), 0, 0}; }
EntryKey idKey(const JsonValue &v) { return {keyPart(v, "id", UINT64_MAX), 0, 0}; }

void setMember(JsonValue &object, const JsonMember &member) {
  for (JsonMember &existing : object.members) {
    if (existing.name == member.name) {
      existing = member;
      return;
    }
  }
  object.members.push_back(member);
}

void removeMember(JsonValue &object, std::string_view name) {
  std::erase_if(object.members, [&](const JsonMember &m) { return m.name == name; });
}

/// Lays the entries of `over` on those of `base` with the same key; others are appended.
void mergeEntries(JsonValue &base, const JsonValue &over, EntryKey (*keyOf)(const JsonValue &)) {
  for (const JsonValue &entry : over.elements) {
    auto same = std::find_if(base.elements.begin(), base.elements.end(), [&](const JsonValue &b) {
      return b.kind == JsonValue::Kind::Object && entry.kind == JsonValue::Kind::Object &&
             keyOf(b) == keyOf(entry);
    });
    if (same == base.elements.end()) {
      base.elements.push_back(entry);
      continue;
    }
    for (const JsonMember &member : entry.members)
      setMember(*same, member);
  }
}

/// The file's root with one size laid over it, without "sizes".
JsonValue withSize(const JsonValue &root, const JsonValue *size) {
  JsonValue merged = root;
  removeMember(merged, "sizes");
  if (!size)
    return merged;
  for (const JsonMember &member : size->members) {
    if (std::find(kSizeMembers.begin(), kSizeMembers.end(), member.name) == kSizeMembers.end())
      continue; // reported by checkSizeMembers
    auto base = std::find_if(merged.members.begin(), merged.members.end(),
                             [&](const JsonMember &m) { return m.name == member.name; });
    bool mergeable = base != merged.members.end() && base->value.kind == JsonValue::Kind::Array &&
                     member.value.kind == JsonValue::Kind::Array;
    if (mergeable && member.name == "bindings")
      mergeEntries(base->value, member.value, bindingKey);
    else if (mergeable && member.name == "push_constants")
      mergeEntries(base->value, member.value, offsetKey);
    else if (mergeable && member.name == "spec_constants")
      mergeEntries(base->value, member.value, idKey);
    else
      setMember(merged, member);
    // A size that gives one of the two replaces the other.
    if (member.name == "grid" && !size->find("groups"))
      removeMember(merged, "groups");
    if (member.name == "groups" && !size->find("grid"))
      removeMember(merged, "grid");
  }
  merged.line = size->line; // what the size as a whole lacks is reported there
  merged.column = size->column;
  return merged;
}

/// Reports values that the size may not override, and misspelt members, where
/// they stand. The merged object's own check would blame the wrong object.
void checkSizeMembers(const JsonDocument &doc, const JsonMember &size, Diagnostics &diags) {
  JsonObject object(doc, size.value, "size '" + size.name + "'", diags);
  for (std::string_view name : kSizeMembers)
    object.get(name);
  object.reportUnknown();
  if (size.name.empty())
    diags.error(doc.at(size), "a size must have a name");
}

std::vector<PushConstantValue> parsePushConstants(JsonObject &root) {
  std::vector<PushConstantValue> values;
  const JsonValue *list = root.array("push_constants");
  if (!list)
    return values;
  for (const JsonValue &entry : list->elements) {
    JsonObject object(root.document(), entry, "a push constant", root.diagnostics());
    PushConstantValue value;
    value.location = root.document().at(entry);
    object.require("offset");
    std::optional<uint32_t> offset = object.integer32("offset", 0, 65535);
    object.string("name");
    std::optional<TypedValue> typed = parseTypedValue(object);
    object.reportUnknown();
    if (!offset || !typed)
      continue;
    value.offset = *offset;
    value.data = std::move(typed->data);
    values.push_back(std::move(value));
  }
  std::sort(values.begin(), values.end(), [](const auto &a, const auto &b) {
    return std::tie(a.offset, a.location.line, a.location.column) <
           std::tie(b.offset, b.location.line, b.location.column);
  });
  for (size_t i = 1; i < values.size(); ++i) {
    const PushConstantValue &before = values[i - 1];
    if (before.offset + before.data.size() <= values[i].offset)
      continue;
    root.diagnostics()
        .error(values[i].location,
               "the push constant at offset " + std::to_string(values[i].offset) +
                   " overlaps the one at offset " + std::to_string(before.offset))
        .addNote(before.location, "the other is here");
  }
  return values;
}

std::map<uint32_t, SpecConstantValue> parseSpecConstants(JsonObject &root) {
  std::map<uint32_t, SpecConstantValue> values;
  const JsonValue *list = root.array("spec_constants");
  if (!list)
    return values;
  for (const JsonValue &entry : list->elements) {
    JsonObject object(root.document(), entry, "a specialization constant", root.diagnostics());
    object.require("id");
    std::optional<uint32_t> id = object.integer32("id");
    object.string("name");
    std::optional<TypedValue> typed = parseTypedValue(object);
    object.reportUnknown();
    if (!id || !typed)
      continue;
    if (typed->count != 1) {
      object.error("a specialization constant has one value, not an array");
      continue;
    }
    SpecConstantValue value;
    value.bytes = static_cast<uint32_t>(typed->data.size());
    value.location = root.document().at(entry);
    for (size_t i = 0; i < typed->data.size(); ++i)
      value.bits |= std::to_integer<uint64_t>(typed->data[i]) << (8 * i);
    if (!values.emplace(*id, value).second)
      object.error("specialization constant " + std::to_string(*id) + " appears twice");
  }
  return values;
}

std::vector<WorkloadBinding> parseBindings(JsonObject &root, const vulkan::CompareRule &rule) {
  std::vector<WorkloadBinding> bindings;
  const JsonValue *list = root.array("bindings");
  if (!list)
    return bindings;
  for (const JsonValue &entry : list->elements) {
    JsonObject object(root.document(), entry, "a binding", root.diagnostics());
    if (std::optional<WorkloadBinding> binding = parseBinding(object, rule))
      bindings.push_back(std::move(*binding));
  }
  auto keyOf = [](const WorkloadBinding &b) {
    return std::tie(b.desc.set, b.desc.binding, b.desc.element);
  };
  std::sort(bindings.begin(), bindings.end(), [&](const auto &a, const auto &b) {
    return std::tuple(keyOf(a), a.location.line, a.location.column) <
           std::tuple(keyOf(b), b.location.line, b.location.column);
  });
  for (size_t i = 1; i < bindings.size(); ++i) {
    if (keyOf(bindings[i - 1]) == keyOf(bindings[i]))
      root.diagnostics()
          .error(bindings[i].location, "set " + std::to_string(bindings[i].desc.set) + " binding " +
                                           std::to_string(bindings[i].desc.binding) +
                                           " appears twice")
          .addNote(bindings[i - 1].location, "the first is here");
  }
  return bindings;
}

ProblemSize parseSize(const JsonDocument &doc, const JsonValue &merged, std::string name,
                      Diagnostics &diags) {
  JsonObject root(doc, merged, "the workload", diags);
  for (const char *known : {"schema", "kernel", "entry", "sizes"})
    root.get(known);
  ProblemSize size;
  size.name = std::move(name);
  size.location = doc.at(merged);
  size.groups = parseExtents(root, "groups");
  size.grid = parseExtents(root, "grid");
  if (root.has("groups") && root.has("grid"))
    root.error("'grid' and 'groups' exclude each other");
  if (!root.has("groups") && !root.has("grid"))
    root.error("size '" + size.name +
               "' has neither 'grid' (invocations) nor 'groups' "
               "(workgroups)");
  vulkan::CompareRule rule = parseCompare(root).value_or(vulkan::CompareRule{});
  size.bindings = parseBindings(root, rule);
  size.pushConstants = parsePushConstants(root);
  size.specConstants = parseSpecConstants(root);
  root.reportUnknown();
  bool anyOutput = std::any_of(size.bindings.begin(), size.bindings.end(),
                               [](const WorkloadBinding &b) { return b.desc.output; });
  if (!anyOutput && !diags.hasErrors())
    root.error("size '" + size.name +
               "' has no binding with \"output\": true, so nothing could "
               "be verified");
  return size;
}

/// Adds what is not there yet: a fault of the common part shows in every size.
void emitOnce(Diagnostics &diags, const Diagnostics &found) {
  for (const Diagnostic &diagnostic : found.all()) {
    bool known = std::any_of(diags.all().begin(), diags.all().end(), [&](const Diagnostic &d) {
      return d.location == diagnostic.location && d.text == diagnostic.text;
    });
    if (!known)
      diags.emit(diagnostic);
  }
}

} // namespace

std::optional<Workload> parseWorkload(std::string_view text, const std::string &file,
                                      Diagnostics &diags) {
  Result<JsonDocument> parsed = parseJson(text, file);
  if (!parsed) {
    diags.emit(parsed.takeFailure().diagnostic);
    return std::nullopt;
  }
  const JsonDocument &doc = *parsed;
  Diagnostics own;
  JsonObject root(doc, doc.root, "the workload", own);
  Workload workload;
  workload.file = file;
  root.require("schema");
  std::optional<uint64_t> schema = root.integer("schema", 1);
  if (schema && *schema != kWorkloadSchema)
    root.error(*root.get("schema"), "schema " + std::to_string(*schema) +
                                        " is not known to this version, which reads schema " +
                                        std::to_string(kWorkloadSchema));
  workload.kernel = root.string("kernel");
  workload.entry = root.string("entry");
  if (own.hasErrors()) {
    emitOnce(diags, own);
    return std::nullopt;
  }

  const JsonValue *sizes = root.object("sizes");
  if (sizes && sizes->members.empty())
    root.error(*sizes, "'sizes' names no size; leave it out when there is only one");
  if (!sizes && !root.has("sizes")) {
    workload.sizes.push_back(parseSize(doc, withSize(doc.root, nullptr), "default", own));
  } else if (sizes) {
    for (const JsonMember &size : sizes->members) {
      checkSizeMembers(doc, size, own);
      if (size.value.kind != JsonValue::Kind::Object)
        continue;
      Diagnostics ofSize;
      workload.sizes.push_back(parseSize(doc, withSize(doc.root, &size.value), size.name, ofSize));
      emitOnce(own, ofSize);
    }
  }
  bool failed = own.hasErrors();
  emitOnce(diags, own);
  if (failed)
    return std::nullopt;
  return workload;
}

std::optional<Workload> readWorkload(const std::string &path, Diagnostics &diags) {
  Result<std::string> text = readFile(path);
  if (!text) {
    diags.emit(text.takeFailure().diagnostic);
    return std::nullopt;
  }
  return parseWorkload(*text, path, diags);
}

} // namespace tailor

//===- Tuning/WorkloadParts.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/WorkloadParts.h"

#include <algorithm>

namespace tailor {

using vulkan::CompareMode;
using vulkan::CompareRule;
using vulkan::ElementType;
using vulkan::ResourceKind;

namespace {

/// More than any device binds at once, and what a 32-bit range can say.
constexpr uint64_t kMaxBindingBytes = UINT32_MAX;
/// Invocations or groups on an axis; keeps every product of sizes in 64 bits.
constexpr uint32_t kMaxExtent = 1U << 31;

/// A member that must be one of the names that `parse` knows.
template <typename T>
std::optional<T> parseName(JsonObject &object, std::string_view member,
                           std::optional<T> (*parse)(std::string_view), const char *choices) {
  std::optional<std::string> text = object.string(member);
  if (!text)
    return std::nullopt;
  std::optional<T> value = parse(*text);
  if (!value)
    object.error(*object.get(member),
                 "unknown " + std::string(member) + " '" + *text + "': use " + choices);
  return value;
}

constexpr const char *kTypeNames = "u8, i8, u16, i16, u32, i32, u64, i64, f16, f32 or f64";

bool appendScalar(const JsonValue &value, ElementType type, std::vector<std::byte> &out) {
  if (value.kind == JsonValue::Kind::Integer)
    return appendInteger(out, type, value.negative, value.magnitude);
  if (value.kind == JsonValue::Kind::Number)
    return vulkan::isFloat(type) && appendElement(out, type, value.number);
  if (value.kind == JsonValue::Kind::Bool)
    return type == ElementType::U32 && appendInteger(out, type, false, value.boolean ? 1 : 0);
  return false;
}

} // namespace

std::optional<TypedValue> parseTypedValue(JsonObject &object) {
  object.require("type");
  std::string typeName = "u32";
  if (const JsonValue *type = object.get("type"); type && type->string != "bool") {
    std::optional<ElementType> parsed =
        parseName<ElementType>(object, "type", vulkan::parseElementType,
                               "bool, u8, i8, u16, i16, u32, i32, u64, i64, f16, f32 or f64");
    if (!parsed) {
      object.get("value");
      return std::nullopt;
    }
    typeName = vulkan::nameOf(*parsed);
  }
  const JsonValue *value = object.require("value");
  if (!object.has("type") || !value)
    return std::nullopt;
  TypedValue result;
  result.type = vulkan::parseElementType(typeName).value_or(ElementType::U32);
  bool isList = value->kind == JsonValue::Kind::Array;
  result.count = isList ? static_cast<uint32_t>(value->elements.size()) : 1;
  if (result.count == 0) {
    object.error(*value, "'value' must not be an empty array");
    return std::nullopt;
  }
  for (uint32_t i = 0; i < result.count; ++i) {
    const JsonValue &scalar = isList ? value->elements[i] : *value;
    if (appendScalar(scalar, result.type, result.data))
      continue;
    object.error(scalar, "this value does not fit the type " + typeName);
    return std::nullopt;
  }
  return result;
}

std::optional<Dim3> parseExtents(JsonObject &object, std::string_view name) {
  const JsonValue *list = object.array(name);
  if (!list)
    return std::nullopt;
  bool fits = !list->elements.empty() && list->elements.size() <= 3;
  Dim3 result;
  for (unsigned axis = 0; fits && axis < list->elements.size(); ++axis) {
    const JsonValue &extent = list->elements[axis];
    fits = extent.kind == JsonValue::Kind::Integer && !extent.negative && extent.magnitude >= 1 &&
           extent.magnitude <= kMaxExtent;
    if (fits)
      result[axis] = static_cast<uint32_t>(extent.magnitude);
  }
  if (fits)
    return result;
  object.error(*list, "'" + std::string(name) + "' must be one to three integers from 1 to " +
                          std::to_string(kMaxExtent));
  return std::nullopt;
}

std::optional<CompareRule> parseCompare(JsonObject &object) {
  const JsonValue *value = object.get("compare");
  if (!value)
    return std::nullopt;
  if (value->kind == JsonValue::Kind::String && value->string == "exact")
    return CompareRule{};
  if (value->kind != JsonValue::Kind::Object) {
    object.error(*value, "'compare' must be \"exact\", { \"ulp\": N } or { \"absolute\": A, "
                         "\"relative\": R }");
    return std::nullopt;
  }
  JsonObject rule(object.document(), *value, "'compare'", object.diagnostics());
  std::optional<uint64_t> ulps = rule.integer("ulp");
  std::optional<double> absolute = rule.number("absolute");
  std::optional<double> relative = rule.number("relative");
  rule.reportUnknown();
  if (absolute.value_or(0) < 0 || relative.value_or(0) < 0)
    rule.error("a tolerance must not be negative");
  bool tolerant = rule.has("absolute") || rule.has("relative");
  if (rule.has("ulp") == tolerant) {
    rule.error("'compare' must have either 'ulp' or 'absolute' and 'relative'");
    return std::nullopt;
  }
  if (tolerant)
    return CompareRule{CompareMode::Absolute, ElementType::U32, 0, absolute.value_or(0),
                       relative.value_or(0)};
  return CompareRule{CompareMode::Ulp, ElementType::U32, ulps.value_or(0), 0, 0};
}

namespace {

void parsePlacedValues(JsonObject &fill, const vulkan::ResourceDesc &desc, Fill &result) {
  fill.require("values");
  const JsonValue *list = fill.array("values");
  if (!list)
    return;
  if (!vulkan::isBuffer(desc.kind)) {
    fill.error("only a buffer can be filled with 'values'");
    return;
  }
  for (const JsonValue &entry : list->elements) {
    JsonObject object(fill.document(), entry, "a value", fill.diagnostics());
    object.require("offset");
    std::optional<uint64_t> offset = object.integer("offset", 0, kMaxBindingBytes);
    object.string("name");
    std::optional<TypedValue> typed = parseTypedValue(object);
    object.reportUnknown();
    if (!offset || !typed)
      continue;
    if (*offset + typed->data.size() > desc.bytes && desc.bytes != 0)
      object.error("the value ends at byte " + std::to_string(*offset + typed->data.size()) +
                   ", the buffer has " + std::to_string(desc.bytes));
    result.values.push_back({*offset, std::move(typed->data)});
  }
}

/// Reads "fill"; a fault leaves the default.
Fill parseFill(JsonObject &binding, const vulkan::ResourceDesc &desc) {
  Fill fill;
  fill.kind = desc.output ? Fill::Kind::Poison : Fill::Kind::Zero;
  fill.location = binding.document().at(binding.value());
  const JsonValue *value = binding.get("fill");
  if (!value)
    return fill;
  fill.location = binding.document().at(*value);
  std::string kind = value->string;
  JsonValue shorthand; // "zero" means { "kind": "zero" }
  if (value->kind == JsonValue::Kind::String) {
    shorthand.kind = JsonValue::Kind::Object;
    shorthand.line = value->line;
    shorthand.column = value->column;
    shorthand.members.push_back({"kind", value->line, value->column, *value});
    value = &shorthand;
  }
  JsonObject object(binding.document(), *value, "'fill'", binding.diagnostics());
  object.require("kind");
  kind = object.string("kind").value_or("");
  if (kind == "zero") {
    fill.kind = Fill::Kind::Zero;
  } else if (kind == "poison") {
    fill.kind = Fill::Kind::Poison;
  } else if (kind == "sequence") {
    fill.kind = Fill::Kind::Sequence;
  } else if (kind == "random") {
    fill.kind = Fill::Kind::Random;
    fill.seed = object.integer("seed").value_or(0);
    fill.min = object.number("min");
    fill.max = object.number("max");
    if (fill.min && fill.max && *fill.min > *fill.max)
      object.error("'min' is greater than 'max'");
    else if (fill.min.has_value() != fill.max.has_value())
      object.error("'min' and 'max' must be given together");
  } else if (kind == "values") {
    fill.kind = Fill::Kind::Values;
    parsePlacedValues(object, desc, fill);
  } else if (kind == "file") {
    fill.kind = Fill::Kind::File;
    object.require("path");
    fill.path = object.string("path").value_or("");
  } else if (object.has("kind")) {
    if (object.get("kind")->kind == JsonValue::Kind::String)
      object.error(*object.get("kind"), "unknown fill '" + kind +
                                            "': use zero, sequence, random, values, file or "
                                            "poison");
    return fill;
  }
  object.reportUnknown();
  return fill;
}

void parseSampler(JsonObject &object, vulkan::SamplerDesc &sampler) {
  sampler.filter =
      parseName<vulkan::Filter>(object, "filter", vulkan::parseFilter, "nearest or linear")
          .value_or(sampler.filter);
  sampler.address =
      parseName<vulkan::AddressMode>(object, "address", vulkan::parseAddressMode,
                                     "clamp_to_edge, repeat, mirrored_repeat or clamp_to_border")
          .value_or(sampler.address);
  sampler.unnormalized = object.boolean("unnormalized").value_or(false);
}

bool hasFileFill(const JsonObject &object) {
  const JsonValue *fill = object.value().find("fill");
  const JsonValue *kind = fill ? fill->find("kind") : nullptr;
  return kind && kind->string == "file";
}

void parseImage(JsonObject &object, WorkloadBinding &binding) {
  vulkan::ResourceDesc &desc = binding.desc;
  object.require("format");
  desc.format = object.string("format").value_or("");
  const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format);
  if (!format && !desc.format.empty())
    object.error(*object.get("format"), "unknown image format '" + desc.format +
                                            "': use a GLSL layout name such as rgba8");
  desc.dim = parseName<vulkan::ImageDim>(object, "dim", vulkan::parseImageDim,
                                         "1d, 2d, 3d, 1d_array, 2d_array or cube")
                 .value_or(vulkan::ImageDim::D2);
  if (!hasFileFill(object)) // a picture brings its own extent
    object.require("extent");
  desc.extent = parseExtents(object, "extent").value_or(Dim3{0, 0, 0});
  if (!format)
    return;
  binding.element = ElementType::U32;
  if (std::optional<ElementFormat> element = elementFormatOf(*format))
    binding.element = element->type;
  uint64_t texels = desc.extent.product();
  if (texels > kMaxBindingBytes / std::max(format->texelBytes, 1U))
    object.error("an image has at most " + std::to_string(kMaxBindingBytes) + " bytes");
}

} // namespace

std::optional<WorkloadBinding> parseBinding(JsonObject &object, const CompareRule &rule) {
  WorkloadBinding binding;
  vulkan::ResourceDesc &desc = binding.desc;
  binding.location = object.document().at(object.value());
  desc.set = object.integer32("set", 0, 255).value_or(0);
  object.require("binding");
  desc.binding = object.integer32("binding").value_or(0);
  desc.element = object.integer32("index", 0, 65535).value_or(0);
  desc.name = object.string("name").value_or("");
  object.require("kind");
  std::optional<ResourceKind> kind = parseName<ResourceKind>(
      object, "kind", vulkan::parseResourceKind,
      "storage_buffer, uniform_buffer, storage_image, sampled_image, sampler or "
      "combined_image_sampler");
  if (!kind)
    return std::nullopt;
  desc.kind = *kind;
  if (*kind == ResourceKind::StorageBuffer || *kind == ResourceKind::StorageImage)
    desc.output = object.boolean("output").value_or(false);
  if (vulkan::isBuffer(*kind)) {
    object.require("bytes");
    desc.bytes = object.integer("bytes", 1, kMaxBindingBytes).value_or(0);
    binding.element =
        parseName<ElementType>(object, "element", vulkan::parseElementType, kTypeNames)
            .value_or(ElementType::U32);
    if (desc.output && desc.bytes % vulkan::bytesOf(binding.element) != 0)
      object.error("an output of " + std::to_string(desc.bytes) +
                   " bytes is no whole number of elements of type " +
                   std::string(vulkan::nameOf(binding.element)));
  }
  if (*kind == ResourceKind::Sampler || *kind == ResourceKind::CombinedImageSampler)
    parseSampler(object, desc.sampler);
  if (vulkan::isImage(*kind))
    parseImage(object, binding);
  if (*kind != ResourceKind::Sampler)
    binding.fill = parseFill(object, desc);
  binding.compare = rule;
  if (desc.output)
    binding.compare = parseCompare(object).value_or(rule);
  binding.compare.type = binding.element;
  object.reportUnknown();
  return binding;
}

} // namespace tailor

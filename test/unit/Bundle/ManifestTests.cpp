//===- Bundle/ManifestTests.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Files.h"
#include "TestBundle.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace tailor;
using namespace tailor::test;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string manifestText(const Bundle &bundle) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  writeManifestJson(json, bundle);
  return text;
}

Value manifestOf(const Bundle &bundle) {
  llvm::Expected<Value> value = llvm::json::parse(manifestText(bundle));
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return nullptr;
  }
  return *value;
}

/// The object's field names, in the order of the file: llvm's Object keeps them unordered.
std::vector<std::string> fieldsOf(const Object &object) {
  std::vector<std::string> names;
  for (const auto &field : object)
    names.push_back(field.first.str());
  std::sort(names.begin(), names.end());
  return names;
}

const Object &objectIn(const Object &object, llvm::StringRef name, size_t index) {
  return *(*object.getArray(name))[index].getAsObject();
}

/// Adds the names of all fields, at any depth.
void collectNames(const Value &value, std::set<std::string> &names) {
  if (const Object *object = value.getAsObject())
    for (const auto &field : *object) {
      names.insert(field.first.str());
      collectNames(field.second, names);
    }
  if (const Array *array = value.getAsArray())
    for (const Value &element : *array)
      collectNames(element, names);
}

} // namespace

TEST(Manifest, HasExactlyTheDocumentedFields) {
  Value root = manifestOf(sampleBundle());
  const Object *manifest = root.getAsObject();
  ASSERT_TRUE(manifest);
  EXPECT_THAT(fieldsOf(*manifest), ElementsAre("interfaces", "kernels", "schema", "tool"));
  EXPECT_EQ(manifest->getInteger("schema"), 1);
  ASSERT_EQ(manifest->getArray("kernels")->size(), 2u);
  const Object &kernel = objectIn(*manifest, "kernels", 0);
  EXPECT_THAT(fieldsOf(kernel), ElementsAre("assumed_groups", "authored", "entry_point", "facts",
                                            "name", "refused", "source_hash", "variants"));
  EXPECT_THAT(fieldsOf(*kernel.getObject("authored")),
              ElementsAre("local_size", "shared_bytes", "spelling"));
  const Object &facts = *kernel.getObject("facts");
  EXPECT_THAT(fieldsOf(facts),
              ElementsAre("accesses", "atomics", "barriers_in_loops", "class", "control_barriers",
                          "ids", "shared_bytes", "subgroup_ops"));
  EXPECT_THAT(fieldsOf(objectIn(facts, "accesses", 0)),
              ElementsAre("binding", "bytes", "location", "op", "pattern", "set", "space",
                          "stride_bytes", "variable"));
  const Object &variant = objectIn(kernel, "variants", 1);
  EXPECT_THAT(fieldsOf(variant),
              ElementsAre("assumes", "chosen_for", "dispatch", "evidence", "files", "guard", "id",
                          "interface", "local_size", "shared_bytes", "skipped", "spec_constants",
                          "steps", "technique", "why"));
  EXPECT_THAT(fieldsOf(objectIn(variant, "steps", 0)),
              ElementsAre("local_size", "parameters", "technique"));
  const Object &dispatch = *variant.getObject("dispatch");
  EXPECT_THAT(fieldsOf(dispatch), ElementsAre("bounds", "div", "mul", "rule"));
  EXPECT_THAT(fieldsOf(objectIn(dispatch, "bounds", 0)),
              ElementsAre("axis", "expr", "inclusive", "location", "signed", "text"));
  EXPECT_THAT(fieldsOf(objectIn(kernel, "refused", 0)),
              ElementsAre("causes", "location", "reason", "technique", "variant"));
  const Object &interface = objectIn(*manifest, "interfaces", 0);
  EXPECT_THAT(fieldsOf(interface),
              ElementsAre("entry_point", "features", "resources", "values", "version"));
  EXPECT_THAT(fieldsOf(objectIn(interface, "resources", 0)),
              ElementsAre("binding", "count", "kind", "name", "place", "set", "writes"));
  EXPECT_THAT(fieldsOf(objectIn(interface, "resources", 1)),
              ElementsAre("binding", "count", "kind", "name", "place", "sampler", "set", "writes"));
  EXPECT_THAT(fieldsOf(objectIn(interface, "values", 0)),
              ElementsAre("bytes", "kind", "name", "place", "what"));
}

TEST(Manifest, ValuesOfAKernel) {
  Value root = manifestOf(sampleBundle());
  const Object &kernel = objectIn(*root.getAsObject(), "kernels", 0);
  EXPECT_EQ(kernel.getString("entry_point"), "main");
  EXPECT_EQ(*kernel.getObject("authored")->get("local_size"), Value(Array{16, 16, 1}));
  EXPECT_EQ(kernel.getObject("authored")->getInteger("shared_bytes"), 1296);
  const Object &facts = *kernel.getObject("facts");
  EXPECT_EQ(facts.getInteger("control_barriers"), 2);
  const Object &load = objectIn(facts, "accesses", 0);
  EXPECT_EQ(load.getInteger("set"), 1);
  EXPECT_EQ(*load.get("stride_bytes"), Value(Array{4, 7680, nullptr}));
  EXPECT_EQ(load.getString("pattern"), "strided");
  const Object &store = objectIn(facts, "accesses", 1);
  EXPECT_EQ(*store.get("binding"), Value(nullptr));
  EXPECT_EQ(*store.get("pattern"), Value(nullptr));
  EXPECT_EQ(*objectIn(kernel, "refused", 0).get("causes"),
            Value(Array{"blur.comp:8:5: the branch", "blur.comp:7:1: its condition"}));
}

TEST(Manifest, ValuesOfVariants) {
  Value root = manifestOf(sampleBundle());
  const Object &kernel = objectIn(*root.getAsObject(), "kernels", 0);
  const Object &authored = objectIn(kernel, "variants", 0);
  EXPECT_EQ(authored.getString("id"), "authored");
  EXPECT_EQ(*authored.get("guard"), Value(nullptr));
  EXPECT_EQ(*authored.get("spec_constants"), Value(Object{{"3", 64}, {"7", UINT64_MAX}}));
  EXPECT_EQ(*authored.get("files"),
            Value(Object{{"spirv", "blur.authored.spv"}, {"glsl", "blur.authored.comp.glsl"}}));
  const Object &resized = objectIn(kernel, "variants", 1);
  EXPECT_EQ(resized.getString("evidence"), "proven");
  EXPECT_EQ(resized.getString("chosen_for"), "nvidia-h200");
  EXPECT_EQ(*resized.get("assumes"), Value(Array{"grid-covers-bound"}));
  EXPECT_EQ(resized.getObject("skipped")->size(), 1u);
  const Object one{{"op", "constant"}, {"value", 1}};
  const Object width{{"op", "add"},
                     {"operands", Array{Object{{"op", "push_constant"}, {"offset", 4}},
                                        Object{{"op", "constant"}, {"value", UINT32_MAX}}}}};
  EXPECT_EQ(
      *resized.get("dispatch"),
      Value(Object{
          {"rule", "cover"},
          {"mul", Array{16, 16, 1}},
          {"div", Array{64, 1, 1}},
          {"bounds",
           Array{
               Object{{"axis", "x"},
                      {"text", "gid.x <= (push_constant[4] - 1)"},
                      {"signed", true},
                      {"inclusive", true},
                      {"location", "blur.comp:12:7"},
                      {"expr", Object{{"op", "add"},
                                      {"operands",
                                       Array{Object{{"op", "push_constant"}, {"offset", 4}},
                                             Object{{"op", "constant"}, {"value", UINT32_MAX}}}}}}},
               Object{{"axis", "y"},
                      {"text", "gid.y < image_size(0,1).y"},
                      {"signed", false},
                      {"inclusive", false},
                      {"location", "word 77"},
                      {"expr",
                       Object{{"op", "image_size"}, {"set", 0}, {"binding", 1}, {"component", 1}}}},
               Object{{"axis", "y"},
                      {"text", "(gid.x + (push_constant[4] - 1)*gid.y + 3) / 5 <= 4096"},
                      {"signed", false},
                      {"inclusive", true},
                      {"location", ""},
                      {"expr", Object{{"op", "constant"}, {"value", 4096}}},
                      {"terms", Array{Object{{"axis", "x"}, {"factor", Value(Object(one))}},
                                      Object{{"axis", "y"}, {"factor", Value(Object(width))}}}},
                      {"offset", Object{{"op", "constant"}, {"value", 3}}},
                      {"divisor", Object{{"op", "constant"}, {"value", 5}}}}}}}));
  const Object &guarded = objectIn(kernel, "variants", 2);
  EXPECT_EQ(*guarded.get("guard"),
            Value(Object{{"kind", "push_constant"}, {"offset", 16}, {"bytes", 12}}));
  EXPECT_EQ(guarded.getString("evidence"), "declared");
  const Object &composed = objectIn(kernel, "variants", 3);
  EXPECT_EQ(*composed.get("guard"),
            Value(Object{{"kind", "spec_constant"}, {"ids", Array{7, 8, 9}}}));
  EXPECT_EQ(
      *composed.get("steps"),
      Value(Array{
          Object{{"technique", "remap"}, {"local_size", Array{8, 16, 1}}, {"parameters", Object{}}},
          Object{{"technique", "swizzle"},
                 {"local_size", Array{8, 16, 1}},
                 {"parameters", Object{{"order", "tile"}, {"tile", "4x4"}}}}}));
  EXPECT_EQ(*objectIn(kernel, "refused", 0).get("variant"), Value(nullptr));
  EXPECT_EQ(objectIn(kernel, "refused", 1).getString("variant"), "coarsen-4x4x1");
}

TEST(Manifest, FieldsAreInTheOrderOfTheDocumentation) {
  std::string text = manifestText(sampleBundle());
  size_t at = 0;
  for (const char *name :
       {"schema",    "tool",       "kernels",        "name",     "entry_point", "source_hash",
        "authored",  "local_size", "facts",          "accesses", "variants",    "id",
        "technique", "dispatch",   "rule",           "mul",      "div",         "bounds",
        "assumes",   "guard",      "spec_constants", "evidence", "why",         "skipped",
        "files",     "refused"}) {
    size_t next = text.find("\"" + std::string(name) + "\"", at);
    ASSERT_NE(next, std::string::npos) << name;
    at = next;
  }
}

TEST(Manifest, LeavesNameTheirParameters) {
  Bundle bundle = sampleBundle();
  auto &bounds = bundle.kernels[0].variants[1].dispatch.bounds;
  bounds[0].bound = leaf(UniformExpr::Op::ArrayLength, {1, 2, 16, 4});
  bounds[1].bound =
      binary(UniformExpr::Op::SMax, leaf(UniformExpr::Op::SpecConstant, {3, 64, 0, 0}),
             leaf(UniformExpr::Op::BufferValue, {0, 5, 8, 0}));
  std::string text = manifestText(bundle);
  Value root = manifestOf(bundle);
  const Object &dispatch =
      *objectIn(objectIn(*root.getAsObject(), "kernels", 0), "variants", 1).getObject("dispatch");
  EXPECT_EQ(
      *objectIn(dispatch, "bounds", 0).get("expr"),
      Value(Object{
          {"op", "array_length"}, {"set", 1}, {"binding", 2}, {"offset", 16}, {"stride", 4}}));
  EXPECT_EQ(
      *objectIn(dispatch, "bounds", 1).get("expr"),
      Value(Object{
          {"op", "smax"},
          {"operands",
           Array{Object{{"op", "spec_constant"}, {"spec_id", 3}, {"default", 64}},
                 Object{{"op", "buffer_value"}, {"set", 0}, {"binding", 5}, {"offset", 8}}}}}));
}

// docs/formats.md is the reference: each name that a manifest can hold is in it.
TEST(Manifest, DocumentationNamesEveryField) {
  Result<std::string> docs = readFile(TAILOR_SOURCE_DIR "/docs/formats.md");
  ASSERT_TRUE(docs) << docs.diagnostic().text;
  std::set<std::string> names;
  Bundle bundle = sampleBundle();
  for (unsigned op = 0; op <= static_cast<unsigned>(UniformExpr::Op::Select); ++op) {
    auto kind = static_cast<UniformExpr::Op>(op);
    names.insert(std::string(nameOf(kind)));
    UniformExpr expr = leaf(kind, {});
    if (!expr.isLeaf())
      expr.operands.assign(kind == UniformExpr::Op::Select ? 3 : 2, UniformExpr::constant(1));
    bundle.kernels[0].variants[1].dispatch.bounds.push_back({0, expr, false, false, {}});
  }
  Value root = manifestOf(bundle);
  collectNames(root, names);
  EXPECT_GT(names.size(), 60u);
  for (const std::string &name : names) {
    if (name.find_first_not_of("0123456789") == std::string::npos)
      continue; // a SpecId
    EXPECT_THAT(*docs, HasSubstr("`" + name + "`"));
  }
}

TEST(Manifest, AnyBytesBecomeValidJson) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].name = "caf\xe9\x1b[31m\"";
  bundle.kernels[0].variants[1].skipped["\xff"] = "\xfe";
  EXPECT_THAT(manifestText(bundle), HasSubstr("caf"));
  EXPECT_TRUE(manifestOf(bundle).getAsObject());
}

TEST(Manifest, FileNames) {
  Bundle bundle = sampleBundle();
  KernelInfo kernel = bundle.kernels[0];
  VariantInfo variant = kernel.variants[1];
  EXPECT_EQ(fileNameOf(kernel, variant, "spirv"), "blur.resize-64x1x1.spv");
  EXPECT_EQ(fileNameOf(kernel, variant, "glsl"), "blur.resize-64x1x1.comp.glsl");
  EXPECT_EQ(fileNameOf(kernel, variant, "essl"), "blur.resize-64x1x1.comp.essl");
  EXPECT_EQ(fileNameOf(kernel, variant, "hlsl"), "blur.resize-64x1x1.hlsl");
  EXPECT_EQ(fileNameOf(kernel, variant, "msl"), "blur.resize-64x1x1.metal");
  EXPECT_EQ(fileNameOf(kernel, variant, "wgsl"), "blur.resize-64x1x1.wgsl");
  kernel.name = "../../etc/passwd";
  EXPECT_EQ(fileNameOf(kernel, variant, "spirv"), "_._.._etc_passwd.resize-64x1x1.spv");
  kernel.name = "";
  EXPECT_EQ(fileNameOf(kernel, variant, "../x"), "_.resize-64x1x1._._x");
  kernel.name = std::string(5000, 'k');
  std::string first = fileNameOf(kernel, variant, "spirv");
  kernel.name.back() = 'j';
  EXPECT_LE(first.size(), 255u);
  EXPECT_NE(first, fileNameOf(kernel, variant, "spirv"));
}

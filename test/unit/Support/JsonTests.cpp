//===- JsonTests.cpp - JSON whose values know their place -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Json.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tailor;

namespace {

std::string textOf(const Diagnostics &diags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, diags);
  return os.str();
}

std::string failureOf(std::string_view text) {
  Result<JsonDocument> document = parseJson(text, "w.json");
  if (document)
    return "accepted";
  Diagnostics diags;
  diags.emit(document.takeFailure().diagnostic);
  return textOf(diags);
}

} // namespace

TEST(Json, ValuesKeepTheirPlace) {
  Result<JsonDocument> doc = parseJson("{ \"a\" : 1,\n  \"b\": [true, -2.5,\n\"x\\n\", null] ,\n"
                                       "\t\"c\":{\"d\" :18446744073709551615}}\n",
                                       "w.json");
  ASSERT_TRUE(doc) << doc.diagnostic().text;
  const JsonValue &root = doc->root;
  EXPECT_EQ(doc->at(root).str(), "w.json:1:1");
  EXPECT_EQ(doc->at(root.members[0]).str(), "w.json:1:3");
  EXPECT_EQ(doc->at(*root.find("a")).str(), "w.json:1:9");
  const JsonValue &b = *root.find("b");
  EXPECT_EQ(doc->at(b).str(), "w.json:2:8");
  ASSERT_EQ(b.elements.size(), 4U);
  EXPECT_EQ(doc->at(b.elements[0]).str(), "w.json:2:9");
  EXPECT_EQ(doc->at(b.elements[1]).str(), "w.json:2:15");
  EXPECT_EQ(doc->at(b.elements[2]).str(), "w.json:3:1");
  EXPECT_EQ(doc->at(b.elements[3]).str(), "w.json:3:8");
  EXPECT_EQ(b.elements[1].number, -2.5);
  EXPECT_EQ(b.elements[2].string, "x\n");
  const JsonValue &d = *root.find("c")->find("d");
  EXPECT_EQ(doc->at(d).str(), "w.json:4:12");
  EXPECT_EQ(d.kind, JsonValue::Kind::Integer);
  EXPECT_EQ(d.magnitude, UINT64_MAX);
}

TEST(Json, IntegersAreExact) {
  Result<JsonDocument> doc = parseJson("[-9223372036854775808, -1, 0, 4294967296, 1.0]", "f");
  ASSERT_TRUE(doc);
  const std::vector<JsonValue> &e = doc->root.elements;
  EXPECT_TRUE(e[0].negative);
  EXPECT_EQ(e[0].magnitude, uint64_t{1} << 63);
  EXPECT_TRUE(e[1].negative);
  EXPECT_EQ(e[1].magnitude, 1U);
  EXPECT_EQ(e[3].magnitude, uint64_t{1} << 32);
  EXPECT_EQ(e[4].kind, JsonValue::Kind::Number) << "1.0 is no integer";
}

TEST(Json, SyntaxErrorsStandAtTheirPlace) {
  EXPECT_EQ(failureOf(""), "w.json:1:1: error: the file is empty\n");
  EXPECT_EQ(failureOf("{\"a\":1,\n \"b\" 2}"),
            "w.json:2:6: error: expected ':' after the member name\n");
  EXPECT_EQ(failureOf("{\"a\":1\n \"b\":2}"),
            "w.json:2:2: error: expected ',' or '}' after the member\n");
  EXPECT_EQ(failureOf("[1,\n 2"), "w.json:2:3: error: expected ',' or ']' after the element\n");
  EXPECT_EQ(failureOf("[1, nul]"), "w.json:1:8: error: expected a JSON value\n");
  EXPECT_EQ(failureOf("{} {}"),
            "w.json:1:4: error: there is more text after the end of the value\n");
  EXPECT_EQ(failureOf("{\"a\": \"b"),
            "w.json:1:9: error: the string has no closing quotation mark\n");
  EXPECT_EQ(failureOf("{\"a\": 1,}"),
            "w.json:1:9: error: expected a member name in quotation marks\n");
}

TEST(Json, DuplicateNamesAreRefused) {
  EXPECT_EQ(failureOf("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}"),
            "w.json:3:2: error: member 'a' appears twice\nw.json:1:2: note: the first is here\n");
  EXPECT_EQ(failureOf("[{\"a\": 1}, {\"a\": 3}]"), "accepted");
}

TEST(Json, DepthIsLimited) {
  std::string deep(kMaxJsonDepth, '[');
  EXPECT_EQ(failureOf(deep + std::string(kMaxJsonDepth, ']')), "accepted");
  EXPECT_EQ(failureOf("[" + deep + std::string(kMaxJsonDepth + 1, ']')),
            "w.json:1:65: error: values are nested more than 64 levels deep\n");
  // Far deeper than any call stack, and never closed.
  EXPECT_EQ(failureOf(std::string(1 << 20, '[')),
            "w.json:1:65: error: values are nested more than 64 levels deep\n");
}

TEST(Json, BytesThatAreNoText) {
  EXPECT_EQ(failureOf(std::string_view("{\0}", 3)),
            "w.json:1:2: error: the file holds a zero byte and is not JSON text\n");
  EXPECT_NE(failureOf("[\"\xff\"]").find("w.json:1:"), std::string::npos);
  EXPECT_NE(failureOf("\x7f"
                      "ELF"),
            "accepted");
}

TEST(Json, TypedAccessorsReportTypeAndRange) {
  Result<JsonDocument> doc = parseJson("{\n \"bytes\": -4,\n \"set\": 300,\n \"name\": 1,\n"
                                       " \"output\": \"yes\",\n \"list\": {},\n \"x\": \"1\"\n}",
                                       "w.json");
  ASSERT_TRUE(doc);
  Diagnostics diags;
  JsonObject object(*doc, doc->root, "a binding", diags);
  EXPECT_FALSE(object.integer("bytes", 1));
  EXPECT_FALSE(object.integer32("set", 0, 255));
  EXPECT_FALSE(object.string("name"));
  EXPECT_FALSE(object.boolean("output"));
  EXPECT_FALSE(object.array("list"));
  EXPECT_FALSE(object.number("x"));
  EXPECT_FALSE(object.integer("absent"));
  EXPECT_FALSE(object.require("kind"));
  object.reportUnknown();
  EXPECT_EQ(textOf(diags), "w.json:2:11: error: 'bytes' must be a positive integer\n"
                           "w.json:3:9: error: 'set' must be an integer from 0 to 255\n"
                           "w.json:4:10: error: 'name' must be a string\n"
                           "w.json:5:12: error: 'output' must be true or false\n"
                           "w.json:6:10: error: 'list' must be an array\n"
                           "w.json:7:7: error: 'x' must be a number\n"
                           "w.json:1:1: error: a binding lacks 'kind'\n");
}

TEST(Json, UnknownMembersNameTheNearest) {
  Result<JsonDocument> doc = parseJson("{\"byets\": 4, \"weather\": 1}", "w.json");
  ASSERT_TRUE(doc);
  Diagnostics diags;
  JsonObject object(*doc, doc->root, "a binding", diags);
  object.integer("bytes");
  object.string("kind");
  object.reportUnknown();
  EXPECT_EQ(textOf(diags),
            "w.json:1:2: error: a binding has no member 'byets'; did you mean 'bytes'?\n"
            "w.json:1:14: error: a binding has no member 'weather'\n");
}

TEST(Json, ANonObjectIsReportedOnce) {
  Result<JsonDocument> doc = parseJson("[1]", "w.json");
  ASSERT_TRUE(doc);
  Diagnostics diags;
  JsonObject object(*doc, doc->root, "the workload", diags);
  object.require("schema");
  object.reportUnknown();
  EXPECT_EQ(textOf(diags), "w.json:1:1: error: the workload must be an object, not an array\n");
}

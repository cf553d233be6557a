//===- Support/Json.h - JSON whose values know their place ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A JSON document (RFC 8259) in which every value keeps its line and column, so
// that whatever is wrong with a file is reported where it stands:
//
//   w.json:12:5: error: 'bytes' must be a positive integer
//
// JsonObject reads the members of one object by name and type, and reports the
// members that nobody asked for.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_JSON_H
#define TAILOR_SUPPORT_JSON_H

#include "Support/Diagnostics.h"
#include "Support/Result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

struct JsonMember;

struct JsonValue {
  enum class Kind : uint8_t { Null, Bool, Integer, Number, String, Array, Object };
  Kind kind = Kind::Null;
  bool boolean = false;
  bool negative = false;  ///< Integer: the value is -magnitude
  uint32_t line = 0;      ///< 1-based
  uint32_t column = 0;    ///< 1-based, in bytes
  uint64_t magnitude = 0; ///< Integer: its absolute value, exact
  double number = 0;      ///< Integer and Number
  std::string string;
  std::vector<JsonValue> elements;
  std::vector<JsonMember> members; ///< in the order of the file; names are unique

  bool isNumber() const { return kind == Kind::Integer || kind == Kind::Number; }
  /// The member of that name, or nullptr.
  const JsonValue *find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  uint32_t line = 0, column = 0; ///< of the name
  JsonValue value;
};

struct JsonDocument {
  std::string file;
  JsonValue root;

  Location at(const JsonValue &value) const { return Location::at(file, value.line, value.column); }
  Location at(const JsonMember &member) const {
    return Location::at(file, member.line, member.column);
  }
};

/// "a string", "an object", ...: for messages.
std::string_view nameOf(JsonValue::Kind kind);

/// Objects and arrays inside one another; more is refused.
inline constexpr unsigned kMaxJsonDepth = 64;

/// Reads one value and nothing after it. Refuses duplicate names in an object,
/// more than kMaxJsonDepth levels and text that is not UTF-8. `file` only names
/// the text in messages.
Result<JsonDocument> parseJson(std::string_view text, std::string file);

/// Reads the members of one object. An accessor returns nothing when the member
/// is absent, and reports it when its value is of the wrong type or range.
class JsonObject {
public:
  /// Reports `description` ("a binding") when `object` is no object; it then has no members.
  JsonObject(const JsonDocument &document, const JsonValue &object, std::string_view description,
             Diagnostics &diags);

  /// The member, whatever its type.
  const JsonValue *get(std::string_view name);
  /// As get, but its absence is an error.
  const JsonValue *require(std::string_view name);

  std::optional<uint64_t> integer(std::string_view name, uint64_t min = 0,
                                  uint64_t max = std::numeric_limits<uint64_t>::max());
  std::optional<uint32_t> integer32(std::string_view name, uint32_t min = 0,
                                    uint32_t max = std::numeric_limits<uint32_t>::max());
  std::optional<double> number(std::string_view name);
  std::optional<std::string> string(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  const JsonValue *array(std::string_view name);
  const JsonValue *object(std::string_view name);

  /// Reports every member that no accessor has asked for, with the nearest name
  /// that one did.
  void reportUnknown();

  bool has(std::string_view name) const { return self.find(name) != nullptr; }
  /// Reports an error at a value, or at the object itself.
  void error(const JsonValue &where, std::string text);
  void error(std::string text) { error(self, std::move(text)); }
  const JsonDocument &document() const { return doc; }
  const JsonValue &value() const { return self; }
  Diagnostics &diagnostics() const { return sink; }

private:
  const JsonDocument &doc;
  const JsonValue &self;
  Diagnostics &sink;
  std::string what;
  std::vector<std::string> asked;
};

} // namespace tailor

#endif

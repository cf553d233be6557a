//===- Support/Json.cpp ----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Json.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <rapidjson/error/error.h>
#include <rapidjson/reader.h>
#include <set>

namespace tailor {

namespace {

/// The text as RapidJSON reads it; Tell() is the offset in bytes.
class TextStream {
public:
  using Ch = char;
  explicit TextStream(std::string_view text) : text(text) {}
  Ch Peek() const { return offset < text.size() ? text[offset] : '\0'; }
  Ch Take() { return offset < text.size() ? text[offset++] : '\0'; }
  size_t Tell() const { return offset; }
  // The reader never parses in place; the concept still asks for these.
  Ch *PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  size_t PutEnd(Ch *) { return 0; }

private:
  std::string_view text;
  size_t offset = 0;
};

struct Place {
  uint32_t line = 1, column = 1;
};

/// Turns growing offsets into lines and columns in one walk over the text.
class Places {
public:
  explicit Places(std::string_view text) : text(text) {}
  Place of(size_t target) {
    target = std::min(target, text.size());
    if (target < offset)
      offset = lineStart = 0, line = 1;
    for (; offset < target; ++offset) {
      if (text[offset] == '\n') {
        ++line;
        lineStart = offset + 1;
      }
    }
    return {line, static_cast<uint32_t>(target - lineStart + 1)};
  }

private:
  std::string_view text;
  size_t offset = 0, lineStart = 0;
  uint32_t line = 1;
};

/// Builds the tree. A value starts at the first byte after the previous event
/// that is neither white space nor a separator.
class TreeBuilder {
public:
  TreeBuilder(std::string_view text, const std::string &file, TextStream &stream)
      : text(text), file(file), stream(stream), places(text) {}

  bool Null() { return add(JsonValue::Kind::Null); }
  bool Bool(bool b) {
    return add(JsonValue::Kind::Bool, [b](JsonValue &v) { v.boolean = b; });
  }
  bool Int(int i) { return Int64(i); }
  bool Uint(unsigned u) { return Uint64(u); }
  bool Int64(int64_t i) { return addInteger(i < 0, i < 0 ? ~uint64_t(i) + 1 : uint64_t(i)); }
  bool Uint64(uint64_t u) { return addInteger(false, u); }
  bool Double(double d) {
    return add(JsonValue::Kind::Number, [d](JsonValue &v) { v.number = d; });
  }
  bool RawNumber(const char *, rapidjson::SizeType, bool) { return false; }
  bool String(const char *s, rapidjson::SizeType length, bool) {
    return add(JsonValue::Kind::String, [&](JsonValue &v) { v.string.assign(s, length); });
  }
  bool Key(const char *s, rapidjson::SizeType length, bool) {
    JsonMember member;
    member.name.assign(s, length);
    Place place = startOfValue();
    member.line = place.line;
    member.column = place.column;
    JsonValue &object = *open.back();
    if (!names.back().insert(member.name).second) {
      failed = Diagnostic::error(Location::at(file, place.line, place.column),
                                 "member '" + member.name + "' appears twice");
      for (const JsonMember &first : object.members)
        if (first.name == member.name)
          failed->addNote(Location::at(file, first.line, first.column), "the first is here");
      return false;
    }
    object.members.push_back(std::move(member));
    previousEnd = stream.Tell();
    return true;
  }
  bool StartObject() { return start(JsonValue::Kind::Object); }
  bool StartArray() { return start(JsonValue::Kind::Array); }
  bool EndObject(rapidjson::SizeType) { return end(); }
  bool EndArray(rapidjson::SizeType) { return end(); }

  JsonValue root;
  std::optional<Diagnostic> failed; ///< set when a handler stopped the reader

private:
  Place startOfValue() {
    size_t start = text.find_first_not_of(" \t\r\n,:", previousEnd);
    return places.of(start == std::string_view::npos ? text.size() : start);
  }

  /// The slot of the next value: the root, the last member or a new element.
  JsonValue &slot() {
    if (open.empty())
      return root;
    JsonValue &parent = *open.back();
    if (parent.kind == JsonValue::Kind::Object)
      return parent.members.back().value;
    return parent.elements.emplace_back();
  }

  template <typename Fill> bool add(JsonValue::Kind kind, Fill fill) {
    JsonValue &value = slot();
    Place place = startOfValue();
    value.kind = kind;
    value.line = place.line;
    value.column = place.column;
    fill(value);
    previousEnd = stream.Tell();
    return true;
  }
  bool add(JsonValue::Kind kind) {
    return add(kind, [](JsonValue &) {});
  }

  bool addInteger(bool negative, uint64_t magnitude) {
    return add(JsonValue::Kind::Integer, [&](JsonValue &v) {
      v.negative = negative;
      v.magnitude = magnitude;
      v.number = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
    });
  }

  bool start(JsonValue::Kind kind) {
    JsonValue &value = slot();
    Place place = startOfValue();
    value.kind = kind;
    value.line = place.line;
    value.column = place.column;
    if (open.size() == kMaxJsonDepth) {
      failed = Diagnostic::error(Location::at(file, place.line, place.column),
                                 "values are nested more than " + std::to_string(kMaxJsonDepth) +
                                     " levels deep");
      return false;
    }
    // A container's slot stays where it is until it ends: its parent grows no other.
    open.push_back(&value);
    names.emplace_back();
    previousEnd = stream.Tell() + 1; // the reader takes the bracket after this call
    return true;
  }

  bool end() {
    open.pop_back();
    names.pop_back();
    previousEnd = stream.Tell() + 1;
    return true;
  }

  std::string_view text;
  const std::string &file;
  TextStream &stream;
  Places places;
  std::vector<JsonValue *> open;
  std::vector<std::set<std::string>> names; ///< of each open object
  size_t previousEnd = 0;
};

std::string_view messageOf(rapidjson::ParseErrorCode code) {
  switch (code) {
  case rapidjson::kParseErrorDocumentEmpty:
    return "the file is empty";
  case rapidjson::kParseErrorDocumentRootNotSingular:
    return "there is more text after the end of the value";
  case rapidjson::kParseErrorObjectMissName:
    return "expected a member name in quotation marks";
  case rapidjson::kParseErrorObjectMissColon:
    return "expected ':' after the member name";
  case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
    return "expected ',' or '}' after the member";
  case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
    return "expected ',' or ']' after the element";
  case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
  case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
    return "wrong \\u escape in a string";
  case rapidjson::kParseErrorStringEscapeInvalid:
    return "wrong escape or control character in a string";
  case rapidjson::kParseErrorStringMissQuotationMark:
    return "the string has no closing quotation mark";
  case rapidjson::kParseErrorStringInvalidEncoding:
    return "the string is not UTF-8";
  case rapidjson::kParseErrorNumberTooBig:
    return "the number is too large for a double";
  case rapidjson::kParseErrorNumberMissFraction:
    return "the number has no digits after its point";
  case rapidjson::kParseErrorNumberMissExponent:
    return "the number has no digits in its exponent";
  default:
    return "expected a JSON value";
  }
}

} // namespace

const JsonValue *JsonValue::find(std::string_view name) const {
  for (const JsonMember &member : members)
    if (member.name == name)
      return &member.value;
  return nullptr;
}

std::string_view nameOf(JsonValue::Kind kind) {
  switch (kind) {
  case JsonValue::Kind::Null:
    return "null";
  case JsonValue::Kind::Bool:
    return "a boolean";
  case JsonValue::Kind::Integer:
    return "an integer";
  case JsonValue::Kind::Number:
    return "a number";
  case JsonValue::Kind::String:
    return "a string";
  case JsonValue::Kind::Array:
    return "an array";
  case JsonValue::Kind::Object:
    return "an object";
  }
  return "a value";
}

Result<JsonDocument> parseJson(std::string_view text, std::string file) {
  if (size_t zero = text.find('\0'); zero != std::string_view::npos) {
    Place place = Places(text).of(zero);
    return failure(Location::at(std::move(file), place.line, place.column),
                   "the file holds a zero byte and is not JSON text");
  }
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseFullPrecisionFlag;
  TextStream stream(text);
  TreeBuilder builder(text, file, stream);
  rapidjson::Reader reader;
  rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (builder.failed)
    return failure(std::move(*builder.failed));
  if (result.IsError()) {
    Place place = Places(text).of(result.Offset());
    return failure(Location::at(std::move(file), place.line, place.column),
                   std::string(messageOf(result.Code())));
  }
  return JsonDocument{std::move(file), std::move(builder.root)};
}

JsonObject::JsonObject(const JsonDocument &document, const JsonValue &object,
                       std::string_view description, Diagnostics &diags)
    : doc(document), self(object), sink(diags), what(description) {
  if (self.kind != JsonValue::Kind::Object)
    error(what + " must be an object, not " + std::string(nameOf(self.kind)));
}

void JsonObject::error(const JsonValue &where, std::string text) {
  sink.error(doc.at(where), std::move(text));
}

const JsonValue *JsonObject::get(std::string_view name) {
  if (std::find(asked.begin(), asked.end(), name) == asked.end())
    asked.emplace_back(name);
  return self.find(name);
}

const JsonValue *JsonObject::require(std::string_view name) {
  const JsonValue *value = get(name);
  if (!value && self.kind == JsonValue::Kind::Object)
    error(what + " lacks '" + std::string(name) + "'");
  return value;
}

std::optional<uint64_t> JsonObject::integer(std::string_view name, uint64_t min, uint64_t max) {
  const JsonValue *value = get(name);
  if (!value)
    return std::nullopt;
  bool fits = value->kind == JsonValue::Kind::Integer && !value->negative &&
              value->magnitude >= min && value->magnitude <= max;
  if (fits)
    return value->magnitude;
  std::string wanted;
  if (max != std::numeric_limits<uint64_t>::max())
    wanted = "an integer from " + std::to_string(min) + " to " + std::to_string(max);
  else if (min <= 1)
    wanted = min == 1 ? "a positive integer" : "a non-negative integer";
  else
    wanted = "an integer of at least " + std::to_string(min);
  error(*value, "'" + std::string(name) + "' must be " + wanted);
  return std::nullopt;
}

std::optional<uint32_t> JsonObject::integer32(std::string_view name, uint32_t min, uint32_t max) {
  std::optional<uint64_t> value = integer(name, min, max);
  if (!value)
    return std::nullopt;
  return static_cast<uint32_t>(*value);
}

std::optional<double> JsonObject::number(std::string_view name) {
  const JsonValue *value = get(name);
  if (!value)
    return std::nullopt;
  if (value->isNumber())
    return value->number;
  error(*value, "'" + std::string(name) + "' must be a number");
  return std::nullopt;
}

std::optional<std::string> JsonObject::string(std::string_view name) {
  const JsonValue *value = get(name);
  if (!value)
    return std::nullopt;
  if (value->kind == JsonValue::Kind::String)
    return value->string;
  error(*value, "'" + std::string(name) + "' must be a string");
  return std::nullopt;
}

std::optional<bool> JsonObject::boolean(std::string_view name) {
  const JsonValue *value = get(name);
  if (!value)
    return std::nullopt;
  if (value->kind == JsonValue::Kind::Bool)
    return value->boolean;
  error(*value, "'" + std::string(name) + "' must be true or false");
  return std::nullopt;
}

const JsonValue *JsonObject::array(std::string_view name) {
  const JsonValue *value = get(name);
  if (!value || value->kind == JsonValue::Kind::Array)
    return value;
  error(*value, "'" + std::string(name) + "' must be an array");
  return nullptr;
}

const JsonValue *JsonObject::object(std::string_view name) {
  const JsonValue *value = get(name);
  if (!value || value->kind == JsonValue::Kind::Object)
    return value;
  error(*value, "'" + std::string(name) + "' must be an object");
  return nullptr;
}

void JsonObject::reportUnknown() {
  for (const JsonMember &member : self.members) {
    if (std::find(asked.begin(), asked.end(), member.name) != asked.end())
      continue;
    const std::string *nearest = nullptr;
    unsigned best = 3; // edits; a farther name is no typing error
    for (const std::string &name : asked) {
      unsigned distance = llvm::StringRef(name).edit_distance(member.name, true, best);
      if (distance < best || (distance == best && !nearest && best < 3))
        best = distance, nearest = &name;
    }
    std::string text = what + " has no member '" + member.name + "'";
    if (nearest)
      text += "; did you mean '" + *nearest + "'?";
    sink.error(doc.at(member), std::move(text));
  }
}

} // namespace tailor

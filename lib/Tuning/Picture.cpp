//===- Tuning/Picture.cpp --------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Picture.h"

#include "Tuning/Fill.h"
#include "Vulkan/Compare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace tailor {

using vulkan::ElementType;

namespace {

constexpr uint32_t kMaxSide = 1U << 16;

/// Reads the words of a Netpbm header; '#' starts a comment.
class Header {
public:
  Header(std::string_view bytes, size_t offset) : bytes(bytes), offset(offset) {}

  std::string_view word() {
    skipSpace();
    size_t start = offset;
    while (offset < bytes.size() && !isSpace(bytes[offset]))
      ++offset;
    return bytes.substr(start, offset - start);
  }
  /// A number in [1, max]; 0 when there is none.
  uint32_t number(uint32_t max) {
    std::string_view text = word();
    uint32_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value <= max ? value : 0;
  }
  /// The rest of the line that was begun.
  void skipLine() {
    while (offset < bytes.size() && bytes[offset] != '\n')
      ++offset;
  }
  /// What follows the one white-space byte that ends the header.
  std::string_view rest() const { return bytes.substr(std::min(offset + 1, bytes.size())); }

private:
  static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void skipSpace() {
    while (offset < bytes.size() && (isSpace(bytes[offset]) || bytes[offset] == '#')) {
      if (bytes[offset] == '#')
        skipLine();
      else
        ++offset;
    }
  }
  std::string_view bytes;
  size_t offset;
};

/// Reads the fields of a PAM header up to ENDHDR; false for an unknown or bad one.
bool readPamHeader(Header &header, Picture &picture) {
  for (std::string_view key = header.word(); key != "ENDHDR"; key = header.word()) {
    if (key == "WIDTH")
      picture.width = header.number(kMaxSide);
    else if (key == "HEIGHT")
      picture.height = header.number(kMaxSide);
    else if (key == "DEPTH")
      picture.channels = header.number(4);
    else if (key == "MAXVAL")
      picture.maxValue = header.number(65535);
    else if (key == "TUPLTYPE")
      header.skipLine();
    else
      return false;
  }
  return true;
}

/// The value of a component in [0, 1] for normalized and float formats.
double channelOf(const Picture &picture, size_t pixel, uint32_t component) {
  const uint16_t *samples = &picture.samples[pixel * picture.channels];
  bool grey = picture.channels <= 2;
  bool hasAlpha = picture.channels == 2 || picture.channels == 4;
  if (component == 3)
    return hasAlpha ? samples[picture.channels - 1] : picture.maxValue;
  return grey ? samples[0] : samples[component];
}

double readFloat(const std::byte *bytes, ElementType type) {
  if (type == ElementType::F16) {
    uint16_t half = 0;
    std::memcpy(&half, bytes, sizeof(half));
    return vulkan::halfToDouble(half);
  }
  float value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return static_cast<double>(value);
}

} // namespace

Result<Picture> parsePicture(std::string_view bytes, const std::string &file) {
  Location where = Location::inFile(file);
  std::string_view magic = bytes.substr(0, 2);
  if (magic != "P5" && magic != "P6" && magic != "P7")
    return failure(where, "the file is no binary PGM, PPM or PAM picture");
  Picture picture;
  Header header(bytes, 2);
  if (magic == "P7") {
    if (!readPamHeader(header, picture))
      return failure(where, "the picture's header is damaged");
  } else {
    picture.channels = magic == "P5" ? 1 : 3;
    picture.width = header.number(kMaxSide);
    picture.height = header.number(kMaxSide);
    picture.maxValue = header.number(65535);
  }
  if (!picture.width || !picture.height || !picture.channels || !picture.maxValue)
    return failure(where, "the picture's header gives no width, height, depth or largest value");

  std::string_view data = header.rest();
  uint64_t count = uint64_t{picture.width} * picture.height * picture.channels;
  uint64_t sampleBytes = picture.maxValue > 255 ? 2 : 1;
  if (data.size() < count * sampleBytes)
    return failure(where, "the picture ends early: " + std::to_string(count * sampleBytes) +
                              " bytes of samples expected, " + std::to_string(data.size()) +
                              " found");
  picture.samples.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    auto byteAt = [&](uint64_t at) { return static_cast<uint8_t>(data[at]); };
    uint32_t sample = sampleBytes == 1 ? byteAt(i) : (byteAt(2 * i) << 8 | byteAt(2 * i + 1));
    picture.samples.push_back(static_cast<uint16_t>(std::min(sample, picture.maxValue)));
  }
  return picture;
}

Result<std::vector<std::byte>> texelsOf(const Picture &picture, const vulkan::ImageFormat &format,
                                        const Location &where) {
  std::optional<ElementFormat> element = elementFormatOf(format);
  if (!element)
    return failure(where,
                   "a picture cannot fill the packed format '" + std::string(format.name) + "'");
  bool isFloat = vulkan::isFloat(element->type);
  bool isSigned = format.type == vulkan::ComponentType::Snorm;
  double largest =
      std::ldexp(1.0, static_cast<int>(vulkan::bytesOf(element->type) * 8) - (isSigned ? 1 : 0)) -
      1.0;
  std::vector<std::byte> texels;
  texels.reserve(uint64_t{picture.width} * picture.height * format.texelBytes);
  for (size_t pixel = 0; pixel < size_t{picture.width} * picture.height; ++pixel) {
    for (uint32_t c = 0; c < format.components; ++c) {
      double value = channelOf(picture, pixel, c);
      if (isFloat)
        value /= picture.maxValue;
      else if (element->normalized)
        value = std::nearbyint(value / picture.maxValue * largest);
      if (!appendElement(texels, element->type, value))
        return failure(where, "the picture's samples do not fit the format '" +
                                  std::string(format.name) + "'");
    }
  }
  return texels;
}

std::optional<std::string> ppmOf(const vulkan::ImageFormat &format, uint32_t width, uint32_t height,
                                 const std::vector<std::byte> &texels) {
  std::optional<ElementFormat> element = elementFormatOf(format);
  if (!element || (element->type != ElementType::U8 && !vulkan::isFloat(element->type)) ||
      (element->type == ElementType::U8 && !element->normalized))
    return std::nullopt;
  size_t pixels = size_t{width} * height;
  if (texels.size() < pixels * format.texelBytes)
    return std::nullopt;
  std::string out = "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
  out.reserve(out.size() + pixels * 3);
  uint32_t stride = vulkan::bytesOf(element->type);
  for (size_t pixel = 0; pixel < pixels; ++pixel) {
    for (uint32_t c = 0; c < 3; ++c) {
      uint32_t component = format.components == 1 ? 0 : c;
      if (component >= format.components) {
        out.push_back('\0');
        continue;
      }
      const std::byte *at = &texels[pixel * format.texelBytes + component * stride];
      double value = element->type == ElementType::U8
                         ? std::to_integer<int>(*at)
                         : std::nearbyint(std::clamp(readFloat(at, element->type), 0.0, 1.0) * 255);
      out.push_back(static_cast<char>(static_cast<uint8_t>(std::isnan(value) ? 0 : value)));
    }
  }
  return out;
}

} // namespace tailor

//===- Bundle/CandidateSizes.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/CandidateSizes.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tailor {

Result<SizeRequest> parseSizeRequest(std::string_view text) {
  SizeRequest request;
  if (text == "auto")
    return request;
  if (text == "all") {
    request.policy = SizeRequest::Policy::All;
    return request;
  }
  request.policy = SizeRequest::Policy::List;
  while (true) {
    std::string_view part = text.substr(0, text.find(','));
    std::optional<Dim3> size = parseDim3(part);
    if (!size)
      return failure({},
                     "'" + std::string(part) +
                         "' is no workgroup size: write auto, all, or sizes such as 64x1x1,8x8",
                     ErrorKind::Usage);
    request.list.push_back(*size);
    if (part.size() == text.size())
      return request;
    text.remove_prefix(part.size() + 1);
  }
}

/// What one axis can be.
static std::vector<uint32_t> extents(const Certificate &certificate, unsigned axis,
                                     SizeRequest::Policy policy) {
  uint32_t authored = certificate.authored.size[axis];
  if (!certificate.usesAxis[axis])
    return {authored};
  std::set<uint32_t> values;
  for (uint32_t value = 1; value <= kMaxCandidateInvocations; value *= 2)
    values.insert(value);
  if (policy == SizeRequest::Policy::All)
    for (uint32_t value = authored; value <= kMaxCandidateInvocations; value += authored)
      values.insert(value);
  return {values.begin(), values.end()};
}

double unlikeliness(const Dim3 &size) {
  double invocations = std::log2(static_cast<double>(size.product()));
  double width = std::log2(static_cast<double>(size.x));
  double wanted = std::min(5.0, invocations); // 32 lanes on x fill a line of memory
  return std::abs(invocations - 7) + 0.5 * std::max(0.0, wanted - width) +
         0.1 * std::max(0.0, width - wanted) + 0.25 * std::log2(static_cast<double>(size.z));
}

CandidateSizes candidateSizes(const Certificate &certificate, const SizeRequest &request,
                              size_t maxSizes) {
  constexpr uint64_t kLeastAutoInvocations = 16;
  CandidateSizes result;
  std::vector<Dim3> &sizes = result.sizes;
  if (request.policy == SizeRequest::Policy::List) {
    sizes = request.list;
  } else {
    std::array<std::vector<uint32_t>, 3> axis;
    for (unsigned at = 0; at < 3; ++at)
      axis[at] = extents(certificate, at, request.policy);
    for (uint32_t z : axis[2])
      for (uint32_t y : axis[1])
        for (uint32_t x : axis[0]) {
          Dim3 size{x, y, z};
          bool small =
              request.policy == SizeRequest::Policy::Auto && size.product() < kLeastAutoInvocations;
          if (size.product() <= kMaxCandidateInvocations && !small)
            sizes.push_back(size);
        }
    std::sort(sizes.begin(), sizes.end(), [](const Dim3 &a, const Dim3 &b) {
      double left = unlikeliness(a), right = unlikeliness(b);
      return left != right ? left < right : a < b;
    });
  }
  std::set<Dim3> seen = {certificate.authored.size};
  std::erase_if(sizes, [&](const Dim3 &size) { return !seen.insert(size).second; });
  if (maxSizes != 0 && sizes.size() > maxSizes) {
    result.dropped = sizes.size() - maxSizes;
    sizes.resize(maxSizes);
  }
  return result;
}

} // namespace tailor

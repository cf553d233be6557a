//===- Analysis/Traffic.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Traffic.h"

#include "IR/Types.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace tailor {

// --- for people ---

std::string Bounds::str() const {
  return isExact() ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
}

double Traffic::wastedShare() const {
  uint64_t fetched = lines.least * (kLineBytes / kSectorBytes);
  return !exact || fetched == 0 ? 0.0 : 1.0 - double(sectors.least) / double(fetched);
}

/// `to a quarter (1 of 4 sectors)`: what is used of `count` things of `whole` parts each.
static std::string shareText(uint64_t used, uint64_t count, uint64_t whole, const char *parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  uint64_t all = count * whole;
  if (4 * used % all == 0) {
    static constexpr const char *kShare[] = {"", "a quarter", "a half", "three quarters", "all"};
    os << "to " << kShare[4 * used / all];
  } else {
    os << "to " << 100 * used / all << " %";
  }
  os << " (";
  if (used % count == 0)
    os << used / count;
  else
    os << llvm::format("%.1f", double(used) / double(count));
  os << " of " << whole << " " << parts << ")";
  return os.str();
}

std::string Traffic::str() const {
  if (!exact)
    return "sectors " + sectors.str() + "; lines " + lines.str() + " (data-dependent)";
  if (active.most == 0)
    return "not run";
  std::string text = "sectors " + sectors.str() + " of at least " + std::to_string(minSectors) +
                     "; lines " + lines.str();
  uint64_t perLine = kLineBytes / kSectorBytes;
  if (lines.least > minLines && sectors.least < lines.least * perLine)
    text +=
        "; each fetched line is used " + shareText(sectors.least, lines.least, perLine, "sectors");
  else if (sectors.least > minSectors)
    text += "; each fetched sector is used " +
            shareText(usedBytes, sectors.least, kSectorBytes, "bytes");
  return text;
}

std::string conflictText(unsigned degree) {
  if (degree == 0)
    return "not run";
  return degree == 1 ? "conflict-free" : std::to_string(degree) + "-way";
}

// --- lanes ---

std::vector<Lane> subgroupLanes(const Dim3 &authored, const Dim3 &size,
                                const std::array<uint32_t, 3> &group, uint32_t first,
                                uint32_t width) {
  std::vector<Lane> lanes;
  uint64_t end = std::min<uint64_t>(uint64_t{first} + width, size.product());
  for (uint64_t index = first; index < end; ++index) {
    std::array<uint64_t, 3> local = {index % size.x, index / size.x % size.y,
                                     index / size.x / size.y};
    Lane lane;
    for (unsigned axis = 0; axis < 3; ++axis) {
      uint64_t global = uint64_t{group[axis]} * size[axis] + local[axis];
      lane.group[axis] = static_cast<uint32_t>(global / authored[axis]);
      lane.localId[axis] = static_cast<uint32_t>(global % authored[axis]);
    }
    lanes.push_back(lane);
  }
  return lanes;
}

/// Bytes of one buffer.
struct LaneGroup::Piece {
  uint64_t buffer, begin, end;
};

LaneGroup::LaneGroup(const LaneModel &model, std::vector<Lane> lanes, HostValues hostValues)
    : model(model), laneList(std::move(lanes)), host(std::move(hostValues)) {
  evaluators.reserve(laneList.size());
  for (const Lane &lane : laneList)
    evaluators.emplace_back(model, lane, host);
}

LaneGroup::~LaneGroup() = default;

void LaneGroup::setIteration(const Block &header, uint64_t count) {
  for (LaneEvaluator &evaluator : evaluators)
    evaluator.setIteration(header, count);
}

LaneGroup::At LaneGroup::at(const MemoryAccess &access, size_t lane) {
  LaneEvaluator &evaluator = evaluators[lane];
  At result;
  result.activity = evaluator.activity(*access.inst->parent());
  if (!access.layout || access.isImage())
    return result;
  result.address = evaluator.address(*access.layout, *access.inst);
  for (Id descriptor : access.layout->descriptors) {
    std::optional<uint64_t> index = evaluator.integer(descriptor, *access.inst);
    if (!index)
      result.address = std::nullopt; // of whatever buffer
    result.buffer = result.buffer * 65536 + index.value_or(0);
  }
  return result;
}

// --- sectors and lines ---

/// The bytes of one lane: one piece, or the components of a row-major matrix's column.
std::vector<LaneGroup::Piece> LaneGroup::piecesOf(const MemoryAccess &access,
                                                  const At &lane) const {
  const PointerLayout &layout = *access.layout;
  uint64_t address = *lane.address;
  unsigned count = componentCount(model.analysis().module(), layout.pointee);
  if (layout.componentStride == 0 || count < 2)
    return {{lane.buffer, address, address + access.bytes}};
  std::vector<Piece> pieces;
  for (unsigned at = 0; at < count; ++at) {
    uint64_t begin = address + at * layout.componentStride;
    pieces.push_back({lane.buffer, begin, begin + access.bytes / count});
  }
  return pieces;
}

namespace {

/// Blocks of a number of bytes, by buffer.
using BlockSet = std::set<std::pair<uint64_t, uint64_t>>;

template <typename Pieces>
void addBlocks(BlockSet &blocks, const Pieces &pieces, uint64_t blockBytes) {
  for (const auto &piece : pieces)
    if (piece.end > piece.begin)
      for (uint64_t at = piece.begin / blockBytes; at <= (piece.end - 1) / blockBytes; ++at)
        blocks.insert({piece.buffer, at});
}

template <typename Piece> uint64_t distinctBytes(std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
    return std::pair(a.buffer, a.begin) < std::pair(b.buffer, b.begin);
  });
  uint64_t total = 0, buffer = UINT64_MAX, reached = 0;
  for (const Piece &piece : pieces) {
    if (piece.buffer != buffer) {
      buffer = piece.buffer;
      reached = 0;
    }
    uint64_t begin = std::max(piece.begin, reached);
    total += piece.end > begin ? piece.end - begin : 0;
    reached = std::max(reached, piece.end);
  }
  return total;
}

/// The most blocks that an access of `bytes` touches at any multiple of `step` behind `offset`.
uint64_t worstBlocks(uint64_t bytes, uint64_t offset, uint64_t step, uint64_t blockBytes) {
  uint64_t worst = 0;
  step = std::max<uint64_t>(1, std::gcd(step, blockBytes));
  for (uint64_t start = offset % step; start < blockBytes; start += step)
    worst = std::max(worst, (start + std::max<uint64_t>(bytes, 1) + blockBytes - 1) / blockBytes);
  return worst;
}

uint64_t divideUp(uint64_t value, uint64_t by) { return (value + by - 1) / by; }

} // namespace

std::optional<Traffic> LaneGroup::traffic(const MemoryAccess &access) {
  if (access.isImage())
    return std::nullopt;
  Traffic result;
  std::vector<Piece> certain, possible;
  uint64_t someAddress = 0; // lanes that run it, or may, at an address that is not known
  bool runs = false;
  for (size_t lane = 0; lane < laneList.size(); ++lane) {
    evaluators[lane].takeAssumption();
    At at = this->at(access, lane);
    result.assumed |= evaluators[lane].takeAssumption();
    if (at.activity == Activity::No)
      continue;
    bool isCertain = at.activity == Activity::Yes;
    runs |= isCertain;
    result.active.most += 1;
    result.active.least += isCertain;
    if (!at.address) {
      ++someAddress;
      continue;
    }
    std::vector<Piece> pieces = piecesOf(access, at);
    auto &list = isCertain ? certain : possible;
    list.insert(list.end(), pieces.begin(), pieces.end());
  }
  result.exact = someAddress == 0 && possible.empty();
  uint64_t step = 0, offset = 0;
  if (access.layout) {
    offset = access.layout->offset;
    for (const PointerStep &index : access.layout->steps)
      step = std::gcd(step, index.stride);
  }
  auto count = [&](uint64_t blockBytes) {
    BlockSet blocks;
    addBlocks(blocks, certain, blockBytes);
    Bounds bounds{blocks.size(), 0};
    if (runs)
      bounds.least = std::max<uint64_t>(bounds.least, divideUp(access.bytes, blockBytes));
    addBlocks(blocks, possible, blockBytes);
    bounds.most = blocks.size() + someAddress * worstBlocks(access.bytes, offset, step, blockBytes);
    bounds.most = std::max(bounds.most, bounds.least);
    return bounds;
  };
  result.sectors = count(kSectorBytes);
  result.lines = count(kLineBytes);
  if (result.exact) {
    result.usedBytes = distinctBytes(certain);
    result.minSectors = divideUp(result.usedBytes, kSectorBytes);
    result.minLines = divideUp(result.usedBytes, kLineBytes);
  }
  return result;
}

// --- banks ---

/// Answers that the busiest bank gives when these words are asked for at once.
static unsigned busiestBank(const std::set<uint64_t> &words) {
  constexpr unsigned kBanks = 32;
  std::array<unsigned, kBanks> answers{};
  for (uint64_t word : words)
    ++answers[word % kBanks];
  return *std::max_element(answers.begin(), answers.end());
}

std::optional<unsigned> LaneGroup::bankConflict(const MemoryAccess &access) {
  constexpr uint64_t kWordBytes = 4;
  if (access.space != MemorySpace::Workgroup || !access.layout || access.bytes == 0)
    return std::nullopt;
  // Bytes that a lane asks for in one go, and lanes that go together.
  uint64_t bytes = access.bytes;
  bool isWide = bytes == 8 || bytes == 16;
  uint64_t perPass = isWide ? bytes : std::min(bytes, kWordBytes);
  uint64_t passes = divideUp(bytes, perPass), together = isWide ? 32 * kWordBytes / bytes : 32;
  if (passes > 1024)
    return std::nullopt;
  std::vector<std::optional<uint64_t>> addresses;
  const Lane *anyActive = nullptr;
  for (size_t lane = 0; lane < laneList.size(); ++lane) {
    At at = this->at(access, lane);
    addresses.emplace_back();
    if (at.activity == Activity::No)
      continue;
    if (at.activity == Activity::Unknown || !at.address ||
        (anyActive && anyActive->group != laneList[lane].group))
      return std::nullopt;
    anyActive = &laneList[lane];
    addresses.back() = at.address;
  }
  unsigned worst = 0;
  for (size_t first = 0; first < addresses.size(); first += together)
    for (uint64_t pass = 0; pass < passes; ++pass) {
      std::set<uint64_t> words;
      for (size_t lane = first; lane < std::min(addresses.size(), first + together); ++lane)
        if (addresses[lane])
          for (uint64_t byte = 0; byte < perPass; byte += kWordBytes)
            words.insert((*addresses[lane] + pass * perPass + byte) / kWordBytes);
      worst = std::max(worst, busiestBank(words));
    }
  return worst;
}

// --- variants ---

/// The workgroup number `place` on each axis on which there is one.
static std::array<uint32_t, 3> groupAt(const KernelAnalysis &analysis, const Dim3 &size,
                                       const HostValues &host, uint32_t place) {
  const Dim3 &authored = analysis.size();
  std::array<uint32_t, 3> group{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!analysis.affine().workgroupId(axis)) // the kernel does not look at it
      continue;
    const uint64_t groups = host.numWorkgroups ? (*host.numWorkgroups)[axis] : UINT32_MAX;
    const uint64_t whole = groups * authored[axis] / size[axis]; // of which all is in the grid
    group[axis] = static_cast<uint32_t>(std::min<uint64_t>(place, whole == 0 ? 0 : whole - 1));
  }
  return group;
}

VariantTraffic::VariantTraffic(const LaneModel &model, const Dim3 &size, uint32_t subgroupWidth,
                               const HostValues &host)
    : interiorGroup(groupAt(model.analysis(), size, host, 1)),
      middleGroup(groupAt(model.analysis(), size, host, HostValues::kAssumedGroups / 2)),
      first(model, subgroupLanes(model.analysis().size(), size, {}, 0, subgroupWidth), host),
      interior(model, subgroupLanes(model.analysis().size(), size, interiorGroup, 0, subgroupWidth),
               host),
      middle(model, subgroupLanes(model.analysis().size(), size, middleGroup, 0, subgroupWidth),
             host) {}

LaneGroup &VariantTraffic::chosenFor(const MemoryAccess &access) {
  auto mayRun = [&](LaneGroup &group) {
    unsigned count = 0;
    for (size_t lane = 0; lane < group.lanes().size(); ++lane)
      count += group.at(access, lane).activity != Activity::No;
    return count;
  };
  const unsigned inside = mayRun(interior);
  if (inside == interior.lanes().size())
    return interior;
  const unsigned atFirst = mayRun(first), inMiddle = mayRun(middle);
  if (inMiddle > inside && inMiddle > atFirst)
    return middle;
  return inside >= atFirst ? interior : first;
}

VariantTraffic::Result VariantTraffic::of(const MemoryAccess &access) {
  LaneGroup &chosen = chosenFor(access);
  Result result;
  if (&chosen == &interior)
    result.group = interiorGroup;
  else if (&chosen == &middle)
    result.group = middleGroup;
  result.traffic = chosen.traffic(access);
  result.bankConflict = chosen.bankConflict(access);
  return result;
}

std::optional<Traffic> trafficOf(const KernelAnalysis &analysis, const MemoryAccess &access,
                                 const std::vector<Lane> &lanes, const HostValues &host) {
  LaneModel model(analysis);
  return LaneGroup(model, lanes, host).traffic(access);
}

std::optional<Traffic> trafficAt(const KernelAnalysis &analysis, const MemoryAccess &access,
                                 const Dim3 &size, uint32_t subgroupWidth, const HostValues &host) {
  LaneModel model(analysis);
  return VariantTraffic(model, size, subgroupWidth, host).of(access).traffic;
}

} // namespace tailor

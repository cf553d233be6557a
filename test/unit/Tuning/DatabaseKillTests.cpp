//===- DatabaseKillTests.cpp - Writers that are killed -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eight processes store outcomes, each its own keys over and over, and say on a
// pipe what store() has acknowledged. One of them, by chance, is killed with
// SIGKILL after a time by chance, 200 times. Each time the file passes SQLite's
// check, and holds everything that was acknowledged, or what came after it.
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "TestSupport.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace tailor;
using namespace tailor::test;

namespace {

constexpr unsigned kWriters = 8, kKeys = 12, kKills = 200;
constexpr auto kLongest = std::chrono::seconds(25);

/// What a writer has stored: written to the pipe in one piece.
struct Acknowledged {
  uint32_t writer = 0, key = 0, generation = 0;
};

/// The generation is in the samples, in a statistic and in the name of the tool: an outcome that is
/// torn between two generations shows.
StoredWinner outcomeOf(const Acknowledged &what) {
  StoredWinner w = fullWinnerOf("w" + std::to_string(what.writer) + "." + std::to_string(what.key),
                                deviceKeyOf({}));
  w.tool = std::to_string(what.generation);
  for (StoredCandidate &candidate : w.candidates) {
    candidate.times.assign(20 + what.generation % 7, {double(what.generation), what.key});
    candidate.statistics.assign(1 + what.generation % 3, {"n", double(what.generation)});
  }
  return w;
}

[[noreturn]] void write(const std::string &path, unsigned writer, uint32_t from, int pipe) {
  Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::Create);
  if (!opened) {
    std::fputs((textOf(opened.diagnostic()) + "\n").c_str(), stderr);
    _exit(1);
  }
  for (uint32_t generation = from + 1;; ++generation)
    for (uint32_t key = 0; key < kKeys; ++key) {
      Acknowledged done{writer, key, generation};
      if (Status stored = (*opened)->store(outcomeOf(done)); !stored) {
        std::fputs((textOf(stored.diagnostic()) + "\n").c_str(), stderr);
        _exit(1);
      }
      if (::write(pipe, &done, sizeof done) != sizeof done)
        _exit(1);
    }
}

class Killing {
public:
  explicit Killing(std::string file) : path(std::move(file)) {
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    EXPECT_EQ(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  }
  ~Killing() {
    for (pid_t child : children)
      if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
      }
    close(ends[0]);
    close(ends[1]);
  }

  void start(unsigned writer) {
    uint32_t from = 0;
    for (uint32_t generation : newest[writer])
      from = std::max(from, generation);
    pid_t child = fork();
    if (child == 0)
      write(path, writer, from, ends[1]);
    ASSERT_GT(child, 0);
    children[writer] = child;
  }

  void strike(unsigned writer) {
    ASSERT_EQ(kill(children[writer], SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(children[writer], &status, 0), children[writer]);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a writer failed by itself";
    children[writer] = 0;
  }

  /// Takes in what was acknowledged up to now.
  void listen() {
    Acknowledged done;
    while (read(ends[0], &done, sizeof done) == sizeof done) {
      newest[done.writer][done.key] = done.generation;
      ++acknowledged;
    }
  }

  /// Everything that was acknowledged before is there, and whole.
  void check() {
    Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::Existing);
    ASSERT_TRUE(opened) << textOf(opened.diagnostic());
    Result<std::vector<StoredWinner>> all = (*opened)->all();
    ASSERT_TRUE(all) << textOf(all.diagnostic());
    std::array<std::array<uint32_t, kKeys>, kWriters> found{};
    for (const StoredWinner &w : *all) {
      unsigned writer = 0, key = 0, generation = 0;
      ASSERT_EQ(std::sscanf(w.sizeName.c_str(), "w%u.%u", &writer, &key), 2);
      ASSERT_EQ(std::sscanf(w.tool.c_str(), "%u", &generation), 1);
      ASSERT_EQ(w, outcomeOf({writer, key, generation}));
      found[writer][key] = generation;
    }
    for (unsigned writer = 0; writer < kWriters; ++writer)
      for (unsigned key = 0; key < kKeys; ++key)
        ASSERT_GE(found[writer][key], newest[writer][key]) << "w" << writer << "." << key;
    ASSERT_EQ(askSql(path, "PRAGMA integrity_check"), "ok");
    ASSERT_EQ(askSql(path, "PRAGMA foreign_key_check"), "");
  }

  uint64_t acknowledged = 0;

private:
  std::string path;
  int ends[2] = {-1, -1};
  std::array<pid_t, kWriters> children{};
  std::array<std::array<uint32_t, kKeys>, kWriters> newest{};
};

} // namespace

TEST(DatabaseKill, NoAcknowledgedWinnerIsLost) {
  TemporaryFolder folder;
  Killing killing(folder.file("w.db"));
  unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (unsigned writer = 0; writer < kWriters; ++writer)
    killing.start(writer);
  auto begin = std::chrono::steady_clock::now();
  unsigned kills = 0;
  for (; kills < kKills && std::chrono::steady_clock::now() - begin < kLongest; ++kills) {
    // The first ones fall while the file and its tables are being made.
    usleep(static_cast<useconds_t>(random() % (kills < 20 ? 3000 : 40000)));
    auto victim = static_cast<unsigned>(random() % kWriters);
    killing.strike(victim);
    killing.listen();             // before the look: what came up to here must be there
    if (killing.acknowledged > 0) // before, there may be no tables yet
      killing.check();
    killing.start(victim);
    if (HasFatalFailure())
      return;
  }
  killing.listen();
  killing.check();
  RecordProperty("kills", static_cast<int>(kills));
  RecordProperty("acknowledged", std::to_string(killing.acknowledged));
  std::printf("%u kills, %llu outcomes acknowledged\n", kills,
              static_cast<unsigned long long>(killing.acknowledged));
  EXPECT_GT(killing.acknowledged, 200U) << "the writers got nowhere";
}

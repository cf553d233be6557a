//===- Support/Files.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tailor {
namespace {

/// A file descriptor that is closed on every way out.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  int get() const { return fd; }
  /// Closes now, so that a late write error is seen.
  bool close() {
    int closing = fd;
    fd = -1;
    return ::close(closing) == 0;
  }

private:
  int fd;
};

Failure cannot(std::string_view verb, const std::string &path, int error, ErrorKind kind) {
  return failure(Location::inFile(path),
                 "cannot " + std::string(verb) + " the file: " + std::strerror(error), kind);
}

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR)
        continue;
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

} // namespace

Result<std::string> readFile(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return cannot("open", path, errno, ErrorKind::Refused);
  std::string bytes;
  char buffer[1 << 16];
  while (true) {
    ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count == 0)
      return bytes;
    if (count < 0) {
      if (errno == EINTR)
        continue;
      return cannot("read", path, errno, ErrorKind::Refused);
    }
    bytes.append(buffer, static_cast<size_t>(count));
  }
}

Status writeFileAtomically(const std::string &path, std::string_view bytes) {
  if (path == "-") {
    if (!writeAll(STDOUT_FILENO, bytes))
      return cannot("write", "<stdout>", errno, ErrorKind::Environment);
    return success();
  }
  // A device or a pipe has no folder to rename in: it is written directly.
  struct stat existing;
  bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode))
    return cannot("write", path, EISDIR, ErrorKind::Environment);
  if (exists && !S_ISREG(existing.st_mode)) {
    Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0 || !writeAll(device.get(), bytes) || !device.close())
      return cannot("write", path, errno, ErrorKind::Environment);
    return success();
  }

  // Through a link the target is replaced, and the link stays.
  std::error_code ignored;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  if (ignored || target.empty())
    target = path;
  // weakly_canonical stops at a link whose target is yet to be made; a ring of links ends the loop.
  for (int links = 0; links < 40 && std::filesystem::is_symlink(target, ignored); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  std::string temporary = target.string() + ".tmp.XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0)
    return cannot("write", path, errno, ErrorKind::Environment);

  mode_t mask = ::umask(0);
  ::umask(mask);
  mode_t mode = exists ? (existing.st_mode & 07777) : (0666 & ~mask);
  bool written = ::fchmod(file.get(), mode) == 0 && writeAll(file.get(), bytes) &&
                 ::fsync(file.get()) == 0 && file.close() &&
                 ::rename(temporary.c_str(), target.c_str()) == 0;
  if (!written) {
    int error = errno;
    ::unlink(temporary.c_str());
    return cannot("write", path, error, ErrorKind::Environment);
  }
  std::filesystem::path folder = target.parent_path();
  Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC));
  if (directory.get() >= 0)
    ::fsync(directory.get()); // some file systems refuse this; the file itself is already safe
  return success();
}

std::string bytesOfWords(std::span<const uint32_t> words) {
  std::string bytes;
  bytes.reserve(words.size() * 4);
  for (uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>((word >> shift) & 0xff));
  return bytes;
}

/// Whether two paths lead to one file, which need not exist yet.
static bool sameFile(const std::string &a, const std::string &b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed))
    return true;
  std::error_code failedA, failedB;
  std::filesystem::path wholeA = std::filesystem::weakly_canonical(a, failedA);
  std::filesystem::path wholeB = std::filesystem::weakly_canonical(b, failedB);
  if (failedA || failedB)
    return false;
  // A name in a folder that is not there stays relative.
  wholeA = std::filesystem::absolute(wholeA, failedA);
  wholeB = std::filesystem::absolute(wholeB, failedB);
  return !failedA && !failedB && wholeA.lexically_normal() == wholeB.lexically_normal();
}

Status checkOutput(const std::string &output, const std::vector<std::string> &filesRead) {
  for (const std::string &file : filesRead)
    if (output != "-" && sameFile(output, file))
      return failure(Location::inFile(output),
                     "the output would overwrite the input '" + file + "'", ErrorKind::Usage);
  return success();
}

Status makeFolder(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return failure(Location::inFile(path), "cannot make the folder: " + error.message(),
                   ErrorKind::Environment);
  return success();
}

} // namespace tailor

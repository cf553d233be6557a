//===- Support/Archive.h - Values as bytes, between two copies of a process ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For messages between a process and its forked child, which are the same
// program: nothing here is a file format. A struct takes part by a function
//
//   template <typename A> void archive(A &a, Struct &s) { a(s.first, s.second); }
//
// in its namespace; trivially copyable types, strings, vectors, maps and optionals
// need none.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_ARCHIVE_H
#define TAILOR_SUPPORT_ARCHIVE_H

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tailor {

class ArchiveWriter {
public:
  template <typename... T> void operator()(const T &...values) { (put(values), ...); }
  std::string take() { return std::move(bytes); }

private:
  void put(const std::string &text) {
    put(static_cast<uint64_t>(text.size()));
    bytes += text;
  }
  template <typename T> void put(const std::vector<T> &list) {
    put(static_cast<uint64_t>(list.size()));
    for (const T &value : list)
      put(value);
  }
  template <typename T> void put(const std::optional<T> &value) {
    put(value.has_value());
    if (value)
      put(*value);
  }
  template <typename K, typename V> void put(const std::map<K, V> &values) {
    put(static_cast<uint64_t>(values.size()));
    for (const auto &[key, value] : values) {
      put(key);
      put(value);
    }
  }
  template <typename T> void put(const T &value) {
    if constexpr (std::is_trivially_copyable_v<T>)
      bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    else
      archive(*this, const_cast<T &>(value)); // one function reads and writes
  }

  std::string bytes;
};

/// What is read past the end is zero, and `ok()` says so.
class ArchiveReader {
public:
  explicit ArchiveReader(std::string_view bytes) : rest(bytes) {}
  template <typename... T> void operator()(T &...values) { (get(values), ...); }
  bool ok() const { return good; }

private:
  uint64_t count() {
    uint64_t number = 0;
    get(number);
    if (number > rest.size()) // each element has a byte at least
      good = false;
    return good ? number : 0;
  }
  void get(std::string &text) {
    const auto size = static_cast<size_t>(count());
    text.assign(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  template <typename T> void get(std::vector<T> &list) {
    list.clear();
    for (uint64_t left = count(); left != 0 && good; --left) {
      list.emplace_back();
      get(list.back());
    }
  }
  template <typename T> void get(std::optional<T> &value) {
    bool there = false;
    get(there);
    value.reset();
    if (there)
      get(value.emplace());
  }
  template <typename K, typename V> void get(std::map<K, V> &values) {
    values.clear();
    for (uint64_t left = count(); left != 0 && good; --left) {
      K key{};
      get(key);
      get(values[std::move(key)]);
    }
  }
  template <typename T> void get(T &value) {
    if constexpr (!std::is_trivially_copyable_v<T>) {
      archive(*this, value);
    } else if (rest.size() < sizeof value) {
      good = false;
      value = T{};
      rest = {};
    } else {
      std::memcpy(static_cast<void *>(&value), rest.data(), sizeof value);
      rest.remove_prefix(sizeof value);
    }
  }

  std::string_view rest;
  bool good = true;
};

} // namespace tailor

#endif

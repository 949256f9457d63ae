// Members of objects as bytes and back, described once: a class that is saved has
//   template <class A> void archive(A& a) { a(first_, second_, third_); }
// which an ArchiveWriter reads and an ArchiveReader fills, in the same order. Numbers keep their bits. Bytes are those
// of the machine: a run is continued by the program that began it. Lengths are checked against what is left before
// anything is allocated, so that no bytes can do harm.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "davit/math/types.hpp"

namespace davit {

class BadArchive : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace archiving {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T, class A>
concept Described = requires(T& x, A& a) {
  x.archive(a);
};

}  // namespace archiving

class ArchiveWriter {
 public:
  static constexpr bool reads = false;
  template <class... T>
  void operator()(const T&... members) {
    (add(members), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <archiving::Plain T>
  void add(const T& x) {
    char raw[sizeof x];
    std::memcpy(raw, &x, sizeof x);
    bytes_.append(raw, sizeof x);
  }
  template <class T>
  requires archiving::Described<T, ArchiveWriter>
  void add(const T& x) {
    const_cast<T&>(x).archive(*this);  // one description for both ways; writing changes nothing
  }
  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void add(const VecX& v) {
    add(static_cast<std::uint64_t>(v.size()));
    for (Eigen::Index i = 0; i < v.size(); ++i) add(v[i]);
  }
  void add(const Vec3& v) { (*this)(v[0], v[1], v[2]); }
  void add(const std::vector<bool>& list) {
    add(std::uint64_t{list.size()});
    for (const bool x : list) add(x);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    add(std::uint64_t{list.size()});
    for (const T& x : list) add(x);
  }
  template <class T, size_t N>
  void add(const std::array<T, N>& list) {
    for (const T& x : list) add(x);
  }
  template <class T>
  void add(const std::optional<T>& x) {
    add(x.has_value());
    if (x) add(*x);
  }
  template <class T, class U>
  void add(const std::pair<T, U>& x) {
    (*this)(x.first, x.second);
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  static constexpr bool reads = true;
  // The bytes must outlive it.
  explicit ArchiveReader(std::string_view bytes) : left_(bytes) {}
  template <class... T>
  void operator()(T&... members) {
    (take(members), ...);
  }
  bool at_end() const { return left_.empty(); }
  std::string_view left() const { return left_; }

 private:
  template <archiving::Plain T>
  void take(T& x) {
    if constexpr (std::is_same_v<T, bool>)
      x = *bytes(1) != 0;
    else
      std::memcpy(&x, bytes(sizeof x), sizeof x);
  }
  template <class T>
  requires archiving::Described<T, ArchiveReader>
  void take(T& x) { x.archive(*this); }
  void take(std::string& text) {
    const size_t size = length(1);
    text.assign(bytes(size), size);
  }
  void take(VecX& v) {
    v.resize(static_cast<Eigen::Index>(length(sizeof(double))));
    for (Eigen::Index i = 0; i < v.size(); ++i) take(v[i]);
  }
  void take(Vec3& v) { (*this)(v[0], v[1], v[2]); }
  void take(std::vector<bool>& list) {
    list.resize(length(1));
    for (size_t i = 0; i < list.size(); ++i) {
      bool x = false;
      take(x);
      list[i] = x;
    }
  }
  template <class T>
  void take(std::vector<T>& list) {
    // One after the other: no more memory than bytes that were read account for.
    const size_t size = length(1);
    list.clear();
    for (size_t i = 0; i < size; ++i) take(list.emplace_back());
  }
  template <class T, size_t N>
  void take(std::array<T, N>& list) {
    for (T& x : list) take(x);
  }
  template <class T>
  void take(std::optional<T>& x) {
    bool there = false;
    take(there);
    if (!there)
      x.reset();
    else
      take(x.emplace());
  }
  template <class T, class U>
  void take(std::pair<T, U>& x) {
    (*this)(x.first, x.second);
  }

  const char* bytes(size_t count) {
    if (count > left_.size()) throw BadArchive("it ends too early");
    const char* at = left_.data();
    left_.remove_prefix(count);
    return at;
  }
  // Of something whose entries have so many bytes at least.
  size_t length(size_t least) {
    std::uint64_t size = 0;
    take(size);
    if (size > left_.size() / least) throw BadArchive("it ends too early");
    return static_cast<size_t>(size);
  }

  std::string_view left_;
};

// A list whose entries are made before they are read: what they are cannot be told from the bytes alone.
template <class A, class T, class Make, class Each>
void archive_list(A& a, std::vector<T>& list, Make&& make, Each&& each) {
  std::uint64_t size = list.size();
  a(size);
  if constexpr (A::reads) {
    list.clear();
    for (std::uint64_t i = 0; i < size; ++i) {
      list.push_back(make());
      each(list.back());
    }
  } else {
    for (T& entry : list) each(entry);
  }
}

}  // namespace davit

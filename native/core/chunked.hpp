// A sequence that grows without moving what is in it.
#pragma once

#include <cstddef>
#include <vector>

#include "arena.hpp"

namespace secateur {

template <class T, unsigned Bits = 14>
class Chunked {
 public:
  explicit Chunked(Arena& arena) : arena_(arena) {}

  T& operator[](std::size_t i) { return chunks_[i >> Bits][i & kMask]; }
  const T& operator[](std::size_t i) const { return chunks_[i >> Bits][i & kMask]; }
  void prefetch(std::size_t i) const { __builtin_prefetch(&(*this)[i]); }
  std::size_t size() const { return size_; }

  bool empty() const { return size_ == 0; }
  T& back() { return (*this)[size_ - 1]; }
  void pop_back() { --size_; }
  // What is left out can be added again without taking more memory.
  void shorten(std::size_t size) { size_ = size; }

  void push_back(const T& value) {
    if (size_ >> Bits == chunks_.size()) chunks_.push_back(arena_.take_array<T>(kMask + 1));
    (*this)[size_++] = value;
  }

 private:
  static constexpr std::size_t kMask = (std::size_t{1} << Bits) - 1;

  Arena& arena_;
  std::vector<T*> chunks_;
  std::size_t size_ = 0;
};

}  // namespace secateur

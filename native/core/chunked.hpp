// A sequence that grows without moving what is in it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace secateur {

template <class T, unsigned Bits = 12>
class Chunked {
 public:
  T& operator[](std::size_t i) { return chunks_[i >> Bits][i & kMask]; }
  const T& operator[](std::size_t i) const { return chunks_[i >> Bits][i & kMask]; }
  void prefetch(std::size_t i) const { __builtin_prefetch(&(*this)[i]); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return chunks_.size() * sizeof(T) << Bits; }

  void push_back(const T& value) {
    if (size_ >> Bits == chunks_.size()) {
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(kMask + 1));
    }
    (*this)[size_++] = value;
  }

 private:
  static constexpr std::size_t kMask = (std::size_t{1} << Bits) - 1;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace secateur

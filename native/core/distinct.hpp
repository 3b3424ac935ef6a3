// The different values that a part of the state has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hash.hpp"
#include "model.hpp"

namespace secateur {

class DistinctValues {
 public:
  explicit DistinctValues(const Words& mask) : mask_(mask), value_(mask.size()), slots_(64) {}

  void add(const std::uint64_t* state) {
    bool same = !values_.empty();
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      const std::uint64_t word = state[i] & mask_[i];
      same = same && word == value_[i];
      value_[i] = word;
    }
    if (!same) enter();  // often a value is that of the state before
  }

  std::size_t size() const { return values_.size(); }
  std::vector<Words> all() const { return values_; }

 private:
  void enter() {
    std::size_t at = hash_of<0>(value_.data(), value_.size());
    for (;; ++at) {
      const std::size_t known = slots_[at & (slots_.size() - 1)];
      if (known == 0) break;
      if (values_[known - 1] == value_) return;
    }
    values_.push_back(value_);
    slots_[at & (slots_.size() - 1)] = values_.size();
    if (2 * values_.size() > slots_.size()) grow();
  }

  void grow() {
    slots_.assign(4 * slots_.size(), 0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::size_t at = hash_of<0>(values_[i].data(), values_[i].size());
      while (slots_[at & (slots_.size() - 1)] != 0) ++at;
      slots_[at & (slots_.size() - 1)] = i + 1;
    }
  }

  const Words& mask_;
  Words value_;
  std::vector<Words> values_;
  std::vector<std::size_t> slots_;  // number of the value + 1; 0 is free
};

}  // namespace secateur

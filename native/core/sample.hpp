// How much the bits of some states vary.
#pragma once

#include <cstdint>
#include <vector>

#include "scout.hpp"

namespace secateur {

// Looks at the first states that a search finds.
class Sample final : public Scout {
 public:
  explicit Sample(std::size_t words) : ones_(64 * words) {}

  bool meets(Index, const std::uint64_t* state) override {
    for (std::size_t i = 0; i < ones_.size(); ++i) ones_[i] += state[i / 64] >> (i % 64) & 1;
    return ++states_ == kStates;
  }

  // Of one bit of a word: 0 if it never changes, 1/4 if it is set in half of the states.
  double variance(std::size_t word, unsigned bit) const {
    if (states_ == 0) return 0;
    const double share = static_cast<double>(ones_[64 * word + bit]) / static_cast<double>(states_);
    return share * (1 - share);
  }

 private:
  static constexpr std::uint64_t kStates = 2000;

  std::vector<std::uint64_t> ones_;
  std::uint64_t states_ = 0;
};

}  // namespace secateur

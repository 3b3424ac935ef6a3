// Some states, and how much their bits vary.
#pragma once

#include <cstdint>
#include <vector>

#include "scout.hpp"

namespace secateur {

// Looks at the first states that a search finds.
class Sample final : public Scout {
 public:
  explicit Sample(std::size_t words) : words_(words), ones_(64 * words) {}

  bool meets(Index, const std::uint64_t* state) override {
    for (std::size_t i = 0; i < ones_.size(); ++i) ones_[i] += state[i / 64] >> (i % 64) & 1;
    states_.insert(states_.end(), state, state + words_);
    return size() == kMost;
  }

  std::size_t size() const { return states_.size() / words_; }
  const std::uint64_t* state(std::size_t i) const { return states_.data() + i * words_; }

  // Of one bit of a word: 0 if it never changes, 1/4 if it is set in half of the states.
  double variance(std::size_t word, unsigned bit) const {
    if (size() == 0) return 0;
    const double share = static_cast<double>(ones_[64 * word + bit]) / static_cast<double>(size());
    return share * (1 - share);
  }

 private:
  static constexpr std::size_t kMost = 2000;

  std::size_t words_;
  std::vector<std::uint64_t> ones_;
  std::vector<std::uint64_t> states_;
};

}  // namespace secateur

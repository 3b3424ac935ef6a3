// States that were met lately.
//
// Steps of different processes commute: what one state leads to by this and then that, its
// neighbour leads to by that and then this, and breadth-first the two are expanded soon after each
// other.  So most transitions lead to a state that one of the last few thousand led to, and to know
// that takes no more than a look at memory that is near, while the table is far away.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace secateur {

// W is the number of words of a state where it is known when this is compiled, else 0.
template <unsigned W>
class Recent {
 public:
  explicit Recent(std::size_t words)
      : words_(words),
        stride_((words + 1 + kLine - 1) / kLine * kLine),
        mask_(std::clamp(std::bit_floor(kMost / stride_), kFewest, kSlots) - 1),
        slots_((mask_ + 1) * stride_ / kLine) {
    slots_[0].words[0] = std::uint64_t{1} << kSkipped;  // the hash of no state that could be there
  }

  // Fetches where a state with this hash will be looked for.
  void fetch(std::uint64_t hash) const { __builtin_prefetch(slot(hash)); }

  // Whether a state was met lately; from now on it was.  Where this is seldom of use, it says no.
  [[gnu::always_inline]] bool met(std::uint64_t hash, const std::uint64_t* state) {
    if (++asked_ % kPeriod == 0) judge();
    if (!useful_) return false;
    std::uint64_t* const here = slot(hash);
    if (here[0] == hash && same(here + 1, state)) {
      ++found_;
      return true;
    }
    here[0] = hash;
    for (std::size_t i = 0; i < words(); ++i) here[i + 1] = state[i];  // too few to be worth a call
    return false;
  }

 private:
  static constexpr std::size_t kLine = 8;                     // words of a line of the cache
  static constexpr std::size_t kMost = std::size_t{1} << 14;  // words, as long as there are enough
  static constexpr std::size_t kFewest = 64;                  // states
  static constexpr std::size_t kSlots = 2048;
  static constexpr unsigned kSkipped = 24;  // bits of a hash
  static constexpr std::uint64_t kPeriod = 1 << 14;
  static constexpr std::uint64_t kRest = 16;   // periods, until it is tried again
  static constexpr std::uint64_t kLeast = 16;  // one in so many must be found

  struct alignas(64) Line {
    std::uint64_t words[kLine];
  };

  std::size_t words() const { return W == 0 ? words_ : W; }

  const std::uint64_t* slot(std::uint64_t hash) const {
    return slots_[0].words + (hash >> kSkipped & mask_) * stride_;
  }
  std::uint64_t* slot(std::uint64_t hash) {
    return slots_[0].words + (hash >> kSkipped & mask_) * stride_;
  }

  bool same(const std::uint64_t* a, const std::uint64_t* b) const {
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < words(); ++i) different |= a[i] ^ b[i];
    return different == 0;
  }

  void judge() {
    const bool tried = useful_;
    useful_ = tried ? found_ >= kPeriod / kLeast : asked_ / kPeriod % kRest == 0;
    found_ = 0;
  }

  const std::size_t words_;
  const std::size_t stride_;  // of a slot: the hash, the state, and what is left of a line
  const std::size_t mask_;
  std::vector<Line> slots_;
  std::uint64_t asked_ = 0;
  std::uint64_t found_ = 0;  // in this period
  bool useful_ = true;
};

// What there is in its place where states are known as soon without it.
class Forgetful {
 public:
  explicit Forgetful(std::size_t) {}

  void fetch(std::uint64_t) const {}
  bool met(std::uint64_t, const std::uint64_t*) const { return false; }
};

}  // namespace secateur

// Who relies on whom to do what was left out: for the proviso of engine/provisos/reliance.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "store.hpp"

namespace secateur {

// What a state relies on that relies on several at once: nobody can tell where that leads.
inline constexpr Index kAdrift = kNone - 1;

class Links {
 public:
  void set(Index from, Index to) {
    if (link_.size() <= from)
      link_.resize(std::max<std::size_t>(1024, 2 * (std::size_t{from} + 1)), kNone);
    link_[from] = to;
  }

  // Follows the links to their end, and shortens them on the way.
  Index end(Index index) {
    for (;;) {
      const Index next = of(index);
      if (next == kNone) return index;
      const Index after = next == kAdrift ? kNone : of(next);
      if (after == kNone) return next;
      link_[index] = after;
      if (after == kAdrift) return kAdrift;
      index = after;
    }
  }

  std::size_t bytes() const { return link_.capacity() * sizeof(Index); }

 private:
  Index of(Index index) const { return index < link_.size() ? link_[index] : kNone; }

  std::vector<Index> link_;  // by index; kNone where there is none
};

}  // namespace secateur

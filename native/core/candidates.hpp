// Sets of instances that may be taken in a state, in the order in which they are tried.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace secateur {

// Small sets come first, among equals the one that was added first.  Memory is kept for the next
// state.
class Candidates {
 public:
  using Actions = std::vector<unsigned>;

  void clear() {
    order_.clear();
    used_ = 0;
  }
  std::size_t size() const { return order_.size(); }
  const Actions& operator[](std::size_t i) const { return sets_[order_[i]]; }

  // Adds a set, unless it is there.
  void add(const Actions& actions) {
    std::size_t place = order_.size();
    while (place != 0 && (*this)[place - 1].size() > actions.size()) --place;
    for (std::size_t i = place; i != 0 && (*this)[i - 1].size() == actions.size(); --i) {
      if ((*this)[i - 1] == actions) return;
    }
    const std::size_t fresh = used_++;
    if (fresh == sets_.size()) sets_.emplace_back();
    sets_[fresh].assign(actions.begin(), actions.end());
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), fresh);
  }

  void drop(std::size_t i) { order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(i)); }

 private:
  std::vector<Actions> sets_;
  std::size_t used_ = 0;  // of these
  std::vector<std::size_t> order_;
};

}  // namespace secateur

// Sets of instances that may be taken in a state, in the order in which they are tried.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
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
  const Actions& operator[](std::size_t i) const { return *order_[i].actions; }

  // Adds a set, unless it is there.  One that is `kept` stays where it is, and no other that is
  // kept is equal to it.
  void add(const Actions& actions, bool kept) {
    std::size_t place = order_.size();
    while (place != 0 && (*this)[place - 1].size() > actions.size()) --place;
    for (std::size_t i = place; i != 0 && (*this)[i - 1].size() == actions.size(); --i) {
      const Entry& entry = order_[i - 1];
      const bool both_kept = entry.kept && kept;
      if (both_kept ? entry.actions == &actions : *entry.actions == actions) return;
    }
    const Actions* const set = kept ? &actions : copy_of(actions);
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), {set, kept});
  }

  void drop(std::size_t i) { order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(i)); }

 private:
  struct Entry {
    const Actions* actions;
    bool kept;
  };

  const Actions* copy_of(const Actions& actions) {
    if (used_ == copies_.size()) copies_.emplace_back();
    copies_[used_] = actions;
    return &copies_[used_++];
  }

  std::deque<Actions> copies_;
  std::size_t used_ = 0;  // of these
  std::vector<Entry> order_;
};

}  // namespace secateur

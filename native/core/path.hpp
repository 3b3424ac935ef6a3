// The path of a depth-first search proper, and what is still to be followed from each of its
// states.
#pragma once

#include <cstdint>
#include <vector>

#include "store.hpp"

namespace secateur {

// Successors are kept in one pile: those of the end of the path are on top, and what was followed
// is gone.
class Path {
 public:
  explicit Path(std::size_t words) : words_(words) {}

  bool empty() const { return frames_.empty(); }
  // Whether a state is on the path.
  bool has(Index index) const { return index < on_.size() && on_[index]; }
  // The last state.
  Index end() const { return frames_.back().index; }

  void enter(Index index) {
    if (on_.size() <= index) on_.resize(2 * (std::size_t{index} + 512));
    on_[index] = true;
    frames_.push_back({index, actions_.size()});
  }
  void leave() {
    on_[end()] = false;
    frames_.pop_back();
  }

  // Adds a successor of the last state; the one that is added last is followed first.
  void add(unsigned action, const std::uint64_t* state) {
    actions_.push_back(action);
    states_.insert(states_.end(), state, state + words_);
  }
  // Whether some successor of the last state is still to be followed.
  bool pending() const { return actions_.size() != frames_.back().begin; }
  // The next of them, until it is dropped.
  unsigned action() const { return actions_.back(); }
  const std::uint64_t* state() const { return states_.data() + states_.size() - words_; }
  void drop() {
    actions_.pop_back();
    states_.resize(states_.size() - words_);
  }

  std::size_t bytes() const {
    return frames_.capacity() * sizeof(Frame) + states_.capacity() * sizeof(std::uint64_t) +
           actions_.capacity() * sizeof(unsigned) + on_.capacity() / 8;
  }

 private:
  struct Frame {
    Index index;
    std::size_t begin;  // of its successors
  };

  const std::size_t words_;
  std::vector<Frame> frames_;
  std::vector<unsigned> actions_;      // of the successors
  std::vector<std::uint64_t> states_;  // of each so many words
  std::vector<bool> on_;               // by index
};

}  // namespace secateur

// Goes through all ways to fix some variables: the smallest choice first, undone by the trail.
#pragma once

#include <cstdint>
#include <vector>

#include "network.hpp"
#include "propagators.hpp"

namespace secateur::solve {

class Search {
 public:
  enum class Stop : std::uint8_t { kFound, kDone, kPaused };

  Search(Network& net, std::vector<Needed> cells) : net_(net), cells_(std::move(cells)) {}

  // Goes on until everything is fixed and nothing in conflict, until there is no other way, or
  // until it has settled `most` times.
  Stop next(std::uint64_t most);

  // How often it has settled.
  std::uint64_t settled() const { return settled_; }

 private:
  // An interval without holes that is larger is halved rather than gone through.
  static constexpr Number kSplitAbove = 40;

  struct Frame {
    std::size_t mark;
    const Needed* cell;
    bool split;
    int tried;
    Number last;  // the value that was tried last
  };

  const Needed* next_cell() const;
  Frame frame(const Needed* cell) const;
  bool has_choice(const Frame& frame) const;
  bool choose(Frame& frame);

  Network& net_;
  std::vector<Needed> cells_;
  std::vector<Frame> stack_;
  bool going_down_ = true;
  std::uint64_t settled_ = 0;
};

}  // namespace secateur::solve

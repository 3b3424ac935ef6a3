// States of any width as one word: trees of shared parts.
//
// The bits of a state are divided, and divided again, until a part has at most 64.  Such a part is
// known by its number among its different values (by itself, if it has at most 31 bits), a larger
// one by the number of the pair of its halves' numbers.  What is left of a state is the pair of
// the numbers of its two halves.  Nothing is lost, and what many states have in common is there
// once (A. Laarman, J. van de Pol, M. Weber: Parallel recursive state compression for free, SPIN
// 2011).  A step changes little of a state: only the parts that differ are looked up.  Where to
// divide follows from a sample of states: both sides should vary alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "layout.hpp"
#include "parts.hpp"
#include "sample.hpp"

namespace secateur {

// What a part of a state is in a tree: its value (bits, or the numbers of its halves) and the
// number of that.
struct Knot {
  std::uint64_t value;
  Index number;
};

class Tree {
 public:
  Tree(const Layout& layout, const Sample& sample, Arena& arena) : layout_(layout), arena_(arena) {
    for (std::size_t i = 0; i < layout.words(); ++i) {
      starts_.push_back(static_cast<unsigned>(weights_.size()));
      for (unsigned bit = 0; bit < layout.bits(i); ++bit) {
        weights_.push_back(kLeastWeight + sample.variance(i, bit));
      }
    }
    const auto all = static_cast<unsigned>(weights_.size());
    const unsigned middle = middle_of(0, all);
    left_ = divide(0, middle);
    right_ = divide(middle, all);
  }

  // How many knots a state has.
  std::size_t size() const { return nodes_.size(); }

  // How many parts there are in all.
  std::size_t parts() const {
    std::size_t all = 0;
    for (const Node& node : nodes_) all += node.parts == nullptr ? 0 : node.parts->size();
    return all;
  }

  // Returns the word for a state, and its knots.  `like` are those of a similar state, or null.
  template <bool Threads>
  std::uint64_t weave(const std::uint64_t* state, const Knot* like, Knot* knots) {
    layout_.require_right_bits(state);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const std::uint64_t value = node.pieces.empty()
                                      ? pair(knots[node.left].number, knots[node.right].number)
                                      : gather(node, state);
      if (like != nullptr && like[i].value == value) {
        knots[i] = like[i];
      } else {
        knots[i] = {value, node.parts == nullptr ? static_cast<Index>(value)
                                                 : node.parts->number<Threads>(value)};
      }
    }
    return pair(knots[left_].number, knots[right_].number);
  }

  // Returns the state of a word, and its knots.
  void unweave(std::uint64_t word, std::uint64_t* state, Knot* knots) const {
    std::fill_n(state, layout_.words(), 0);
    knots[left_].number = static_cast<Index>(word >> 32);
    knots[right_].number = static_cast<Index>(word);
    for (std::size_t i = nodes_.size(); i-- != 0;) {
      const Node& node = nodes_[i];
      Knot& knot = knots[i];
      knot.value = node.parts == nullptr ? knot.number : node.parts->word(knot.number);
      if (node.pieces.empty()) {
        knots[node.left].number = static_cast<Index>(knot.value >> 32);
        knots[node.right].number = static_cast<Index>(knot.value);
      } else {
        scatter(node, knot.value, state);
      }
    }
  }

 private:
  static constexpr unsigned kOwnNumber = 31;
  static constexpr double kLeastWeight = 0.001;  // what did not vary in the sample may yet

  // Some bits of a word of the state, and where they are in the part.
  struct Piece {
    std::size_t word;
    unsigned from;
    unsigned to;
    std::uint64_t mask;
  };

  // Either has pieces or two halves, which come before it.
  struct Node {
    std::vector<Piece> pieces;
    std::size_t left = 0;
    std::size_t right = 0;
    std::unique_ptr<Parts> parts;  // none, if the value is the number
  };

  static std::uint64_t pair(Index left, Index right) { return std::uint64_t{left} << 32 | right; }

  // Adds the nodes for the bits begin..end-1 of a state; returns the last of them.
  std::size_t divide(unsigned begin, unsigned end) {
    Node node;
    if (end - begin <= 64) {
      node.pieces = pieces(begin, end);
    } else {
      const unsigned middle = middle_of(begin, end);
      node.left = divide(begin, middle);
      node.right = divide(middle, end);
    }
    if (end - begin > kOwnNumber) node.parts = std::make_unique<Parts>(arena_);
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  // Where to divide bits so that both sides have half of their weight.
  unsigned middle_of(unsigned begin, unsigned end) const {
    double rest = std::accumulate(weights_.begin() + begin, weights_.begin() + end, 0.0) / 2;
    unsigned middle = begin;
    while (middle < end && rest > 0) rest -= weights_[middle++];
    return end - begin < 2 ? middle : std::clamp(middle, begin + 1, end - 1);
  }

  std::vector<Piece> pieces(unsigned begin, unsigned end) const {
    std::vector<Piece> all;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const unsigned first = std::max(begin, starts_[i]);
      const unsigned last = std::min(end, starts_[i] + layout_.bits(i));
      if (first >= last) continue;
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (last - first));
      all.push_back({i, first - starts_[i], first - begin, mask});
    }
    if (all.empty()) all.push_back({0, 0, 0, 0});  // no bits at all
    return all;
  }

  static std::uint64_t gather(const Node& node, const std::uint64_t* state) {
    std::uint64_t value = 0;
    for (const Piece& p : node.pieces) value |= (state[p.word] >> p.from & p.mask) << p.to;
    return value;
  }

  static void scatter(const Node& node, std::uint64_t value, std::uint64_t* state) {
    for (const Piece& p : node.pieces) state[p.word] |= (value >> p.to & p.mask) << p.from;
  }

  const Layout& layout_;
  Arena& arena_;
  std::vector<unsigned> starts_;  // of the words, among the bits of a state
  std::vector<double> weights_;   // of these bits
  std::vector<Node> nodes_;
  std::size_t left_ = 0;
  std::size_t right_ = 0;
};

}  // namespace secateur

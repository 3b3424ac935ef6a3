// States found and not yet expanded; what `pop` takes is the whole difference.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "store.hpp"

namespace secateur {

class OpenSet {
 public:
  OpenSet() = default;
  OpenSet(const OpenSet&) = delete;
  OpenSet& operator=(const OpenSet&) = delete;
  virtual ~OpenSet() = default;

  virtual void push(Index index, const std::uint64_t* state) = 0;
  // There must be one.
  virtual Index pop() = 0;
  virtual std::size_t size() const = 0;
  virtual std::size_t bytes() const { return size() * sizeof(Index); }
};

// Random numbers; the same for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
  // Between 0 and 1, without 1.
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

// Depth-first: the state found last is expanded first.
class Stack final : public OpenSet {
 public:
  void push(Index index, const std::uint64_t*) override { states_.push_back(index); }
  Index pop() override {
    const Index last = states_.back();
    states_.pop_back();
    return last;
  }
  std::size_t size() const override { return states_.size(); }

 private:
  std::deque<Index> states_;
};

// The state found last, with probability `ratio`, or else the one found first.
class Mixed final : public OpenSet {
 public:
  Mixed(double ratio, std::uint64_t seed) : ratio_(ratio), random_(seed) {}

  void push(Index index, const std::uint64_t*) override { states_.push_back(index); }
  Index pop() override {
    const bool newest = random_.fraction() < ratio_;
    const Index chosen = newest ? states_.back() : states_.front();
    newest ? states_.pop_back() : states_.pop_front();
    return chosen;
  }
  std::size_t size() const override { return states_.size(); }

 private:
  double ratio_;
  Random random_;
  std::deque<Index> states_;
};

// Any state is as likely as another.
class Bag final : public OpenSet {
 public:
  explicit Bag(std::uint64_t seed) : random_(seed) {}

  void push(Index index, const std::uint64_t*) override { states_.push_back(index); }
  Index pop() override {
    std::swap(states_[random_.below(states_.size())], states_.back());
    const Index chosen = states_.back();
    states_.pop_back();
    return chosen;
  }
  std::size_t size() const override { return states_.size(); }

 private:
  Random random_;
  std::vector<Index> states_;
};

// The function of native/ABI.md that says how urgent a state is.
using RankFunction = std::int64_t (*)(const std::uint64_t* state);

// The state of the least rank first; among equals, the one found first.
class Priority final : public OpenSet {
 public:
  explicit Priority(RankFunction rank) : rank_(rank) {}

  // With one thread, indices grow with age.
  void push(Index index, const std::uint64_t* state) override {
    heap_.push_back({rank_(state), index});
    std::ranges::push_heap(heap_, std::greater());
  }
  Index pop() override {
    std::ranges::pop_heap(heap_, std::greater());
    const Index chosen = heap_.back().index;
    heap_.pop_back();
    return chosen;
  }
  std::size_t size() const override { return heap_.size(); }
  std::size_t bytes() const override { return size() * sizeof(Ranked); }

 private:
  struct Ranked {
    std::int64_t rank;
    Index index;

    auto operator<=>(const Ranked&) const = default;
  };

  RankFunction rank_;
  std::vector<Ranked> heap_;
};

}  // namespace secateur

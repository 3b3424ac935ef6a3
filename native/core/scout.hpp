// Looking out for certain states while a search is done once more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "model.hpp"
#include "store.hpp"

namespace secateur {

class Scout {
 public:
  Scout() = default;
  Scout(const Scout&) = delete;
  Scout& operator=(const Scout&) = delete;
  virtual ~Scout() = default;

  // Is told of every state that is found; returns whether that was the last one wanted.
  virtual bool meets(Index index, const std::uint64_t* state) = 0;
};

// Finds the indices of states.
class IndexScout final : public Scout {
 public:
  explicit IndexScout(const std::vector<Words>& wanted) {
    for (const Words& state : wanted) {
      if (left_.insert({state, kNone}).second) hashes_.push_back(hash(state.data(), state.size()));
    }
    std::ranges::sort(hashes_);
    missing_ = left_.size();
  }

  bool meets(Index index, const std::uint64_t* state) override {
    const std::size_t words = left_.begin()->first.size();
    if (!std::ranges::binary_search(hashes_, hash(state, words))) return false;
    const auto known = left_.find(Words(state, state + words));
    if (known == left_.end() || known->second != kNone) return false;
    known->second = index;
    return --missing_ == 0;
  }

  // kNone for those that were not met.
  const std::map<Words, Index>& indices() const { return left_; }

 private:
  static std::uint64_t hash(const std::uint64_t* state, std::size_t words) {
    return hash_of<0>(state, words);
  }

  std::map<Words, Index> left_;
  Words hashes_;
  std::size_t missing_;
};

// Finds the states with certain indices.
class StateScout final : public Scout {
 public:
  StateScout(std::vector<Index> wanted, std::size_t words)
      : wanted_(std::move(wanted)), words_(words) {
    std::ranges::sort(wanted_);
    wanted_.erase(std::ranges::unique(wanted_).begin(), wanted_.end());
  }

  // With one thread, indices come in order.  A search may find some more before it stops.
  bool meets(Index index, const std::uint64_t* state) override {
    if (found_.size() == wanted_.size() || index != wanted_[found_.size()]) return false;
    found_.emplace(index, Words(state, state + words_));
    return found_.size() == wanted_.size();
  }

  std::map<Index, Words> take_states() { return std::move(found_); }

 private:
  std::vector<Index> wanted_;
  std::size_t words_;
  std::map<Index, Words> found_;
};

}  // namespace secateur

// Which instances suffice in a state: the native twin of engine/reduce, choice by choice.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "model.hpp"
#include "oracle.hpp"
#include "reduction.hpp"
#include "store.hpp"

namespace secateur {

// What a search knows about states, for provisos.
class Visited {
 public:
  Visited() = default;
  Visited(const Visited&) = delete;
  Visited& operator=(const Visited&) = delete;
  virtual ~Visited() = default;

  // The index of a state that was found; else kNone.
  virtual Index find(const std::uint64_t* state) = 0;
  // Whether it was taken for expansion, or never will be.
  virtual bool closed(Index index) const = 0;
};

class Chooser {
 public:
  Chooser(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited);

  // Adds the successors of a state by instances that suffice to the batch.  Returns false, and adds
  // nothing, where there is a fault: then everything must be expanded.
  bool expand(const std::uint64_t* state, Index index, Batch& batch);

  Pruned pruned;

 private:
  using Actions = std::vector<unsigned>;
  struct Results {
    std::size_t begin;
    std::size_t end;
  };
  enum class Outcome { kTaken, kNot, kTrapped };

  bool look();
  bool looks_true(unsigned instance);
  bool compute(unsigned instance);
  bool perform(const Instance& instance);
  bool ask(const Instance& instance);
  void drop_repetitions(std::size_t begin);
  std::span<const std::uint64_t> result(std::size_t i) const {
    return {records_.data() + i * words_, words_};
  }

  Outcome choose(Batch& batch);
  Outcome by_stubborn_sets(std::size_t below, Batch& batch);
  Outcome by_ample_sets(Batch& batch);
  Outcome by_processes(Batch& batch);
  Outcome by_up_set(Batch& batch);
  Outcome by_best(Batch& batch);
  Outcome attempt(const Actions& actions, bool cyclic, Batch& batch);

  // Closes a set around its first members; returns false if more than `most` of it happen.
  bool close(std::span<const unsigned> seeds, std::size_t most);
  void demand(const std::vector<unsigned>& needed);
  const std::vector<unsigned>& cheapest(unsigned instance);
  bool is_member(unsigned instance) const { return member_[instance] == stamp_; }
  Actions chosen() const;

  bool stubborn_sets(std::vector<Actions>& found);
  // The actions of the up-set; `kNot` if there is none smaller than everything.
  bool up_set(Actions& actions);
  std::span<const Actions* const> ways_to_deadlocks();
  bool wanted(Actions& actions);
  bool truths();
  bool never_repairs(const Actions& actions);
  Actions dependency_set(unsigned instance);
  bool enabling_path(const Actions& actions);
  bool undisturbed(unsigned process, const Actions& actions);

  bool allowed(const Actions& actions);
  bool all_of(const Results& results, bool (Chooser::*good)(Index) const) const;
  bool is_open(Index index) const { return index == kNone || !visited_.closed(index); }
  bool is_new(Index index) const { return index == kNone; }

  const Model& model_;
  Reduction& reduction_;
  Oracle& oracle_;
  Visited& visited_;
  const std::size_t words_;
  const std::uint64_t* state_ = nullptr;

  std::vector<std::uint64_t> untrue_;  // by instance: the conjuncts that are not true
  std::vector<std::uint64_t> false_;   // by instance: the conjuncts that are false
  std::vector<std::uint8_t> happens_;  // by instance
  Actions enabled_;
  std::vector<std::uint64_t> records_;  // results so far
  std::vector<Results> results_;        // by instance, if computed
  std::vector<std::uint8_t> computed_;  // by instance

  std::vector<std::uint32_t> member_;  // by instance: a member if it is the present stamp
  std::uint32_t stamp_ = 0;
  std::vector<unsigned> todo_;
  std::size_t count_ = 0;
  std::vector<const Actions*> ways_;
  std::vector<std::uint8_t> holds_;  // by property
  std::vector<std::uint8_t> group_holds_;
};

}  // namespace secateur

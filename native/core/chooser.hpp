// Which instances suffice in a state: the native twin of engine/reduce, choice by choice.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "members.hpp"
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

  // Gets ready to look for a state soon.
  virtual void prepare(const std::uint64_t* state) = 0;
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
    return {records_.get() + i * words_, words_};
  }
  std::uint64_t* room_for(std::size_t records);

  Outcome choose(Batch& batch);
  Outcome by_stubborn_sets(std::size_t below, Batch& batch);
  Outcome by_ample_sets(Batch& batch);
  Outcome by_processes(Batch& batch);
  Outcome by_up_set(Batch& batch);
  Outcome by_best(Batch& batch);
  Outcome attempt(const Actions& actions, bool cyclic, Batch& batch);
  Outcome attempt_next(Batch& batch);
  void prepare(const Actions& actions);

  // Closes a set around an instance, or the set that was begun; returns false if more than `most`
  // of it happen.
  bool close_around(unsigned instance, std::size_t most);
  bool close(std::size_t most);
  const Reduction::Chunks& cheapest(unsigned instance);

  // The actions of the up-set, if it is smaller than everything that happens.
  bool up_set(Actions& actions);
  void find_ways_to_deadlocks();
  bool find_wanted();
  bool truths();
  bool disturbs(unsigned instance);
  bool never_repairs(const Actions& actions);
  void dependency_set(unsigned instance);
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
  Instances happens_;
  Actions enabled_;
  std::unique_ptr<std::uint64_t[]> records_;  // results so far
  std::size_t used_ = 0;                      // how many these are
  std::size_t capacity_ = 0;
  std::vector<Results> results_;  // by instance, if computed
  Instances computed_;

  Members members_;
  Actions actions_;            // a set that is tried
  std::vector<Actions> sets_;  // sets that are tried later
  bool chose_ = false;         // whether one of several sets was added while another was closed
  std::deque<unsigned> next_;  // instances that are sets, to be tried next
  Instances wanted_;
  Instances seeds_;
  Instances belong_;
  Instances dependent_;
  Reduction::Chunks row_;
  struct Way {
    std::size_t size;
    std::size_t place;
    unsigned only;  // the member, if there is just one
    const Reduction::Chunks* chunks;
  };
  std::vector<Way> ways_;
  std::vector<std::uint8_t> holds_;  // by property
  std::vector<std::uint8_t> group_holds_;
};

}  // namespace secateur

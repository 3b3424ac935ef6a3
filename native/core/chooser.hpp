// Which instances suffice in a state: the native twin of engine/reduce, choice by choice.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "candidates.hpp"
#include "enabling.hpp"
#include "members.hpp"
#include "model.hpp"
#include "oracle.hpp"
#include "reduction.hpp"
#include "store.hpp"

namespace secateur {

// A result that a search is asked about.
struct Sought {
  std::size_t result;  // its number
  std::uint64_t hash;  // where it is looked for
  Index index;         // once it was looked for; kNone if it is new
};

// What a search knows about states, for provisos.
class Visited {
 public:
  Visited() = default;
  Visited(const Visited&) = delete;
  Visited& operator=(const Visited&) = delete;
  virtual ~Visited() = default;

  // Gets ready to look for a state soon; returns where.
  virtual std::uint64_t prepare(const std::uint64_t* state) = 0;
  // Fetches what they will be compared with.
  virtual void fetch(std::span<const Sought> sought) = 0;
  // Looks for results, of which number 0 is at `results`.
  virtual void find(const std::uint64_t* results, std::span<Sought> sought) = 0;
  // Whether it was taken for expansion, or never will be.
  virtual bool closed(Index index) const = 0;
};

// Whether it is worth while to look at other states before one is expanded: where it has to wait
// for what a proviso asks.
inline bool looks_ahead(const Reduction& reduction) {
  const bool in_turn = reduction.method == Method::kStubborn || reduction.method == Method::kAmple;
  return in_turn && reduction.question.reach() && asks_for_states(reduction.proviso);
}

class Chooser {
 public:
  Chooser(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited);

  // Looks at a state, which `finish` will expand; between, `fetch` spares that some time.
  void begin(const std::uint64_t* state, Index index);
  void fetch();
  // Adds the successors of the state by instances that suffice to the batch.  Returns false, and
  // adds nothing, where there is a fault: then everything must be expanded.
  bool finish(Batch& batch);

  const std::uint64_t* state() const { return state_.data(); }
  Index index() const { return index_; }

  Pruned pruned;

 private:
  using Actions = std::vector<unsigned>;
  struct Results {
    std::size_t begin;
    std::size_t end;
  };
  enum class Outcome { kTaken, kNot, kTrapped };

  // What is needed of an instance to know whether it happens.
  struct Look {
    GuardFunction guard;
    const std::int64_t* parameters;
    std::uint64_t ordered;    // the conjuncts that are evaluated in order
    std::uint64_t uncertain;  // 1 if it may not happen although its conjuncts are true
  };

  bool look();
  void look_at(unsigned first, unsigned end, std::uint64_t& happening, std::uint64_t& doubtful);
  bool settle(unsigned instance);
  bool compute(unsigned instance);
  bool perform(const Instance& instance);
  bool ask(const Instance& instance);
  void drop_repetitions(std::size_t begin);
  std::span<const std::uint64_t> result(std::size_t i) const {
    return {records_.get() + i * words_, words_};
  }
  std::uint64_t* room_for(std::size_t records);
  Index index_of(std::size_t result);
  void seek();

  Outcome choose(Batch& batch);
  Outcome by_stubborn_sets(std::size_t below, Batch& batch);
  Outcome by_processes(Batch& batch);
  Outcome by_up_set(Batch& batch);
  Outcome by_best(Batch& batch);
  Outcome attempt(const Actions& actions, bool cyclic, Batch& batch);

  Outcome in_turn(std::size_t below, Batch& batch);
  void start(std::size_t below);
  std::size_t wanted() const;
  void find_more();
  void prepare_sets();
  bool find_stubborn();
  bool find_ample();
  void take_up(unsigned single);
  void prepare(unsigned instance);
  void get_ready_for(std::size_t result);
  bool lawful(const Actions& actions);

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
  bool alone(unsigned instance);
  void dependency_set(unsigned instance);
  bool undisturbed(unsigned process, const Actions& actions);

  bool allowed(const Actions& actions);
  bool all_of(const Results& results, bool (Chooser::*good)(Index) const);
  bool is_open(Index index) const { return index == kNone || !visited_.closed(index); }
  bool is_new(Index index) const { return index == kNone; }

  const Model& model_;
  Reduction& reduction_;
  Oracle& oracle_;
  Visited& visited_;
  const std::size_t words_;
  Words state_;
  Index index_ = kNone;
  bool sound_ = false;    // whether nothing is at fault
  bool started_ = false;  // whether sets were looked for

  std::vector<Look> looks_;            // by instance
  std::vector<std::uint64_t> untrue_;  // by instance: the conjuncts that are not true
  std::vector<std::uint64_t> false_;   // by instance: the conjuncts that are false
  Instances happens_;
  Actions enabled_;
  std::unique_ptr<std::uint64_t[]> records_;  // results so far
  std::size_t used_ = 0;                      // how many these are
  std::size_t capacity_ = 0;
  std::vector<Results> results_;  // by instance, if computed
  Instances computed_;
  std::vector<Index> indices_;  // by result, if looked for; else kUnsought or kWaiting
  std::vector<Sought> sought_;  // results to be looked for
  bool fetched_ = false;        // whether what these are compared with is on its way

  Members members_;
  EnablingPaths paths_;
  Actions actions_;           // a set that is tried
  Actions singles_;           // instances that are sets, in the order in which they are tried
  std::size_t tried_ = 0;     // how many of these were
  Candidates sets_;           // larger sets, which are tried later
  std::size_t prepared_ = 0;  // how many of these can be tried now
  std::size_t seed_ = 0;      // the place of the next one to find a set around
  std::size_t most_ = 0;      // how many of a set may happen
  bool chose_ = false;        // whether one of several sets was added while another was closed
  Instances wanted_;
  Instances seeds_;
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

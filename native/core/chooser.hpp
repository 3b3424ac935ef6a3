// Which instances suffice in a state: the native twin of engine/reduce, choice by choice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "batch.hpp"
#include "candidates.hpp"
#include "closure.hpp"
#include "enabling.hpp"
#include "here.hpp"
#include "links.hpp"
#include "members.hpp"
#include "model.hpp"
#include "oracle.hpp"
#include "reduction.hpp"
#include "store.hpp"
#include "upset.hpp"

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
  // Whether two states that differ stand for the same one.
  virtual bool alike(const std::uint64_t* /*one*/, const std::uint64_t* /*other*/) { return false; }
  // Whether it was taken for expansion, or never will be.
  virtual bool closed(Index index) const = 0;
  // Whether it is on the path of a depth-first search; others have none.
  virtual bool on_path(Index) const { throw std::logic_error("this search has no path"); }
  // Where those end who rely on each other to do what was left out; and that one relies on another.
  virtual Index end(Index /*index*/) { throw std::logic_error("nobody knows who relies on whom"); }
  virtual void link(Index /*index*/, Index /*to*/) {
    throw std::logic_error("nobody remembers who relies on whom");
  }
};

// Whether it is worth while to look at other states before one is expanded: where it has to wait
// for what a proviso asks.
inline bool looks_ahead(const Reduction& reduction) {
  const bool in_turn = reduction.method == Method::kStubborn || reduction.method == Method::kAmple;
  return in_turn && reduction.question.reach() && asks_for_states(reduction.proviso);
}

class Chooser {
 public:
  // Whoever chooses in the same thread may share an experience.
  Chooser(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited,
          Experience& experience);

  // Looks at a state, which `finish` will expand; between, `fetch` spares that some time.
  void begin(const std::uint64_t* state, Index index);
  void fetch();
  // Adds the successors of the state by instances that suffice to the batch.  Returns false, and
  // adds nothing, where everything must be expanded: nothing less suffices, or there is a fault.
  bool finish(Batch& batch);

  const std::uint64_t* state() const { return here_.state(); }
  Index index() const { return index_; }

  Pruned pruned;

 private:
  using Actions = std::vector<unsigned>;
  enum class Outcome { kTaken, kNot, kTrapped };

  static constexpr unsigned kNoInstance = static_cast<unsigned>(-1);

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

  bool disturbs(unsigned instance);
  bool never_repairs(const Actions& actions);
  bool harmless(ClosedSet& set);
  bool lawful(const Actions& actions);
  bool alone(unsigned instance);
  void dependency_set(unsigned instance);
  bool undisturbed(unsigned process, const Actions& actions);
  bool stays(unsigned instance, const Actions& actions);

  bool compute(unsigned instance);
  bool allowed(const Actions& actions);
  bool relies(const Actions& actions);
  bool single(unsigned instance);
  bool all_of(const Results& results, bool (Chooser::*good)(Index) const);
  bool is_open(Index index) const { return index == kNone || !visited_.closed(index); }
  bool is_new(Index index) const { return index == kNone; }
  bool is_off_path(Index index) const { return index == kNone || !visited_.on_path(index); }
  void get_ready_for(std::size_t result);
  Index index_of(std::size_t result);
  void seek();

  Reduction& reduction_;
  Visited& visited_;
  Here here_;
  const Actions& enabled_;  // what happens here
  Closure closure_;
  UpSet up_set_;
  Index index_ = kNone;
  bool sound_ = false;    // whether nothing is at fault
  bool started_ = false;  // whether sets were looked for

  unsigned relied_ = kNoInstance;            // whose result nobody had found, and is relied on
  std::size_t relied_at_ = Source::kNobody;  // its place in the batch
  std::vector<Index> indices_;               // by result, if looked for; else kUnsought or kWaiting
  std::vector<Sought> sought_;               // results to be looked for
  bool fetched_ = false;                     // whether what these are compared with is on its way

  Members members_;
  EnablingPaths paths_;
  Actions actions_;           // a set that is tried
  Actions singles_;           // instances that are sets, in the order in which they are tried
  std::size_t tried_ = 0;     // how many of these were
  Candidates sets_;           // larger sets, which are tried later
  std::size_t prepared_ = 0;  // how many of these can be tried now
  std::size_t seed_ = 0;      // the place of the next one to find a set around
  std::size_t most_ = 0;      // how many of a set may happen
  Instances seeds_;
  Reduction::Chunks row_;
  std::vector<std::optional<bool>> disturbs_;  // by instance, if known
};

}  // namespace secateur

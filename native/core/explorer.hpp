// A model, and everything that was found out about it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "distinct.hpp"
#include "layout.hpp"
#include "model.hpp"
#include "notes.hpp"
#include "reduction.hpp"
#include "search.hpp"
#include "store.hpp"
#include "symmetry.hpp"
#include "tree.hpp"
#include "watch.hpp"

namespace secateur {

enum class Order { kBreadthFirst, kDepthFirst, kMixed, kRandom, kPriority };

// What is kept of states that have been expanded: all of them and their parents; an exact and
// compact entry of the table; or no more than a hash, so that states may be left out.  Without
// parents, only breadth-first search is possible, and the way to a state must be found again.
enum class Storage { kWhole, kCompressed, kFingerprints };

inline constexpr unsigned kMostThreads = 64;

struct Options {
  Order order = Order::kBreadthFirst;
  unsigned threads = 1;  // for breadth-first search
  std::uint64_t seed = 0;
  double ratio = 1.0 / 3;       // of depth-first choices, in a mixed search
  RankFunction rank = nullptr;  // in a search by priority
  bool keep_edges = false;
  bool lean = false;  // keep no states that need not be kept: ways are found by searching again
  Storage storage = Storage::kWhole;
  Limits limits;
};

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t code = 0;  // nanoseconds in compiled code that expands states, about
  std::uint64_t waiting = 0;
  std::uint64_t depth = 0;
  std::uint64_t flooded = 0;  // known to be symmetric to others; not among the states
};

class Explorer {
 public:
  Explorer(const std::vector<unsigned>& bits, std::size_t label_words, unsigned actions,
           unsigned properties);

  Model& model() { return model_; }
  Notes& notes() { return notes_; }
  // What to leave out; without instances, nothing.
  Reduction& reduction() { return reduction_; }
  // What may be exchanged; without elements, nothing.
  Symmetry& symmetry() { return symmetry_; }
  void set_images(Images* images) { images_ = images; }
  void add_initial(Words state);

  // Explores; once only.
  Ending run(const Options& options, Evaluator& evaluator, Relations* relations = nullptr);

  // For other threads, while it runs.
  void interrupt() { watch_.stop(Ending::kInterrupted); }
  Counts counts() const;
  // The bytes that states, the table and remembered answers take.
  std::size_t memory() const {
    return table_arena_.used() + states_arena_.used() + answers_arena_.used();
  }

  // For when it has run.
  const Pruned& pruned() const { return outcome_.pruned; }
  const Tally& tally() const { return outcome_.tally; }
  const std::vector<Edge>& edges() const { return outcome_.edges; }
  std::uint64_t asked() const;
  Words state(Index index) const;
  // The different values of each masked part in all states, unless there are more than `most`; not
  // after `retrace`, nor with fingerprints.
  std::vector<std::optional<std::vector<Words>>> distinct_values(const std::vector<Words>& masks,
                                                                 std::size_t most) const;
  // How many different values a part has; nothing if there are more than `most`.
  std::optional<std::size_t> count_distinct(const Words& mask, std::size_t most) const;
  // Up to `most` states, evenly spread among all; none where they are not kept.
  std::vector<Words> sample(std::size_t most) const;
  // Where parents are not kept: finds the ways to what was seen by searching again, so that `path`
  // and `state` know them.  One search is enough where states are kept meanwhile: those of one word
  // if there are not very many of them and it need not be `sparing` with memory.  The states seen
  // first get other indices.  Returns false if it was interrupted or, with fingerprints, if one of
  // them was left out this time.
  bool retrace(Evaluator& evaluator, bool sparing);
  // From an initial state to this one.
  std::vector<Index> path(Index index) const;

 private:
  using Visit = std::function<bool(const std::uint64_t*)>;

  // A search, and where it leaves what it finds.
  struct Search {
    Space& space;
    std::span<Progress> progress;
    Outcome& outcome;
  };

  void require_fit(const Options& options) const;
  Keeping keeping(bool parents) const;
  bool wide() const;
  bool squeezable() const;
  bool needs_no_store() const;
  void take_sample(Evaluator& evaluator);
  void prepare_states(Keeping keeping);
  Space space(Evaluator& evaluator, Scout* scout);
  void search(const Search& search);
  template <class Form, class Bucket>
  void search(const Search& search);
  template <bool Threads, class Bucket>
  std::shared_ptr<StateTable<Bucket, Threads>> make_table();
  void search_aside(Scout& scout, Keeping keeping, Evaluator& evaluator);
  // Where the states are that were seen; kNone for those that are not found again.
  std::map<Words, Index> find_indices(const std::vector<Words>& seen, Keeping keeping,
                                      Evaluator& evaluator);
  std::map<Index, Words> read_states(const std::vector<Index>& wanted) const;
  // Returns nothing if it was interrupted.
  std::map<Index, Words> find_states(const std::vector<Index>& wanted, Evaluator& evaluator);
  void rename_first(const std::map<Words, Index>& indices);
  bool found_all(const std::map<Words, Index>& indices) const;
  void require_width(const Words& words) const;
  void each_state(const Visit& visit) const;
  // Calls `visit` with the indices of all states, until it returns false.
  template <class VisitIndex>
  void each_index(VisitIndex visit) const;
  template <class Bucket, class AnyTable>
  void each_entry(const AnyTable& table, const Visit& visit) const;
  std::vector<Index> path_by_parents(Index index) const;

  const Layout layout_;
  const Layout key_layout_;
  Model model_;
  Notes notes_;
  Reduction reduction_;
  Symmetry symmetry_;
  Images* images_ = nullptr;
  std::vector<Words> initial_;
  Options options_;
  Arena table_arena_;
  Arena states_arena_{Access::kInTurn};  // for wide ones
  Arena answers_arena_;
  std::unique_ptr<Sample> sample_;
  std::unique_ptr<Tree> tree_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Memos> memos_;
  Watch watch_;
  std::array<Progress, kMostThreads> progress_;
  Outcome outcome_;
  std::function<void(const Visit&)> each_entry_;  // where the states are in the table only
  std::map<Index, std::vector<Index>> paths_;     // found by `retrace`
  bool ran_ = false;
  bool lean_ = false;  // states are in the table only, though nobody has asked for that
};

}  // namespace secateur

// A model, and everything that was found out about it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "layout.hpp"
#include "model.hpp"
#include "notes.hpp"
#include "search.hpp"
#include "store.hpp"
#include "watch.hpp"

namespace secateur {

enum class Order { kBreadthFirst, kDepthFirst, kMixed, kRandom };

inline constexpr unsigned kMostThreads = 64;

struct Options {
  Order order = Order::kBreadthFirst;
  unsigned threads = 1;  // for breadth-first search
  std::uint64_t seed = 0;
  double ratio = 1.0 / 3;  // of depth-first choices, in a mixed search
  bool keep_edges = false;
  bool keep_parents = true;  // or else, in a breadth-first search, find them again when asked
  Limits limits;
};

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t waiting = 0;
  std::uint64_t depth = 0;
};

class Explorer {
 public:
  Explorer(const std::vector<unsigned>& bits, std::size_t label_words, unsigned actions,
           unsigned properties);

  Model& model() { return model_; }
  Notes& notes() { return notes_; }
  void add_initial(Words state);

  // Explores; once only.
  Ending run(const Options& options, Evaluator& evaluator);

  // For other threads, while it runs.
  void interrupt() { watch_.stop(Ending::kInterrupted); }
  Counts counts() const;
  // The bytes that states, the table and remembered answers take.
  std::size_t memory() const { return arena_.used(); }

  // For when it has run.
  const Tally& tally() const { return outcome_.tally; }
  const std::vector<Edge>& edges() const { return outcome_.edges; }
  std::uint64_t asked() const;
  Words state(Index index) const;
  // From an initial state to this one.  The evaluator is asked where parents were not kept.
  std::vector<Index> path(Index index, Evaluator& evaluator);
  // The different values of the masked part in all states, unless there are more than `most`.
  std::optional<std::vector<Words>> distinct_values(const Words& mask, std::size_t most) const;

 private:
  void search(const Options& options, Space& space);
  template <unsigned W, class Bucket>
  void search(const Options& options, Space& space);
  void require_known(Index index) const;
  std::vector<Index> path_by_parents(Index index) const;
  std::vector<Index> path_by_levels(Index index, Evaluator& evaluator);

  Layout layout_;
  Model model_;
  Notes notes_;
  std::vector<Words> initial_;
  Arena arena_;
  Store store_;
  std::unique_ptr<Memos> memos_;
  Watch watch_;
  std::array<Progress, kMostThreads> progress_;
  Outcome outcome_;
  bool ran_ = false;
};

}  // namespace secateur

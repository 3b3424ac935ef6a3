// The product of a model and the automaton of a formula: is there a path that both have?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "automaton.hpp"
#include "graph.hpp"
#include "layout.hpp"
#include "model.hpp"
#include "notes.hpp"
#include "reduction.hpp"
#include "watch.hpp"
#include "watched.hpp"

namespace secateur {

// A step of a path, with what its label says, and all its marks.
struct Turn {
  Index target = kNone;
  Label label{};
  std::uint64_t marks = 0;
};

// A path; after it, the last `loop` steps are repeated.  Without a loop it ends in a deadlock; or,
// if it is `open`, it does not matter how it goes on.
struct Lasso {
  Index start;
  std::vector<Turn> turns;
  std::size_t loop = 0;
  bool open = false;
};

class Product {
 public:
  Product(const std::vector<unsigned>& bits, std::size_t label_words, unsigned actions,
          unsigned properties)
      : layout_(bits), model_(bits.size(), label_words, actions, properties) {
    watched_.always.resize(actions);
    watched_.marked.resize(actions);
  }

  Model& model() { return model_; }
  Notes& notes() { return notes_; }
  Watched& watched() { return watched_; }
  Reduction& reduction() { return reduction_; }
  // What may be exchanged; without elements, nothing.
  Symmetry& symmetry() { return symmetry_; }
  void set_images(Images* images) { images_ = images; }
  void add_initial(Words state);

  // Searches; once only.  Without instances in the reduction, nothing is left out.
  Ending run(const Limits& limits, Evaluator& evaluator, Automaton& automaton,
             Relations* relations);

  // For other threads, while it runs.
  void interrupt() { watch_.stop(Ending::kInterrupted); }
  std::uint64_t states() const { return progress_.states.load(std::memory_order_relaxed); }
  std::uint64_t transitions() const {
    return progress_.transitions.load(std::memory_order_relaxed);
  }
  // The nodes that were visited.
  std::uint64_t nodes() const { return progress_.expanded.load(std::memory_order_relaxed); }

  // For when it has run.
  std::size_t memory() const { return arena_.used() + answers_.used(); }
  const std::optional<Lasso>& lasso() const { return lasso_; }
  Words state(Index index) const { return graph_->state(index); }
  Pruned pruned() const { return graph_ == nullptr ? Pruned() : graph_->pruned(); }

 private:
  const Layout layout_;
  Model model_;
  Notes notes_;
  Watched watched_;
  Reduction reduction_;
  Symmetry symmetry_;
  Images* images_ = nullptr;
  std::vector<Words> initial_;
  Arena arena_;
  Arena answers_;
  std::unique_ptr<Memos> memos_;
  Watch watch_;
  Progress progress_;
  std::unique_ptr<Graph> graph_;
  std::optional<Lasso> lasso_;
};

}  // namespace secateur

// Which of all steps out of a state are followed in a reduced graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "batch.hpp"
#include "chooser.hpp"
#include "reduction.hpp"

namespace secateur {

class Selection {
 public:
  Selection(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited)
      : words_(model.words),
        patience_(reduction.patience),
        experience_(reduction, model.words),
        chooser_(model, reduction, oracle, visited, experience_),
        chosen_(model.stride) {}

  // Leaves out of the batch, which has all successors of a state, what need not happen now.
  void leave_out(const std::uint64_t* state, Index index, Batch& batch) {
    if (!choose(state, index)) return;
    kept_.assign(batch.successors(), false);
    for (std::size_t i = 0; i < chosen_.successors(); ++i) mark(i, batch);
    batch.keep(kept_);
  }

  const Pruned& pruned() const { return chooser_.pruned; }

 private:
  // Returns whether there is a choice that leaves out something.
  bool choose(const std::uint64_t* state, Index index) {
    const Pruned& pruned = chooser_.pruned;
    if (patience_ && pruned.reduced == 0 && pruned.expanded >= *patience_) return false;
    const std::uint64_t before = pruned.reduced;
    chosen_.clear();
    chooser_.begin(state, index);
    return chooser_.finish(chosen_) && pruned.reduced != before;
  }

  // Instances that are not chosen may lead to the same state in the same way; that does no harm.
  void mark(std::size_t chosen, const Batch& batch) {
    const std::uint64_t* const target = chosen_.state(chosen);
    bool found = false;
    for (std::size_t i = 0; i < batch.successors(); ++i) {
      if (batch.action(i) != chosen_.action(chosen)) continue;
      if (!std::equal(target, target + words_, batch.state(i))) continue;
      kept_[i] = found = true;
    }
    if (!found) throw std::logic_error("an action has other results when it is executed");
  }

  const std::size_t words_;
  const std::optional<std::uint64_t> patience_;
  Experience experience_;
  Chooser chooser_;
  Batch chosen_;
  std::vector<bool> kept_;  // by successor
};

}  // namespace secateur

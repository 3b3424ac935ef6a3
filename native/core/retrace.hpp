// Finds again how a state was reached, where that was not kept.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "batch.hpp"
#include "expander.hpp"
#include "model.hpp"
#include "oracle.hpp"
#include "store.hpp"

namespace secateur {

class Retrace {
 public:
  Retrace(const Model& model, const Store& store, Oracle& oracle)
      : store_(store), expander_(model, oracle), batch_(model.stride), state_(model.words) {}

  // Returns the first of these states that has `target` as a successor.
  Index predecessor(Index target, const std::vector<Range>& level) {
    Words wanted(state_.size());
    store_.get<0>(target, wanted.data());
    for (const Range& range : level) {
      for (Index index = range.begin; index != range.end; ++index) {
        if (leads_to(index, wanted)) return index;
      }
    }
    throw std::logic_error("nothing leads to a state that was found");
  }

 private:
  bool leads_to(Index index, const Words& wanted) {
    store_.get<0>(index, state_.data());
    batch_.clear();
    expander_.expand(state_.data(), index, batch_);
    for (std::size_t i = 0; i < batch_.successors(); ++i) {
      if (std::ranges::equal(wanted, std::span(batch_.state(i), wanted.size()))) return true;
    }
    return false;
  }

  const Store& store_;
  Expander expander_;
  Batch batch_;
  Words state_;
};

}  // namespace secateur

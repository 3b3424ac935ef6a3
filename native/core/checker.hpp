// The properties of a state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model.hpp"
#include "notes.hpp"
#include "oracle.hpp"
#include "tally.hpp"

namespace secateur {

class Checker {
 public:
  Checker(const Model& model, const Notes& notes, Oracle& oracle, Tally& tally)
      : model_(model), notes_(notes), oracle_(oracle), tally_(tally) {}

  // Evaluates the properties of a plan in a state, and counts those that fail; returns whether
  // nothing is wrong with it.
  bool check(const CheckPlan& plan, const std::uint64_t* state, Index index) {
    flawless_ = true;
    for (const unsigned group : plan.groups) run(model_.check_groups[group], state, index);
    for (const unsigned property : plan.evaluated) ask(property, state, index);
    if (!noted_.empty()) {
      note(noted_, index);
      noted_.clear();
    }
    return flawless_;
  }

  // Counts each of the notes once; changes their order.
  void note(std::vector<Note>& notes, Index index) {
    std::ranges::sort(notes);
    const auto repeated = std::ranges::unique(notes);
    notes.erase(repeated.begin(), repeated.end());
    for (const Note note : notes) {
      tally_.add_note(note, index);
      if (notes_.stops(note)) error_ = true;
    }
  }

  // Whether a run may end in a state without successors.
  bool may_end(const std::uint64_t* state) {
    const CheckGroup* const group = model_.end_group();
    if (group != nullptr) {
      std::uint8_t holds = 0;
      group->function.get()(state, &holds);
      const auto truth = static_cast<Truth>(holds);
      if (truth != Truth::kTrapped) return truth == Truth::kHolds;
    }
    return oracle_.check(model_.end(), state).holds();
  }

  void deadlock(Index index) {
    tally_.deadlocks.add(index);
    if (model_.deadlock_stops) error_ = true;
  }

  // Whether anything was found for which a search stops.
  bool error() const { return error_; }

 private:
  void run(const CheckGroup& group, const std::uint64_t* state, Index index) {
    const std::size_t count = group.properties.size();
    if (holds_.size() < count) holds_.resize(count);
    std::uint8_t* const holds = holds_.data();
    group.function.get()(state, holds);
    unsigned other = 0;
    for (std::size_t j = 0; j < count; ++j) other |= holds[j] ^ 1u;
    if (other == 0) return;
    for (std::size_t j = 0; j < count; ++j) {
      const auto truth = static_cast<Truth>(holds_[j]);
      if (truth == Truth::kTrapped) ask(group.properties[j], state, index);
      if (truth == Truth::kFails) fails(group.properties[j], index);
    }
  }

  void ask(unsigned property, const std::uint64_t* state, Index index) {
    const Remembered answer = oracle_.check(property, state);
    if (!answer.holds()) fails(property, index);
    for (std::size_t i = 0; i < answer.notes(); ++i) {
      flawless_ = false;
      noted_.push_back(answer.note(i, 0));
    }
  }

  void fails(unsigned property, Index index) {
    flawless_ = false;
    tally_.violations[property].add(index);
    if (model_.stops[property]) error_ = true;
  }

  const Model& model_;
  const Notes& notes_;
  Oracle& oracle_;
  Tally& tally_;
  std::vector<std::uint8_t> holds_;
  std::vector<Note> noted_;
  bool flawless_ = true;
  bool error_ = false;
};

}  // namespace secateur

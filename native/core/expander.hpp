// All steps out of a state.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"
#include "model.hpp"
#include "oracle.hpp"

namespace secateur {

class Expander {
 public:
  Expander(const Model& model, Oracle& oracle) : model_(model), oracle_(oracle) {}

  // Adds the distinct successors of a state to the batch, in the order of the actions.
  void expand(const std::uint64_t* state, Index index, Batch& batch);

  // About how many nanoseconds compiled code has taken: it is measured now and then.
  std::uint64_t code_time() const { return code_time_; }

 private:
  void run_groups(const std::uint64_t* state, Batch& batch);
  void run_group(const Group& group, const std::uint64_t* state, Batch& batch);
  // Runs the code of a group, with as much room as it needs; returns how many records it made.
  std::size_t call(const Group& group, const std::uint64_t* state, Batch& batch);
  // These add the records from `begin` on as successors; they return where these end.
  Successor* add_all(const Group& group, std::size_t begin, std::size_t made, Batch& batch) const;
  Successor* add_distinct(const Group& group, std::size_t begin, std::size_t made, Batch& batch);
  void ask_trapped(const Group& group, const std::uint64_t* state, Batch& batch);
  void ask(unsigned action, const std::uint64_t* state, Batch& batch);
  // Moves the first of each of equal records to the front; returns where they end.
  std::size_t without_repetition(std::size_t begin, std::size_t end, Batch& batch);
  std::size_t without_repetition_hashed(std::size_t begin, std::size_t end, Batch& batch);

  const Model& model_;
  Oracle& oracle_;
  std::vector<std::uint32_t> by_;       // for each record of a group, who made it
  std::vector<std::uint32_t> trapped_;  // how many actions of a group trapped, and which
  std::vector<std::size_t> seen_;
  std::uint64_t expanded_ = 0;
  std::uint64_t code_time_ = 0;
  bool in_order_ = true;  // whether the successors of this state are in the order of the actions
};

}  // namespace secateur

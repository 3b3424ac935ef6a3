// A state, and what can happen in it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "guards.hpp"
#include "members.hpp"
#include "model.hpp"
#include "oracle.hpp"
#include "reduction.hpp"

namespace secateur {

// The results of an instance, by their numbers.
struct Results {
  std::size_t begin;
  std::size_t end;
};

class Here {
 public:
  using Actions = std::vector<unsigned>;

  Here(const Model& model, Reduction& reduction, Oracle& oracle, Guards& guards);
  Here(const Here&) = delete;
  Here& operator=(const Here&) = delete;

  // Comes to a state; returns false if something is at fault there.
  bool look(const std::uint64_t* state);

  // Computes the results of an instance that happens; returns false if they cannot be told.
  bool compute(unsigned instance);

  const std::uint64_t* state() const { return state_.data(); }
  const Instances& happens() const { return happens_; }
  const Actions& enabled() const { return enabled_; }
  // The conjuncts of an instance that are not true, and those that are false.
  std::uint64_t untrue(unsigned instance) const { return said_by(instance)[0]; }
  std::uint64_t falsified(unsigned instance) const { return said_by(instance)[1]; }

  // Of instances whose results are computed.
  const Results& results(unsigned instance) const { return results_[instance]; }
  std::span<const std::uint64_t> result(std::size_t i) const {
    return {records_.get() + i * words_, words_};
  }
  const std::uint64_t* records() const { return records_.get(); }
  std::size_t computed() const { return used_; }

 private:
  // Where it is written what a guard says: two words from `offset` on.
  struct Place {
    const std::uint64_t* const* row;
    std::size_t offset;
  };

  const std::uint64_t* said_by(unsigned instance) const {
    const Place& place = places_[instance];
    return *place.row + place.offset;
  }
  bool look_at(unsigned instance);
  bool perform(const Instance& instance);
  bool ask(const Instance& instance);
  std::uint64_t* room_for(std::size_t records);
  void drop_repetitions(std::size_t begin);

  const Model& model_;
  Reduction& reduction_;
  Oracle& oracle_;
  Guards& guards_;
  const std::size_t words_;
  Words state_;

  std::vector<const std::uint64_t*> rows_;  // by cluster of guards; then that of the others
  std::vector<std::uint64_t> own_;          // what the others say, by instance
  std::vector<Place> places_;               // by instance
  Instances happens_;
  Actions enabled_;

  std::unique_ptr<std::uint64_t[]> records_;  // results so far
  std::size_t used_ = 0;                      // how many these are
  std::size_t capacity_ = 0;
  std::vector<Results> results_;  // by instance, if computed
  Instances computed_;
};

}  // namespace secateur

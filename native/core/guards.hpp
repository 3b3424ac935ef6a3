// What guards say, remembered for the bits that they look at.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "reduction.hpp"

namespace secateur {

// Adjacent bits of a state, which become bits of a code.
struct Run {
  unsigned word;
  unsigned shift;
  std::uint64_t mask;
  unsigned to;
};

// Instances whose guards look at few bits together, so that one look at these tells about all.
// A row has, for each of them, the conjuncts that are not true and those that are false; then, for
// each of `words`, the bits of those that happen; and last, whether something is at fault.
class GuardCluster {
 public:
  GuardCluster(std::vector<unsigned> instances, const std::vector<std::uint64_t>& reads);

  const std::vector<unsigned>& instances() const { return instances_; }
  const std::vector<unsigned>& words() const { return words_; }
  std::size_t happening_at() const { return 2 * instances_.size(); }
  std::size_t fault_at() const { return happening_at() + words_.size(); }

  const std::uint64_t* row(const std::uint64_t* state, const Reduction& reduction) {
    std::size_t code = 0;
    for (const Run& run : runs_) code |= (state[run.word] >> run.shift & run.mask) << run.to;
    const std::uint64_t* const known = rows_[code];
    return known != nullptr ? known : (rows_[code] = evaluated(state, reduction));
  }

 private:
  const std::uint64_t* evaluated(const std::uint64_t* state, const Reduction& reduction);

  std::vector<unsigned> instances_;
  std::vector<unsigned> words_;
  std::vector<Run> runs_;
  std::vector<const std::uint64_t*> rows_;            // by code
  std::deque<std::vector<std::uint64_t>> different_;  // these
};

// Guards of which one thread knows the outcome for each code of the bits that they look at, once it
// was met; and those instances that must be asked each time, as they look at more, or as their
// results tell whether they happen.
class Guards {
 public:
  Guards(const Reduction& reduction, std::size_t words);

  std::vector<GuardCluster>& clusters() { return clusters_; }
  const std::vector<unsigned>& others() const { return others_; }

 private:
  std::vector<GuardCluster> clusters_;
  std::vector<unsigned> others_;
};

// Whether an instance surely does not happen, of which a conjunct is not true: not even as a fault.
inline bool surely_disabled(const Instance& instance, std::uint64_t untrue, std::uint64_t false_) {
  const std::uint64_t first = untrue & ((std::uint64_t{1} << instance.ordered) - 1);
  return first != 0 ? (first & (~first + 1) & false_) != 0 : false_ != 0;
}

}  // namespace secateur

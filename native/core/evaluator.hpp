// Whoever can do every step and decide every property, slowly.
#pragma once

#include <cstdint>
#include <vector>

namespace secateur {

using Note = std::uint32_t;

// What the evaluator says about one action or property in one state.
struct Answer {
  std::vector<std::uint64_t> successors;  // states, one after the other
  std::vector<Note> notes;                // what was found on the way
  bool holds = true;
};

// May be asked from several threads at once.  What it throws ends the run.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  virtual Answer step(unsigned action, const std::uint64_t* state) = 0;
  virtual Answer check(unsigned property, const std::uint64_t* state) = 0;

  // Called now and then with the state expanded last, or nothing; what it throws ends the run.
  virtual void poll(const std::uint64_t* state) = 0;
};

}  // namespace secateur

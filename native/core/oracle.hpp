// Steps and checks that are not compiled: remembered, or asked of the evaluator.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "memo.hpp"
#include "watch.hpp"

namespace secateur {

// The answers of all actions and properties, shared by all threads.
struct Memos {
  Memos(const Model& model, Arena& arena) {
    for (const Masks& masks : model.steps) steps.emplace_back(masks, arena, model.marks);
    for (const Masks& masks : model.checks) checks.emplace_back(masks, arena);
  }

  std::deque<Memo> steps;
  std::deque<Memo> checks;
};

// One thread's way to the answers.
class Oracle {
 public:
  Oracle(Memos& memos, Evaluator& evaluator, Watch& watch)
      : memos_(memos),
        evaluator_(evaluator),
        watch_(watch),
        step_hits_(memos.steps.size()),
        check_hits_(memos.checks.size()) {}

  const Memo& step_memo(unsigned action) const { return memos_.steps[action]; }

  // What is returned is valid until the next question.
  Remembered step(unsigned action, const std::uint64_t* state) {
    Memo& memo = memos_.steps[action];
    if (const Remembered known = memo.find(state)) {
      ++step_hits_[action];
      return known;
    }
    watch_.look(0);
    return memo.add(state, evaluator_.step(action, state), step_hits_[action], scratch_);
  }

  Remembered check(unsigned property, const std::uint64_t* state) {
    Memo& memo = memos_.checks[property];
    if (const Remembered known = memo.find(state)) {
      ++check_hits_[property];
      return known;
    }
    watch_.look(0);
    return memo.add(state, evaluator_.check(property, state), check_hits_[property], scratch_);
  }

 private:
  Memos& memos_;
  Evaluator& evaluator_;
  Watch& watch_;
  std::vector<std::uint64_t> step_hits_;
  std::vector<std::uint64_t> check_hits_;
  Words scratch_;
};

}  // namespace secateur

// Closing a set of instances under what D1 and D2 demand: the twin of engine/reduce/closure.py.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "here.hpp"
#include "members.hpp"
#include "recall.hpp"
#include "reduction.hpp"

namespace secateur {

inline constexpr std::size_t kMostSeeds = 100;  // as in engine/reduce/stubborn.py

// What one thread has found out and what holds in every state, for all that choose there.
struct Experience {
  Experience(const Reduction& reduction, std::size_t words)
      : guards(reduction, words), recall(2 * reduction.size() + 1) {}

  Guards guards;
  Recall recall;
};

class Closure {
 public:
  using Actions = std::vector<unsigned>;

  Closure(Reduction& reduction, const Here& here, Recall& recall);

  // To be called for each state.
  void forget();

  // These return the set as long as nothing else is closed; or null if more than `most` of its
  // members happen.
  ClosedSet* around(unsigned instance, std::size_t most);
  ClosedSet* around_row(Relation relation, unsigned of, std::size_t most);  // disablers, stranders
  ClosedSet* around_all(const Instances& seeds, std::size_t most);

 private:
  ClosedSet* find(std::size_t root, std::size_t most);
  bool begin(Members& members, std::size_t most);
  bool close(Members& members, std::size_t most);
  void learn(std::size_t root, std::size_t most);
  const Reduction::Chunks& cheapest(const Members& members, unsigned instance);
  void ask_for(const Members& members, unsigned instance);

  Reduction& reduction_;
  const Here& here_;
  Recall& recall_;
  Members members_;
  Members observed_;                        // a set that will be remembered
  std::vector<Query> queries_;              // while it was closed
  unsigned first_ = 0;                      // what a set is closed around, if it is one instance
  const Reduction::Chunks* row_ = nullptr;  // or else these,
  const Instances* seeds_ = nullptr;        // or these
  Instances begun_;
  Instances fresh_;
  ClosedSet found_;
  bool chose_ = false;  // whether one of several sets was added while another was closed
};

}  // namespace secateur

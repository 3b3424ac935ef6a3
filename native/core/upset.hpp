// Up-set stubborn sets: the twin of engine/reduce/upset.py.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "closure.hpp"
#include "here.hpp"
#include "model.hpp"
#include "oracle.hpp"
#include "reduction.hpp"

namespace secateur {

class UpSet {
 public:
  using Actions = std::vector<unsigned>;

  UpSet(const Model& model, Reduction& reduction, Oracle& oracle, const Here& here,
        Closure& closure)
      : model_(model),
        reduction_(reduction),
        oracle_(oracle),
        here_(here),
        closure_(closure),
        wanted_(reduction.size()),
        seeds_(reduction.size()),
        ways_(reduction.size() + 1),
        holds_(model.checks.size()) {}

  // Finds the instances of the up-set, if they are fewer than all that happen.
  bool find(Actions& actions);

 private:
  static constexpr unsigned kNobody = static_cast<unsigned>(-1);

  // A row of a relation, of which each path to a deadlock contains a member.
  struct Way {
    const Reduction::Row* row = nullptr;
    Relation relation = Relation::kDisablers;
    unsigned of = 0;
    unsigned alike = 0;       // the number of one with the same row
    unsigned only = kNobody;  // its member, if there is one
    std::uint64_t order = 0;  // the lesser, the earlier it is tried
    std::uint64_t seen = 0;   // the last state in which that was tried
  };

  ClosedSet* closed_around(const Way& way, std::size_t most);
  void find_ways_to_deadlocks();
  void meet(Way& way, std::size_t number);
  void try_way(std::size_t number);
  const Way& way_of(std::uint64_t tried) const;
  bool find_wanted();
  bool truths();

  const Model& model_;
  Reduction& reduction_;
  Oracle& oracle_;
  const Here& here_;
  Closure& closure_;
  Instances wanted_;
  bool nothing_ = true;  // whether that is empty
  Instances seeds_;
  std::vector<Way> ways_;  // by instance; and the last one, of stranders
  std::map<Reduction::Row, unsigned> alike_;
  std::vector<std::uint64_t> tried_;  // the sizes of ways, and after that their numbers
  std::uint64_t state_ = 0;           // how many have been looked at
  std::vector<std::uint8_t> holds_;   // by property
  std::vector<std::uint8_t> group_holds_;
};

}  // namespace secateur

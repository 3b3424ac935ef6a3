// What is explored: compiled actions and predicates, and masks for those that the evaluator does.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace secateur {

using Words = std::vector<std::uint64_t>;

// The functions of native/ABI.md.
using GroupFunction = std::int64_t (*)(const std::uint64_t* state, std::uint64_t* records,
                                       std::int64_t capacity, std::uint32_t* by,
                                       std::uint32_t* trapped);
using CheckFunction = void (*)(const std::uint64_t* state, std::uint8_t* holds);

inline constexpr std::int64_t kTrapped = -1;
inline constexpr std::int64_t kFull = -2;

enum class Truth : std::uint8_t { kFails = 0, kHolds = 1, kTrapped = 2 };

// A function that may be replaced, by one that does the same, while others call it.
template <class F>
class Replaceable {
 public:
  Replaceable(F function) : function_(function) {}  // NOLINT: stands for the function
  Replaceable(const Replaceable& other) : function_(other.get()) {}
  Replaceable& operator=(const Replaceable& other) {
    set(other.get());
    return *this;
  }

  F get() const { return function_.load(std::memory_order_acquire); }
  void set(F function) { function_.store(function, std::memory_order_release); }

 private:
  std::atomic<F> function_;
};

struct Group {
  Replaceable<GroupFunction> function;
  std::vector<unsigned> actions;
  std::vector<std::uint8_t> distinct;
  bool all_distinct = false;  // computed
};

struct CheckGroup {
  Replaceable<CheckFunction> function;
  std::vector<unsigned> properties;
};

// The bits that matter to an action or property, and those that the action may change.
struct Masks {
  Words read;
  Words write;
};

// What must be looked at in a state.
struct CheckPlan {
  std::vector<unsigned> groups;
  std::vector<unsigned> evaluated;  // properties that are not compiled
};

class Model {
 public:
  Model(std::size_t width, std::size_t label_words, unsigned actions, unsigned properties)
      : words(width),
        stride(width + label_words),
        steps(actions, {Words(width, ~0ull), Words(width, ~0ull)}),
        checks(properties, {Words(width, ~0ull), {}}),
        stops(properties, false),
        affected_(actions, every(properties)),
        group_of_action_(actions, kNoGroup),
        group_of_property_(properties, kNoGroup) {}

  void add_group(Group group) {
    if (group.distinct.size() != group.actions.size()) {
      throw std::invalid_argument("one `distinct` for each action");
    }
    if (group.actions.empty()) return;
    enter(group.actions, group_of_action_, groups.size());
    group.all_distinct = std::ranges::all_of(group.distinct, [](auto d) { return d != 0; });
    groups.push_back(std::move(group));
  }

  void add_checks(CheckGroup group) {
    enter(group.properties, group_of_property_, check_groups.size());
    check_groups.push_back(std::move(group));
  }

  // The property, which is then no other, that says which states without successors are lawful
  // ends of a run; it is looked at in these only.
  void set_end(unsigned property) {
    checks.at(property);
    end_ = property;
  }
  bool has_end() const { return end_ != kNoProperty; }
  unsigned end() const { return end_; }

  // The group that has the code of the above, or null.
  const CheckGroup* end_group() const {
    const std::size_t group = group_of_property_[end_];
    return group == kNoGroup ? nullptr : &check_groups[group];
  }

  void set_affected(unsigned action, std::vector<unsigned> properties) {
    for (const unsigned p : properties) checks.at(p);
    affected_.at(action) = std::move(properties);
  }

  // Computes what follows from the above; called once, before the run.
  void prepare() {
    for (unsigned a = 0; a < steps.size(); ++a) {
      if (group_of_action_[a] == kNoGroup) evaluated.push_back(a);
      after.push_back(plan_for(affected_[a]));
    }
    whole = plan_for(every(checks.size()));
    std::vector<unsigned> order;
    for (const Group& g : groups) order.insert(order.end(), g.actions.begin(), g.actions.end());
    order.insert(order.end(), evaluated.begin(), evaluated.end());
    in_order = std::is_sorted(order.begin(), order.end());
  }

  std::size_t words;
  std::size_t stride;
  std::size_t marks = 0;      // words after a state, in records, that tell more of the step to it
  std::vector<Masks> steps;   // by action
  std::vector<Masks> checks;  // by property
  std::vector<Group> groups;
  std::vector<CheckGroup> check_groups;
  std::vector<bool> stops;  // by property: whether to stop where it fails
  bool deadlock_stops = false;

  // Computed.
  std::vector<unsigned> evaluated;  // actions that are not compiled
  std::vector<CheckPlan> after;     // by action: for states that it leads to from a flawless one
  CheckPlan whole;
  bool in_order = true;  // whether groups, then `evaluated`, are all actions in order

 private:
  static constexpr std::size_t kNoGroup = ~std::size_t{0};
  static constexpr unsigned kNoProperty = ~0u;

  static std::vector<unsigned> every(std::size_t count) {
    std::vector<unsigned> all(count);
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }

  static void enter(const std::vector<unsigned>& members, std::vector<std::size_t>& group_of,
                    std::size_t group) {
    for (const unsigned m : members) {
      if (group_of.at(m) != kNoGroup) throw std::invalid_argument("it is in a group already");
      group_of[m] = group;
    }
  }

  CheckPlan plan_for(const std::vector<unsigned>& properties) const {
    CheckPlan plan;
    for (const unsigned p : properties) {
      if (p == end_) continue;
      const std::size_t group = group_of_property_[p];
      if (group == kNoGroup) {
        plan.evaluated.push_back(p);
      } else if (std::ranges::find(plan.groups, group) == plan.groups.end()) {
        plan.groups.push_back(static_cast<unsigned>(group));
      }
    }
    return plan;
  }

  std::vector<std::vector<unsigned>> affected_;  // by action
  std::vector<std::size_t> group_of_action_;
  std::vector<std::size_t> group_of_property_;
  unsigned end_ = kNoProperty;
};

}  // namespace secateur

#include "chooser.hpp"

#include <algorithm>
#include <bit>

namespace secateur {

namespace {

constexpr std::size_t kMostSeeds = 100;  // as in engine/reduce/stubborn.py
constexpr std::uint64_t kDearer = 1000;  // as in engine/reduce/closure.py
constexpr std::int64_t kFirstRoom = 8;

}  // namespace

Chooser::Chooser(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited)
    : model_(model),
      reduction_(reduction),
      oracle_(oracle),
      visited_(visited),
      words_(model.words),
      untrue_(reduction.size()),
      false_(reduction.size()),
      happens_(reduction.size()),
      results_(reduction.size()),
      computed_(reduction.size()),
      member_(reduction.size()),
      holds_(model.checks.size()) {}

bool Chooser::expand(const std::uint64_t* state, Index index, Batch& batch) {
  state_ = state;
  ++pruned.expanded;
  Outcome outcome = Outcome::kTrapped;
  if (look()) {
    outcome = choose(batch);
    if (outcome == Outcome::kNot) outcome = attempt(enabled_, false, batch);
  }
  if (outcome == Outcome::kTrapped) {
    ++pruned.trapped;
    return false;
  }
  batch.sources.push_back({index, batch.successors(), batch.notes.size(), !enabled_.empty()});
  return true;
}

// -- what happens ------------------------------------------------------------------------------

bool Chooser::look() {
  records_.clear();
  enabled_.clear();
  std::ranges::fill(computed_, 0);
  const std::vector<Instance>& instances = reduction_.instances();
  for (unsigned i = 0; i < instances.size(); ++i) {
    if (!looks_true(i)) return false;
    happens_[i] = untrue_[i] == 0;
    if (happens_[i]) enabled_.push_back(i);
  }
  return true;
}

// Finds out which conjuncts of an instance are true; returns false if it is at fault.
bool Chooser::looks_true(unsigned i) {
  const Instance& instance = reduction_.instances()[i];
  std::uint64_t found[2] = {0, 0};
  if (instance.guard != nullptr) instance.guard(state_, instance.parameters.data(), found);
  const std::uint64_t trouble = found[0] | found[1];
  untrue_[i] = trouble;
  false_[i] = found[0];
  if (trouble != 0) {
    if (found[1] == 0) return true;
    const std::uint64_t first = trouble & ((std::uint64_t{1} << instance.ordered) - 1);
    return first != 0 ? (first & (~first + 1) & found[0]) != 0 : found[0] != 0;
  }
  if (instance.total && !reduction_.faulty(i)) return true;
  if (!compute(i)) return false;
  if (results_[i].begin == results_[i].end) untrue_[i] = std::uint64_t{1} << instance.conjuncts;
  return true;
}

// Computes the results of an instance that happens; returns false if they cannot be told.
bool Chooser::compute(unsigned i) {
  if (computed_[i] != 0) return true;
  const std::size_t begin = records_.size() / words_;
  const Instance& instance = reduction_.instances()[i];
  if (!(instance.perform != nullptr ? perform(instance) : ask(instance))) return false;
  drop_repetitions(begin);
  results_[i] = {begin, records_.size() / words_};
  computed_[i] = 1;
  return true;
}

bool Chooser::perform(const Instance& instance) {
  const std::size_t begin = records_.size();
  std::int64_t room = kFirstRoom;
  for (;;) {
    records_.resize(begin + static_cast<std::size_t>(room) * words_);
    const std::int64_t count =
        instance.perform(state_, instance.parameters.data(), records_.data() + begin, room);
    if (count == kTrapped) return false;
    if (count >= 0) {
      records_.resize(begin + static_cast<std::size_t>(count) * words_);
      return true;
    }
    room *= 4;
  }
}

bool Chooser::ask(const Instance& instance) {
  const Memo& memo = oracle_.step_memo(instance.action);
  const Remembered step = oracle_.step(instance.action, state_);
  if (step.notes() != 0) return false;
  const std::size_t begin = records_.size();
  records_.resize(begin + step.successors() * words_);
  for (std::size_t i = 0; i < step.successors(); ++i) {
    memo.apply(step, i, state_, records_.data() + begin + i * words_);
  }
  return true;
}

// Moves the first of each of equal results to the front, from `begin` on.
void Chooser::drop_repetitions(std::size_t begin) {
  const std::size_t end = records_.size() / words_;
  std::size_t kept = begin;
  for (std::size_t i = begin; i < end; ++i) {
    std::size_t j = begin;
    while (j < kept && !std::ranges::equal(result(i), result(j))) ++j;
    if (j < kept) continue;
    if (kept != i)
      std::ranges::copy(result(i), records_.begin() + static_cast<std::ptrdiff_t>(kept * words_));
    ++kept;
  }
  records_.resize(kept * words_);
}

// -- choices -----------------------------------------------------------------------------------

Chooser::Outcome Chooser::choose(Batch& batch) {
  switch (reduction_.method) {
    case Method::kStubborn:
      return by_stubborn_sets(enabled_.size(), batch);
    case Method::kUpSet:
      return by_up_set(batch);
    case Method::kBest:
      return by_best(batch);
    case Method::kAmple:
      return by_ample_sets(batch);
    case Method::kProcessAmple:
      return by_processes(batch);
  }
  return Outcome::kNot;
}

Chooser::Outcome Chooser::by_stubborn_sets(std::size_t below, Batch& batch) {
  const bool reach = reduction_.question.reach();
  std::vector<Actions> found;
  stubborn_sets(found);
  for (const Actions& actions : found) {
    if (actions.size() >= below || (reach && !never_repairs(actions))) continue;
    const Outcome outcome = attempt(actions, reach, batch);
    if (outcome != Outcome::kNot) return outcome;
  }
  return Outcome::kNot;
}

Chooser::Outcome Chooser::by_up_set(Batch& batch) {
  Actions actions;
  return up_set(actions) ? attempt(actions, false, batch) : Outcome::kNot;
}

Chooser::Outcome Chooser::by_best(Batch& batch) {
  Actions actions;
  const bool up = up_set(actions);
  const std::size_t most = up ? actions.size() : enabled_.size();
  if (most > 1) {
    const Outcome outcome = by_stubborn_sets(most, batch);
    if (outcome != Outcome::kNot) return outcome;
  }
  return up ? attempt(actions, false, batch) : Outcome::kNot;
}

Chooser::Outcome Chooser::by_ample_sets(Batch& batch) {
  const bool reach = reduction_.question.reach();
  std::vector<Actions> sets;
  for (const unsigned alpha : enabled_) {
    Actions set = dependency_set(alpha);
    if (set.size() < enabled_.size() && std::ranges::find(sets, set) == sets.end()) {
      sets.push_back(std::move(set));
    }
  }
  std::ranges::stable_sort(sets, {}, &Actions::size);
  for (const Actions& actions : sets) {
    if (enabling_path(actions) || (reach && !never_repairs(actions))) continue;
    const Outcome outcome = attempt(actions, reach, batch);
    if (outcome != Outcome::kNot) return outcome;
  }
  return Outcome::kNot;
}

// As engine/reduce/process_ample.py.
Chooser::Outcome Chooser::by_processes(Batch& batch) {
  const bool reach = reduction_.question.reach();
  const auto& processes = reduction_.processes();
  for (unsigned p = 0; p < processes.size(); ++p) {
    Actions actions;
    for (const unsigned a : processes[p]) {
      if (happens_[a] != 0) actions.push_back(a);
    }
    if (actions.empty() || actions.size() == enabled_.size()) continue;
    if (!undisturbed(p, actions) || (reach && !never_repairs(actions))) continue;
    const Outcome outcome = attempt(actions, reach, batch);
    if (outcome != Outcome::kNot) return outcome;
  }
  return Outcome::kNot;
}

// Takes a set of instances, if the proviso allows it.
Chooser::Outcome Chooser::attempt(const Actions& actions, bool cyclic, Batch& batch) {
  for (const unsigned a : actions) {
    if (!compute(a)) return Outcome::kTrapped;
  }
  if (cyclic && !allowed(actions)) {
    ++pruned.refused;
    return Outcome::kNot;
  }
  pruned.reduced += actions.size() < enabled_.size();
  pruned.happening += enabled_.size();
  pruned.taken += actions.size();
  for (const unsigned a : actions) {
    const Results& results = results_[a];
    const std::size_t count = results.end - results.begin;
    batch.reserve(count);
    const std::size_t begin = batch.used();
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(result(results.begin + i), batch.record(begin + i));
    }
    batch.use(count);
    const unsigned action = reduction_.instances()[a].action;
    batch.end_successors(batch.add_at(batch.successors_end(), action, begin, begin + count));
  }
  return Outcome::kTaken;
}

// -- closed sets ---------------------------------------------------------------------------------

bool Chooser::close(std::span<const unsigned> seeds, std::size_t most) {
  if (++stamp_ == 0) {
    std::ranges::fill(member_, 0);
    stamp_ = 1;
  }
  todo_.clear();
  count_ = 0;
  for (const unsigned seed : seeds) {
    if (is_member(seed)) continue;
    member_[seed] = stamp_;
    count_ += happens_[seed];
    todo_.push_back(seed);
  }
  std::ranges::sort(todo_, std::greater{});
  while (!todo_.empty() && count_ <= most) {
    const unsigned a = todo_.back();
    todo_.pop_back();
    demand(happens_[a] != 0 ? reduction_.row(Relation::kDependents, a) : cheapest(a));
  }
  return count_ <= most;
}

void Chooser::demand(const std::vector<unsigned>& needed) {
  for (const unsigned b : needed) {
    if (is_member(b)) continue;
    member_[b] = stamp_;
    todo_.push_back(b);
    count_ += happens_[b];
  }
}

const std::vector<unsigned>& Chooser::cheapest(unsigned instance) {
  const std::vector<unsigned>* best = nullptr;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t left = untrue_[instance]; left != 0; left &= left - 1) {
    const auto conjunct = static_cast<unsigned>(std::countr_zero(left));
    const auto& enablers = reduction_.row(Relation::kEnablers, instance, conjunct);
    std::uint64_t cost = 0;
    for (const unsigned b : enablers) {
      if (!is_member(b)) cost += 1 + (happens_[b] != 0 ? kDearer : 0);
    }
    if (cost < least) {
      least = cost;
      best = &enablers;
    }
  }
  return *best;
}

Chooser::Actions Chooser::chosen() const {
  Actions actions;
  for (const unsigned a : enabled_) {
    if (is_member(a)) actions.push_back(a);
  }
  return actions;
}

bool Chooser::stubborn_sets(std::vector<Actions>& found) {
  const bool reach = reduction_.question.reach();
  if (enabled_.size() < 2) return false;
  std::size_t most = enabled_.size() - 1;
  const std::size_t seeds = std::min(enabled_.size(), kMostSeeds);
  for (std::size_t i = 0; i < seeds && most > 0; ++i) {
    if (!close(std::span(&enabled_[i], 1), most)) continue;
    Actions actions = chosen();
    // Where nothing but size matters, no larger set will be asked for.
    if (!reach) most = actions.size() - 1;
    if (std::ranges::find(found, actions) == found.end()) found.push_back(std::move(actions));
  }
  std::ranges::stable_sort(found, {}, &Actions::size);
  return !found.empty();
}

// -- up-sets
// ---------------------------------------------------------------------------------------

bool Chooser::up_set(Actions& actions) {
  Actions seeds;
  if (enabled_.empty() || !wanted(seeds)) return false;
  const std::size_t without = seeds.size();
  std::size_t most = enabled_.size() - 1;
  bool found = false;
  for (const Actions* more : ways_to_deadlocks()) {
    seeds.resize(without);
    seeds.insert(seeds.end(), more->begin(), more->end());
    if (!close(seeds, most)) continue;
    actions = chosen();
    found = true;
    if (actions.empty()) break;
    most = actions.size() - 1;
  }
  return found;
}

// Sets of instances, short ones first, of which each leads to all deadlocks.
std::span<const Chooser::Actions* const> Chooser::ways_to_deadlocks() {
  static const Actions kNothing;
  ways_.clear();
  if (!reduction_.question.deadlocks) {
    ways_.push_back(&kNothing);
    return ways_;
  }
  ways_.push_back(&reduction_.row(Relation::kStranders, 0));
  const std::size_t tried = std::min(enabled_.size(), kMostSeeds);
  for (std::size_t i = 0; i < tried; ++i) {
    ways_.push_back(&reduction_.row(Relation::kDisablers, enabled_[i]));
  }
  std::ranges::stable_sort(ways_, {}, &Actions::size);
  return ways_;
}

bool Chooser::wanted(Actions& actions) {
  if (!truths()) return false;
  for (const unsigned p : reduction_.question.properties) {
    if (holds_[p] == 0) continue;
    const auto& violators = reduction_.row(Relation::kViolators, p);
    actions.insert(actions.end(), violators.begin(), violators.end());
  }
  for (const unsigned f : reduction_.question.faults) {
    const auto& provokers = reduction_.row(Relation::kProvokers, f);
    actions.insert(actions.end(), provokers.begin(), provokers.end());
  }
  return true;
}

// Finds out which properties hold; returns false if one that matters has no value.
bool Chooser::truths() {
  if (reduction_.question.properties.empty()) return true;
  for (const unsigned g : model_.whole.groups) {
    const CheckGroup& group = model_.check_groups[g];
    group_holds_.resize(std::max(group_holds_.size(), group.properties.size()));
    group.function.get()(state_, group_holds_.data());
    for (std::size_t j = 0; j < group.properties.size(); ++j) {
      holds_[group.properties[j]] = group_holds_[j];
    }
  }
  for (const unsigned p : model_.whole.evaluated) {
    const Remembered answer = oracle_.check(p, state_);
    const bool noted = answer.notes() != 0;
    holds_[p] = static_cast<std::uint8_t>(noted ? Truth::kTrapped : Truth{answer.holds()});
  }
  return std::ranges::none_of(reduction_.question.properties, [this](unsigned p) {
    return static_cast<Truth>(holds_[p]) == Truth::kTrapped;
  });
}

// -- ample sets
// --------------------------------------------------------------------------------------

bool Chooser::never_repairs(const Actions& actions) {
  for (const unsigned a : actions) {
    if (!reduction_.row(Relation::kRepaired, a).empty()) return false;
    for (const unsigned b : reduction_.row(Relation::kHealed, a)) {
      if (!std::ranges::binary_search(actions, b)) return false;
    }
  }
  return true;
}

Chooser::Actions Chooser::dependency_set(unsigned instance) {
  ++stamp_;
  member_[instance] = stamp_;
  todo_.assign(1, instance);
  while (!todo_.empty()) {
    const unsigned a = todo_.back();
    todo_.pop_back();
    for (const unsigned gamma : reduction_.row(Relation::kDependents, a)) {
      if (happens_[gamma] == 0 || is_member(gamma)) continue;
      member_[gamma] = stamp_;
      todo_.push_back(gamma);
    }
  }
  return chosen();
}

bool Chooser::enabling_path(const Actions& actions) {
  const auto belongs = [&](unsigned a) { return std::ranges::binary_search(actions, a); };
  std::vector<std::uint8_t> dependent(reduction_.size());
  for (const unsigned a : actions) {
    for (const unsigned b : reduction_.row(Relation::kDependents, a)) dependent[b] = !belongs(b);
  }
  ++stamp_;
  todo_.clear();
  for (const unsigned beta : enabled_) {
    if (belongs(beta)) continue;
    member_[beta] = stamp_;
    todo_.push_back(beta);
  }
  while (!todo_.empty()) {
    const unsigned beta = todo_.back();
    todo_.pop_back();
    for (const unsigned gamma : reduction_.row(Relation::kEnabled, beta)) {
      if (dependent[gamma] != 0) return true;
      if (is_member(gamma) || belongs(gamma)) continue;
      member_[gamma] = stamp_;
      todo_.push_back(gamma);
    }
  }
  return false;
}

// Whether no other process can do, or cause, anything that depends on what this one can do.
bool Chooser::undisturbed(unsigned process, const Actions& actions) {
  const std::vector<Instance>& instances = reduction_.instances();
  const auto own = [&](unsigned b) { return instances[b].process == process; };
  for (const unsigned a : actions) {
    if (!std::ranges::all_of(reduction_.row(Relation::kDependents, a), own)) return false;
  }
  for (const unsigned a : reduction_.processes()[process]) {
    if (happens_[a] != 0 || (false_[a] & instances[a].own) != 0) continue;
    const unsigned conjuncts = instances[a].conjuncts + (instances[a].total ? 0 : 1);
    for (unsigned c = 0; c < conjuncts; ++c) {
      if (!std::ranges::all_of(reduction_.row(Relation::kEnablers, a, c), own)) return false;
    }
  }
  return true;
}

// -- provisos
// ------------------------------------------------------------------------------------------

bool Chooser::allowed(const Actions& actions) {
  const auto some = [&](bool (Chooser::*good)(Index) const) {
    return std::ranges::any_of(actions, [&](unsigned a) {
      return results_[a].begin != results_[a].end && all_of(results_[a], good);
    });
  };
  switch (reduction_.proviso) {
    case Proviso::kNone:
      return true;
    case Proviso::kOpen:
      return some(&Chooser::is_open);
    case Proviso::kVisited:
      return some(&Chooser::is_new);
    case Proviso::kStatic:
      return std::ranges::none_of(actions,
                                  [&](unsigned a) { return reduction_.instances()[a].sticky; });
    case Proviso::kOpenLiveness:
      return std::ranges::all_of(
          actions, [&](unsigned a) { return all_of(results_[a], &Chooser::is_open); });
  }
  return false;
}

bool Chooser::all_of(const Results& results, bool (Chooser::*good)(Index) const) const {
  for (std::size_t i = results.begin; i < results.end; ++i) {
    if (!(this->*good)(visited_.find(result(i).data()))) return false;
  }
  return true;
}

}  // namespace secateur

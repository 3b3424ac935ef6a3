#include "chooser.hpp"

#include <algorithm>
#include <bit>

namespace secateur {

namespace {

constexpr std::size_t kMostSeeds = 100;  // as in engine/reduce/stubborn.py
constexpr std::uint64_t kDearer = 1000;  // as in engine/reduce/closure.py
constexpr std::size_t kFirstRoom = 8;
constexpr std::size_t kAhead = 3;  // sets whose results are looked for before one is tried
// No state has these indices, as blocks of them are larger.
constexpr Index kUnsought = kNone - 1;
constexpr Index kWaiting = kNone - 2;

}  // namespace

Chooser::Chooser(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited)
    : model_(model),
      reduction_(reduction),
      oracle_(oracle),
      visited_(visited),
      words_(model.words),
      looks_(reduction.size()),
      untrue_(reduction.size()),
      false_(reduction.size()),
      happens_(reduction.size()),
      results_(reduction.size()),
      computed_(reduction.size()),
      members_(reduction.size(), happens_),
      paths_(reduction, happens_),
      wanted_(reduction.size()),
      seeds_(reduction.size()),
      holds_(model.checks.size()) {
  for (unsigned i = 0; i < reduction.size(); ++i) {
    const Instance& instance = reduction.instances()[i];
    const std::uint64_t ordered = (std::uint64_t{1} << instance.ordered) - 1;
    const std::uint64_t uncertain = instance.total && !reduction.faulty(i) ? 0 : 1;
    looks_[i] = {instance.guard, instance.parameters.data(), ordered, uncertain};
  }
}

void Chooser::begin(const std::uint64_t* state, Index index) {
  state_.assign(state, state + words_);
  index_ = index;
  started_ = false;
  sound_ = look();
  if (!sound_ || !looks_ahead(reduction_)) return;
  start(enabled_.size());
  find_more();
  if (singles_.size() < wanted()) prepare_sets();
}

void Chooser::fetch() {
  visited_.fetch(sought_);
  fetched_ = true;
}

bool Chooser::finish(Batch& batch) {
  ++pruned.expanded;
  Outcome outcome = Outcome::kTrapped;
  if (sound_) {
    outcome = choose(batch);
    if (outcome == Outcome::kNot) outcome = attempt(enabled_, false, batch);
  }
  if (outcome == Outcome::kTrapped) {
    ++pruned.trapped;
    return false;
  }
  batch.sources.push_back({index_, batch.successors(), batch.notes.size(), !enabled_.empty()});
  return true;
}

// -- what happens ------------------------------------------------------------------------------

bool Chooser::look() {
  used_ = 0;
  members_.forget();
  enabled_.clear();
  computed_.clear();
  sought_.clear();
  const auto size = static_cast<unsigned>(reduction_.size());
  for (unsigned first = 0; first < size; first += 64) {
    std::uint64_t happening = 0;
    std::uint64_t doubtful = 0;
    look_at(first, std::min(first + 64, size), happening, doubtful);
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(doubtful));
      if (!settle(first + bit)) return false;
      if (untrue_[first + bit] != 0) happening &= ~(std::uint64_t{1} << bit);
    }
    happens_[first / 64] = happening;
    for_each(first / 64, happening, [this](unsigned i) { enabled_.push_back(i); });
  }
  return true;
}

// Finds out which conjuncts are true: without a branch that nobody could foresee.
void Chooser::look_at(unsigned first, unsigned end, std::uint64_t& happening,
                      std::uint64_t& doubtful) {
  for (unsigned i = first; i < end; ++i) {
    const Look& look = looks_[i];
    std::uint64_t found[2] = {0, 0};
    if (look.guard != nullptr) look.guard(state_.data(), look.parameters, found);
    const std::uint64_t trouble = found[0] | found[1];
    untrue_[i] = trouble;
    false_[i] = found[0];
    const std::uint64_t happens = trouble == 0 ? 1 : 0;
    const std::uint64_t unsure = found[1] != 0 ? 1 : happens & look.uncertain;
    happening |= happens << i % 64;
    doubtful |= unsure << i % 64;
  }
}

// Looks at an instance of which a conjunct has no value, or whose results tell whether it happens;
// returns false if it is at fault.
bool Chooser::settle(unsigned i) {
  const std::uint64_t trouble = untrue_[i];
  if (trouble != 0) {
    const std::uint64_t first = trouble & looks_[i].ordered;
    return first != 0 ? (first & (~first + 1) & false_[i]) != 0 : false_[i] != 0;
  }
  if (!compute(i)) return false;
  if (results_[i].begin == results_[i].end) {
    untrue_[i] = std::uint64_t{1} << reduction_.instances()[i].conjuncts;
  }
  return true;
}

// Computes the results of an instance that happens; returns false if they cannot be told.
bool Chooser::compute(unsigned i) {
  if (computed_.has(i)) return true;
  const std::size_t begin = used_;
  const Instance& instance = reduction_.instances()[i];
  if (!(instance.perform != nullptr ? perform(instance) : ask(instance))) return false;
  if (used_ > begin + 1) drop_repetitions(begin);
  results_[i] = {begin, used_};
  if (indices_.size() < used_) indices_.resize(2 * used_);
  std::fill(indices_.data() + begin, indices_.data() + used_, kUnsought);
  computed_.add(i);
  return true;
}

// Returns where the next results go, with room for so many.
std::uint64_t* Chooser::room_for(std::size_t records) {
  if (used_ + records > capacity_) {
    capacity_ = std::max(used_ + records, 2 * capacity_);
    auto larger = std::make_unique_for_overwrite<std::uint64_t[]>(capacity_ * words_);
    std::copy_n(records_.get(), used_ * words_, larger.get());
    records_ = std::move(larger);
  }
  return records_.get() + used_ * words_;
}

bool Chooser::perform(const Instance& instance) {
  for (std::size_t room = kFirstRoom;; room *= 4) {
    const std::int64_t count = instance.perform(state_.data(), instance.parameters.data(),
                                                room_for(room), static_cast<std::int64_t>(room));
    if (count == kTrapped) return false;
    if (count >= 0) {
      used_ += static_cast<std::size_t>(count);
      return true;
    }
  }
}

bool Chooser::ask(const Instance& instance) {
  const Memo& memo = oracle_.step_memo(instance.action);
  const Remembered step = oracle_.step(instance.action, state_.data());
  if (step.notes() != 0) return false;
  // The next one is written over the marks of one; those of the last need room, too.
  std::uint64_t* const to = room_for(step.successors() + model_.marks);
  for (std::size_t i = 0; i < step.successors(); ++i) {
    memo.apply(step, i, state_.data(), to + i * words_);
  }
  used_ += step.successors();
  return true;
}

// Moves the first of each of equal results to the front, from `begin` on.
void Chooser::drop_repetitions(std::size_t begin) {
  std::size_t kept = begin;
  for (std::size_t i = begin; i < used_; ++i) {
    std::size_t j = begin;
    while (j < kept && !std::ranges::equal(result(i), result(j))) ++j;
    if (j < kept) continue;
    if (kept != i) std::ranges::copy(result(i), records_.get() + kept * words_);
    ++kept;
  }
  used_ = kept;
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
      return enabled_.size() < 2 ? Outcome::kNot : in_turn(enabled_.size(), batch);
    case Method::kProcessAmple:
      return by_processes(batch);
  }
  return Outcome::kNot;
}

// Sets around one instance each, fewest first; where nothing but size matters, only the smallest.
Chooser::Outcome Chooser::by_stubborn_sets(std::size_t below, Batch& batch) {
  if (reduction_.question.reach()) return in_turn(below, batch);
  std::size_t most = below - 1;
  bool found = false;
  const std::size_t seeds = std::min(enabled_.size(), kMostSeeds);
  for (std::size_t i = 0; i < seeds && most > 0; ++i) {
    if (!close_around(enabled_[i], most)) continue;
    members_.chosen(actions_);
    found = true;
    most = actions_.size() - 1;
  }
  return found ? attempt(actions_, false, batch) : Outcome::kNot;
}

// Tries sets of one instance as they are found, as there are no smaller ones; then all others.
Chooser::Outcome Chooser::in_turn(std::size_t below, Batch& batch) {
  const bool reach = reduction_.question.reach();
  if (!started_) start(below);
  for (;;) {
    if (tried_ == singles_.size()) find_more();
    if (tried_ == singles_.size()) break;
    actions_.assign(1, singles_[tried_++]);
    const Outcome outcome = attempt(actions_, reach, batch);
    if (outcome != Outcome::kNot) return outcome;
  }
  for (std::size_t i = 0;; ++i) {
    if (i == prepared_) prepare_sets();
    if (i == prepared_) return Outcome::kNot;
    const Outcome outcome = attempt(sets_[i], reach, batch);
    if (outcome != Outcome::kNot) return outcome;
  }
}

// Gets ready to look for sets with fewer than `below` instances that happen.
void Chooser::start(std::size_t below) {
  started_ = true;
  seed_ = 0;
  most_ = below - 1;
  tried_ = 0;
  prepared_ = 0;
  singles_.clear();
  sets_.clear();
  seeds_.clear();
  // Dependency sets must be complete, whatever is in them.
  if (reduction_.method != Method::kAmple) members_.give_up(reduction_.visible());
}

// How many sets are looked at together, so that the search can look for all their results at once;
// more of them where many were refused.
std::size_t Chooser::wanted() const {
  return asks_for_states(reduction_.proviso) ? std::max(kAhead, 2 * tried_) : 1;
}

// Finds some more sets of one instance, if there are any.
void Chooser::find_more() {
  const bool ample = reduction_.method == Method::kAmple;
  const std::size_t wanted = this->wanted();
  while (singles_.size() - tried_ < wanted && (ample ? find_ample() : find_stubborn())) {
  }
}

// Gets ready to try some more of the other sets, after all have been found.
void Chooser::prepare_sets() {
  const std::size_t enough = prepared_ + wanted();
  while (prepared_ < std::min(enough, sets_.size())) {
    if (!lawful(sets_[prepared_])) {
      sets_.drop(prepared_);
      continue;
    }
    for (const unsigned a : sets_[prepared_]) prepare(a);
    ++prepared_;
  }
}

// Goes on until there is another set of one instance; returns false if there is none.
bool Chooser::find_stubborn() {
  const std::size_t seeds = std::min(enabled_.size(), kMostSeeds);
  while (seed_ < seeds && most_ > 0) {
    const unsigned seed = enabled_[seed_++];
    // No set around something that is seen, or repairs, is allowed.
    if (disturbs(seed) || !close_around(seed, most_)) continue;
    members_.chosen(actions_);
    if (actions_.size() > 1) {
      sets_.add(actions_);
    } else if (lawful(actions_)) {
      take_up(seed);
      return true;
    }
  }
  return false;
}

// The same for sets of instances that depend on each other.
bool Chooser::find_ample() {
  while (seed_ < enabled_.size()) {
    const unsigned alpha = enabled_[seed_++];
    if (alone(alpha)) {
      actions_.assign(1, alpha);
      if (!lawful(actions_)) continue;
      take_up(alpha);
      return true;
    }
    if (seeds_.has(alpha)) continue;  // dependence is mutual, so that each belongs to one set
    dependency_set(alpha);
    members_.chosen(actions_);
    for (const unsigned a : actions_) seeds_.add(a);
    if (actions_.size() < enabled_.size()) sets_.add(actions_);
  }
  return false;
}

void Chooser::take_up(unsigned single) {
  singles_.push_back(single);
  prepare(single);
}

// Lets the search get ready for what the proviso will ask: to wait for memory takes longest.
void Chooser::prepare(unsigned instance) {
  if (!asks_for_states(reduction_.proviso)) return;
  if (!compute(instance)) return;  // that will be found again when it matters
  for (std::size_t i = results_[instance].begin; i < results_[instance].end; ++i) {
    if (indices_[i] == kUnsought) get_ready_for(i);
  }
}

void Chooser::get_ready_for(std::size_t i) {
  sought_.push_back({i, visited_.prepare(result(i).data()), kNone});
  indices_[i] = kWaiting;
  fetched_ = false;
}

// Whether a set may be taken, as far as no proviso is concerned.
bool Chooser::lawful(const Actions& actions) {
  if (reduction_.question.reach() && !never_repairs(actions)) return false;
  return reduction_.method != Method::kAmple || !paths_.lead_to_dependents(actions);
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

// As engine/reduce/process_ample.py.
Chooser::Outcome Chooser::by_processes(Batch& batch) {
  const bool reach = reduction_.question.reach();
  const auto& processes = reduction_.processes();
  for (unsigned p = 0; p < processes.size(); ++p) {
    Actions actions;
    for (const unsigned a : processes[p]) {
      if (happens_.has(a)) actions.push_back(a);
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

bool Chooser::close_around(unsigned instance, std::size_t most) {
  members_.begin(instance);
  if (close(most)) return true;
  if (!chose_) members_.give_up(instance);
  return false;
}

bool Chooser::close(std::size_t most) {
  chose_ = false;
  return members_.close(most, [this](unsigned a) -> std::span<const Chunk> {
    return happens_.has(a) ? reduction_.chunks(Relation::kDependents, a) : cheapest(a);
  });
}

const Reduction::Chunks& Chooser::cheapest(unsigned instance) {
  std::uint64_t left = untrue_[instance];
  const Reduction::Chunks* best = nullptr;
  std::uint64_t least = ~std::uint64_t{0};
  const bool only_one = std::has_single_bit(left);
  for (; left != 0 && least != 0; left &= left - 1) {
    const auto conjunct = static_cast<unsigned>(std::countr_zero(left));
    const Reduction::Chunks& enablers = reduction_.chunks(Relation::kEnablers, instance, conjunct);
    if (only_one) return enablers;
    const std::uint64_t cost = members_.cost(enablers, kDearer);
    if (cost < least) {
      least = cost;
      best = &enablers;
    }
  }
  chose_ = chose_ || least != 0;
  return *best;
}

// -- up-sets
// ---------------------------------------------------------------------------------------

bool Chooser::up_set(Actions& actions) {
  if (enabled_.empty() || !find_wanted()) return false;
  std::size_t most = enabled_.size() - 1;
  bool found = false;
  const bool nothing = wanted_.empty();
  find_ways_to_deadlocks();
  for (const Way& way : ways_) {
    if (way.size == 1 && nothing && happens_.has(way.only)) {
      if (!close_around(way.only, most)) continue;
    } else {
      seeds_ = wanted_;
      seeds_.add(*way.chunks);
      if (!members_.begin(seeds_, most) || !close(most)) continue;
    }
    members_.chosen(actions);
    found = true;
    if (actions.empty()) break;
    most = actions.size() - 1;
  }
  return found;
}

// Sets of instances, short ones first, of which each leads to all deadlocks.
void Chooser::find_ways_to_deadlocks() {
  static const Reduction::Chunks kNothing;
  ways_.clear();
  if (!reduction_.question.deadlocks) {
    ways_.push_back({0, 0, 0, &kNothing});
    return;
  }
  const auto add = [this](Relation relation, unsigned of) {
    const Reduction::Row& row = reduction_.row(relation, of);
    const unsigned first = row.empty() ? 0 : row.front();
    ways_.push_back({row.size(), ways_.size(), first, &reduction_.chunks(relation, of)});
  };
  add(Relation::kStranders, 0);
  const std::size_t tried = std::min(enabled_.size(), kMostSeeds);
  for (std::size_t i = 0; i < tried; ++i) add(Relation::kDisablers, enabled_[i]);
  std::ranges::sort(ways_, {}, [](const Way& way) { return std::pair(way.size, way.place); });
}

// Finds all that can lead to something new; returns false if a property has no value.
bool Chooser::find_wanted() {
  if (!truths()) return false;
  wanted_.clear();
  for (const unsigned p : reduction_.question.properties) {
    if (holds_[p] != 0) wanted_.add(reduction_.chunks(Relation::kViolators, p));
  }
  for (const unsigned f : reduction_.question.faults) {
    wanted_.add(reduction_.chunks(Relation::kProvokers, f));
  }
  return true;
}

// Finds out which properties hold; returns false if one that matters has no value.
bool Chooser::truths() {
  if (reduction_.question.properties.empty()) return true;
  for (const unsigned g : model_.whole.groups) {
    const CheckGroup& group = model_.check_groups[g];
    group_holds_.resize(std::max(group_holds_.size(), group.properties.size()));
    group.function.get()(state_.data(), group_holds_.data());
    for (std::size_t j = 0; j < group.properties.size(); ++j) {
      holds_[group.properties[j]] = group_holds_[j];
    }
  }
  for (const unsigned p : model_.whole.evaluated) {
    const Remembered answer = oracle_.check(p, state_.data());
    const bool noted = answer.notes() != 0;
    holds_[p] = static_cast<std::uint8_t>(noted ? Truth::kTrapped : Truth{answer.holds()});
  }
  return std::ranges::none_of(reduction_.question.properties, [this](unsigned p) {
    return static_cast<Truth>(holds_[p]) == Truth::kTrapped;
  });
}

// -- ample sets
// --------------------------------------------------------------------------------------

bool Chooser::disturbs(unsigned instance) {
  return reduction_.is_visible(instance) || !reduction_.row(Relation::kRepaired, instance).empty();
}

bool Chooser::never_repairs(const Actions& actions) {
  for (const unsigned a : actions) {
    if (disturbs(a)) return false;
    for (const unsigned b : reduction_.row(Relation::kHealed, a)) {
      if (!std::ranges::binary_search(actions, b)) return false;
    }
  }
  return true;
}

// Whether nothing that happens depends on an instance.
bool Chooser::alone(unsigned instance) {
  return std::ranges::none_of(
      reduction_.chunks(Relation::kDependents, instance),
      [this](const Chunk& chunk) { return (chunk.bits & happens_[chunk.word]) != 0; });
}

void Chooser::dependency_set(unsigned instance) {
  members_.begin(instance);
  members_.close(enabled_.size(), [this](unsigned a) -> std::span<const Chunk> {
    row_.clear();
    for (const auto [word, bits] : reduction_.chunks(Relation::kDependents, a)) {
      row_.push_back({word, bits & happens_[word]});
    }
    return row_;
  });
}

// Whether no other process can do, or cause, anything that depends on what this one can do.
bool Chooser::undisturbed(unsigned process, const Actions& actions) {
  const std::vector<Instance>& instances = reduction_.instances();
  const auto own = [&](unsigned b) { return instances[b].process == process; };
  for (const unsigned a : actions) {
    if (!std::ranges::all_of(reduction_.row(Relation::kDependents, a), own)) return false;
  }
  for (const unsigned a : reduction_.processes()[process]) {
    if (happens_.has(a) || (false_[a] & instances[a].own) != 0) continue;
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

bool Chooser::all_of(const Results& results, bool (Chooser::*good)(Index) const) {
  for (std::size_t i = results.begin; i < results.end; ++i) {
    if (!(this->*good)(index_of(i))) return false;
  }
  return true;
}

// The index of a result that was found before; else kNone.
Index Chooser::index_of(std::size_t i) {
  if (indices_[i] == kUnsought) get_ready_for(i);
  if (indices_[i] == kWaiting) seek();
  return indices_[i];
}

// Looks for all results that are waiting for it.
void Chooser::seek() {
  if (!fetched_ && sought_.size() > 1) fetch();
  visited_.find(records_.get(), sought_);
  for (const Sought& sought : sought_) indices_[sought.result] = sought.index;
  sought_.clear();
}

}  // namespace secateur

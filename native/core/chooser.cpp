#include "chooser.hpp"

#include <algorithm>
#include <bit>

namespace secateur {

namespace {

constexpr std::size_t kAhead = 3;  // sets whose results are looked for before one is tried
// No state has these indices, as blocks of them are larger.
constexpr Index kUnsought = kNone - 1;
constexpr Index kWaiting = kNone - 2;

}  // namespace

Chooser::Chooser(const Model& model, Reduction& reduction, Oracle& oracle, Visited& visited,
                 Experience& experience)
    : reduction_(reduction),
      visited_(visited),
      here_(model, reduction, oracle, experience.guards),
      enabled_(here_.enabled()),
      closure_(reduction, here_, experience.recall),
      up_set_(model, reduction, oracle, here_, closure_),
      members_(reduction.size(), here_.happens()),
      paths_(reduction, here_.happens()),
      seeds_(reduction.size()),
      disturbs_(reduction.size()) {}

void Chooser::begin(const std::uint64_t* state, Index index) {
  index_ = index;
  started_ = false;
  closure_.forget();
  indices_.clear();
  sought_.clear();
  sound_ = here_.look(state);
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
  relied_ = kNoInstance;
  relied_at_ = Source::kNobody;
  Outcome outcome = Outcome::kTrapped;
  if (sound_) outcome = choose(batch);
  if (outcome != Outcome::kTaken) {
    pruned.trapped += outcome == Outcome::kTrapped;
    if (outcome == Outcome::kNot) {
      pruned.happening += enabled_.size();
      pruned.taken += enabled_.size();
    }
    return false;
  }
  batch.sources.push_back(
      {index_, batch.successors(), batch.notes.size(), !enabled_.empty(), relied_at_});
  return true;
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
    const ClosedSet* const set = closure_.around(enabled_[i], most);
    if (set == nullptr) continue;
    actions_ = set->actions;
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
}

// How many sets are looked at together, so that the search can look for all their results at once;
// more of them where many were refused.
std::size_t Chooser::wanted() const {
  return asks_for_states(reduction_.proviso) ? std::max(kAhead, tried_) : 1;
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
    if (reduction_.method == Method::kAmple && !lawful(sets_[prepared_])) {
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
    if (disturbs(seed)) continue;
    ClosedSet* const set = closure_.around(seed, most_);
    if (set == nullptr || !harmless(*set)) continue;
    if (set->actions.size() == 1) {
      take_up(seed);
      return true;
    }
    sets_.add(set->actions, set->kept);
  }
  return false;
}

// The same for sets of instances that depend on each other.
bool Chooser::find_ample() {
  while (seed_ < enabled_.size()) {
    const unsigned alpha = enabled_[seed_++];
    if (reduction_.question.reach() && disturbs(alpha)) continue;  // nor is any set with it lawful
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
    if (actions_.size() < enabled_.size()) sets_.add(actions_, false);
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
  for (std::size_t i = here_.results(instance).begin; i < here_.results(instance).end; ++i) {
    if (indices_[i] == kUnsought) get_ready_for(i);
  }
}

void Chooser::get_ready_for(std::size_t i) {
  sought_.push_back({i, visited_.prepare(here_.result(i).data()), kNone});
  indices_[i] = kWaiting;
  fetched_ = false;
}

// Whether an ample set may be taken, as far as no proviso is concerned.
bool Chooser::lawful(const Actions& actions) {
  if (reduction_.question.reach() && !never_repairs(actions)) return false;
  return !paths_.lead_to_dependents(actions);
}

// The same for a closed set; that depends on no state.
bool Chooser::harmless(ClosedSet& set) {
  if (!set.harmless) set.harmless = !reduction_.question.reach() || never_repairs(set.actions);
  return *set.harmless;
}

Chooser::Outcome Chooser::by_up_set(Batch& batch) {
  Actions actions;
  return up_set_.find(actions) ? attempt(actions, false, batch) : Outcome::kNot;
}

Chooser::Outcome Chooser::by_best(Batch& batch) {
  Actions actions;
  const bool up = up_set_.find(actions);
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
      if (here_.happens().has(a)) actions.push_back(a);
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
    const Results& results = here_.results(a);
    const std::size_t count = results.end - results.begin;
    batch.reserve(count);
    const std::size_t begin = batch.used();
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(here_.result(results.begin + i), batch.record(begin + i));
    }
    batch.use(count);
    if (a == relied_) relied_at_ = batch.successors();
    const unsigned action = reduction_.instances()[a].action;
    batch.end_successors(batch.add_at(batch.successors_end(), action, begin, begin + count));
  }
  return Outcome::kTaken;
}

// -- ample sets ----------------------------------------------------------------------------------

bool Chooser::disturbs(unsigned instance) {
  std::optional<bool>& known = disturbs_[instance];
  if (!known) {
    known =
        reduction_.is_visible(instance) || !reduction_.row(Relation::kRepaired, instance).empty();
  }
  return *known;
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
      [this](const Chunk& chunk) { return (chunk.bits & here_.happens()[chunk.word]) != 0; });
}

void Chooser::dependency_set(unsigned instance) {
  members_.begin(instance);
  members_.close(enabled_.size(), [this](unsigned a) -> std::span<const Chunk> {
    row_.clear();
    for (const auto [word, bits] : reduction_.chunks(Relation::kDependents, a)) {
      row_.push_back({word, bits & here_.happens()[word]});
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
  return std::ranges::all_of(reduction_.processes()[process], [&](unsigned a) {
    return here_.happens().has(a) || stays(a, actions);
  });
}

// Whether no other process can let an instance happen before one of the actions does.
bool Chooser::stays(unsigned instance, const Actions& actions) {
  const std::vector<Instance>& instances = reduction_.instances();
  const auto kept_out = [&](unsigned b) {
    return std::ranges::any_of(actions, [&](unsigned alpha) {
      return std::ranges::binary_search(reduction_.row(Relation::kExcluded, alpha), b);
    });
  };
  const auto harmless = [&](unsigned b) {
    return instances[b].process == instances[instance].process || kept_out(b);
  };
  for (std::uint64_t left = here_.untrue(instance); left != 0; left &= left - 1) {
    const auto conjunct = static_cast<unsigned>(std::countr_zero(left));
    const auto& enablers = reduction_.row(Relation::kEnablers, instance, conjunct);
    if (std::ranges::all_of(enablers, harmless)) return true;
  }
  return false;
}

// -- provisos ------------------------------------------------------------------------------------

bool Chooser::compute(unsigned instance) {
  if (!here_.compute(instance)) return false;
  if (indices_.size() < here_.computed()) indices_.resize(here_.computed(), kUnsought);
  return true;
}

bool Chooser::allowed(const Actions& actions) {
  const auto some = [&](bool (Chooser::*good)(Index) const) {
    return std::ranges::any_of(actions, [&](unsigned a) {
      return here_.results(a).begin != here_.results(a).end && all_of(here_.results(a), good);
    });
  };
  const auto each = [&](bool (Chooser::*good)(Index) const) {
    return std::ranges::all_of(actions, [&](unsigned a) { return all_of(here_.results(a), good); });
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
    case Proviso::kReliance:
      return relies(actions);
    case Proviso::kOpenLiveness:
      return each(&Chooser::is_open);
    case Proviso::kStack:
      return each(&Chooser::is_off_path);
  }
  return false;
}

// As engine/provisos/reliance.py; where a result is new, the search makes the link once it is
// entered.
bool Chooser::relies(const Actions& actions) {
  for (const unsigned a : actions) {
    if (!single(a)) continue;
    const Index index = index_of(here_.results(a).begin);
    if (index == kNone) {
      relied_ = a;
      return true;
    }
    const Index end = visited_.end(index);
    if (end == index_ || end == kAdrift) continue;
    visited_.link(index_, index);
    return true;
  }
  const bool several = std::ranges::any_of(actions, [&](unsigned a) {
    return here_.results(a).begin != here_.results(a).end && !single(a) &&
           all_of(here_.results(a), &Chooser::is_open);
  });
  if (several) visited_.link(index_, kAdrift);
  return several;
}

// Whether an instance leads to one state, as far as the search tells states apart.
bool Chooser::single(unsigned instance) {
  const Results& results = here_.results(instance);
  if (results.begin == results.end) return false;
  const std::uint64_t* const first = here_.result(results.begin).data();
  for (std::size_t i = results.begin + 1; i < results.end; ++i) {
    if (!visited_.alike(first, here_.result(i).data())) return false;
  }
  return true;
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
  visited_.find(here_.records(), sought_);
  for (const Sought& sought : sought_) indices_[sought.result] = sought.index;
  sought_.clear();
}

}  // namespace secateur

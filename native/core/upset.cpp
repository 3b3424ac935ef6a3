#include "upset.hpp"

#include <algorithm>
#include <utility>

namespace secateur {

namespace {

// Shorter rows come first; among equals the stranders, which have the last number, and then others
// as they are numbered.
std::uint64_t in_order(std::size_t size, std::size_t number, std::size_t numbers) {
  return std::uint64_t{size} << 32 | (number + 1 == numbers ? 0 : number + 1);
}

}  // namespace

bool UpSet::find(Actions& actions) {
  if (here_.enabled().empty() || !find_wanted()) return false;
  std::size_t most = here_.enabled().size() - 1;
  if (!reduction_.question.deadlocks) {
    const ClosedSet* const set = closure_.around_all(wanted_, most);
    if (set != nullptr) actions = set->actions;
    return set != nullptr;
  }
  find_ways_to_deadlocks();
  bool found = false;
  for (const std::uint64_t tried : tried_) {
    const ClosedSet* const set = closed_around(way_of(tried), most);
    if (set == nullptr) continue;
    actions = set->actions;
    found = true;
    if (actions.empty()) break;
    most = actions.size() - 1;
  }
  return found;
}

const UpSet::Way& UpSet::way_of(std::uint64_t tried) const {
  const std::uint64_t number = tried & 0xffffffffu;
  return number == 0 ? ways_.back() : ways_[number - 1];
}

ClosedSet* UpSet::closed_around(const Way& way, std::size_t most) {
  if (nothing_) {
    if (way.only != kNobody && here_.happens().has(way.only)) {
      return closure_.around(way.only, most);
    }
    return closure_.around_row(way.relation, way.of, most);
  }
  seeds_ = wanted_;
  seeds_.add(reduction_.chunks(way.relation, way.of));
  return closure_.around_all(seeds_, most);
}

// Sets of instances, short ones first, of which each leads to all deadlocks; each of them once.
void UpSet::find_ways_to_deadlocks() {
  ++state_;
  tried_.clear();
  try_way(reduction_.size());
  const std::size_t seeds = std::min(here_.enabled().size(), kMostSeeds);
  for (std::size_t i = 0; i < seeds; ++i) try_way(here_.enabled()[i]);
  std::ranges::sort(tried_);
}

void UpSet::try_way(std::size_t number) {
  Way& way = ways_[number];
  if (way.row == nullptr) meet(way, number);
  Way& first = ways_[way.alike];
  if (first.seen == state_) return;
  first.seen = state_;
  tried_.push_back(way.order);
}

// Asks for a row when it is needed first.
void UpSet::meet(Way& way, std::size_t number) {
  const bool last = number == reduction_.size();
  way.relation = last ? Relation::kStranders : Relation::kDisablers;
  way.of = last ? 0 : static_cast<unsigned>(number);
  way.row = &reduction_.row(way.relation, way.of);
  if (way.row->size() == 1) way.only = way.row->front();
  way.order = in_order(way.row->size(), number, ways_.size());
  way.alike = alike_.try_emplace(*way.row, static_cast<unsigned>(number)).first->second;
}

// Finds all that can lead to something new; returns false if a property has no value.
bool UpSet::find_wanted() {
  if (!truths()) return false;
  wanted_.clear();
  for (const unsigned p : reduction_.question.properties) {
    if (holds_[p] != 0) wanted_.add(reduction_.chunks(Relation::kViolators, p));
  }
  for (const unsigned f : reduction_.question.faults) {
    wanted_.add(reduction_.chunks(Relation::kProvokers, f));
  }
  nothing_ = wanted_.empty();
  return true;
}

// Finds out which properties hold; returns false if one that matters has no value.
bool UpSet::truths() {
  if (reduction_.question.properties.empty()) return true;
  for (const unsigned g : model_.whole.groups) {
    const CheckGroup& group = model_.check_groups[g];
    group_holds_.resize(std::max(group_holds_.size(), group.properties.size()));
    group.function.get()(here_.state(), group_holds_.data());
    for (std::size_t j = 0; j < group.properties.size(); ++j) {
      holds_[group.properties[j]] = group_holds_[j];
    }
  }
  for (const unsigned p : model_.whole.evaluated) {
    const Remembered answer = oracle_.check(p, here_.state());
    const bool noted = answer.notes() != 0;
    holds_[p] = static_cast<std::uint8_t>(noted ? Truth::kTrapped : Truth{answer.holds()});
  }
  return std::ranges::none_of(reduction_.question.properties, [this](unsigned p) {
    return static_cast<Truth>(holds_[p]) == Truth::kTrapped;
  });
}

}  // namespace secateur

#include "here.hpp"

#include <algorithm>

namespace secateur {

namespace {

constexpr std::size_t kFirstRoom = 8;

}  // namespace

Here::Here(const Model& model, Reduction& reduction, Oracle& oracle, Guards& guards)
    : model_(model),
      reduction_(reduction),
      oracle_(oracle),
      guards_(guards),
      words_(model.words),
      rows_(guards.clusters().size() + 1),
      own_(2 * reduction.size()),
      places_(reduction.size()),
      happens_(reduction.size()),
      results_(reduction.size()),
      computed_(reduction.size()) {
  rows_.back() = own_.data();
  for (const unsigned i : guards.others()) places_[i] = {&rows_.back(), 2 * i};
  for (std::size_t c = 0; c < guards.clusters().size(); ++c) {
    const std::vector<unsigned>& instances = guards.clusters()[c].instances();
    for (std::size_t j = 0; j < instances.size(); ++j) places_[instances[j]] = {&rows_[c], 2 * j};
  }
}

bool Here::look(const std::uint64_t* state) {
  state_.assign(state, state + words_);
  used_ = 0;
  computed_.clear();
  happens_.clear();
  std::uint64_t fault = 0;
  const std::uint64_t** row = rows_.data();
  for (GuardCluster& cluster : guards_.clusters()) {
    const std::uint64_t* const found = cluster.row(state, reduction_);
    *row++ = found;
    const std::uint64_t* happening = found + cluster.happening_at();
    for (const unsigned word : cluster.words()) happens_[word] |= *happening++;
    fault |= *happening;
  }
  if (fault != 0) return false;
  for (const unsigned i : guards_.others()) {
    if (!look_at(i)) return false;
  }
  enabled_.clear();
  for (std::size_t word = 0; word < happens_.words(); ++word) {
    for_each(word, happens_[word], [this](unsigned i) { enabled_.push_back(i); });
  }
  return true;
}

// Asks a guard, and for results if they tell whether an instance happens; returns false if it is at
// fault.
bool Here::look_at(unsigned i) {
  const Instance& instance = reduction_.instances()[i];
  std::uint64_t found[2] = {0, 0};
  if (instance.guard != nullptr) instance.guard(state_.data(), instance.parameters.data(), found);
  std::uint64_t untrue = found[0] | found[1];
  const bool certain = instance.total && !reduction_.faulty(i);
  if (untrue == 0 && !certain) {
    if (!compute(i)) return false;
    if (results_[i].begin == results_[i].end) untrue = std::uint64_t{1} << instance.conjuncts;
  } else if (found[1] != 0 && !surely_disabled(instance, untrue, found[0])) {
    return false;
  }
  own_[2 * i] = untrue;
  own_[2 * i + 1] = found[0];
  happens_[i / 64] |= std::uint64_t{untrue == 0} << i % 64;
  return true;
}

bool Here::compute(unsigned i) {
  if (computed_.has(i)) return true;
  const std::size_t begin = used_;
  const Instance& instance = reduction_.instances()[i];
  if (!(instance.perform != nullptr ? perform(instance) : ask(instance))) return false;
  if (used_ > begin + 1) drop_repetitions(begin);
  results_[i] = {begin, used_};
  computed_.add(i);
  return true;
}

// Returns where the next results go, with room for so many.
std::uint64_t* Here::room_for(std::size_t records) {
  if (used_ + records > capacity_) {
    capacity_ = std::max(used_ + records, 2 * capacity_);
    auto larger = std::make_unique_for_overwrite<std::uint64_t[]>(capacity_ * words_);
    std::copy_n(records_.get(), used_ * words_, larger.get());
    records_ = std::move(larger);
  }
  return records_.get() + used_ * words_;
}

bool Here::perform(const Instance& instance) {
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

bool Here::ask(const Instance& instance) {
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
void Here::drop_repetitions(std::size_t begin) {
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

}  // namespace secateur

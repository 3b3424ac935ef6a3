#include "expander.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

#include "hash.hpp"

namespace secateur {

namespace {

constexpr std::size_t kLeastRoom = 128;
constexpr std::size_t kFewRecords = 12;
constexpr std::uint64_t kMeasured = 64;       // one in so many states
constexpr std::int64_t kLongest = 1'000'000;  // nanoseconds: others may have had the processor

}  // namespace

void Expander::expand(const std::uint64_t* state, Index index, Batch& batch) {
  const std::size_t first = batch.successors();
  in_order_ = model_.in_order;
  run_groups(state, batch);
  for (const unsigned action : model_.evaluated) ask(action, state, batch);
  if (!in_order_) batch.sort_from(first);
  batch.sources.push_back({index, batch.successors(), batch.notes.size(), false});
}

void Expander::run_groups(const std::uint64_t* state, Batch& batch) {
  using Clock = std::chrono::steady_clock;
  const bool measured = ++expanded_ % kMeasured == 0;
  const Clock::time_point before = measured ? Clock::now() : Clock::time_point();
  const Clock::time_point began = measured ? Clock::now() : Clock::time_point();
  for (const Group& group : model_.groups) run_group(group, state, batch);
  if (!measured) return;
  // To look at the clock takes about as long as the steps of a small state, and does not count.
  const auto spent = std::chrono::nanoseconds((Clock::now() - began) - (began - before)).count();
  code_time_ +=
      kMeasured * static_cast<std::uint64_t>(std::clamp<std::int64_t>(spent, 0, kLongest));
}

void Expander::run_group(const Group& group, const std::uint64_t* state, Batch& batch) {
  batch.reserve(kLeastRoom);
  if (trapped_.size() <= group.actions.size()) trapped_.resize(group.actions.size() + 1);
  const std::size_t begin = batch.used();
  const std::size_t made = call(group, state, batch);
  if (group.all_distinct) {
    batch.end_successors(add_all(group, begin, made, batch));
  } else {
    batch.end_successors(add_distinct(group, begin, made, batch));
  }
  batch.use(made);
  if (trapped_[0] != 0) [[unlikely]]
    ask_trapped(group, state, batch);
}

std::size_t Expander::call(const Group& group, const std::uint64_t* state, Batch& batch) {
  const GroupFunction function = group.function.get();
  for (;;) {
    const std::size_t room = batch.room();
    if (by_.size() < room) by_.resize(room);
    trapped_[0] = 0;
    const std::int64_t made =
        function(state, batch.record(batch.used()), static_cast<std::int64_t>(room), by_.data(),
                 trapped_.data());
    if (made != kFull) return static_cast<std::size_t>(made);
    batch.reserve(room + 1);
  }
}

Successor* Expander::add_all(const Group& group, std::size_t begin, std::size_t made,
                             Batch& batch) const {
  const std::uint32_t* const by = by_.data();
  const unsigned* const actions = group.actions.data();
  Successor* successor = batch.successors_end();
  for (std::size_t i = 0; i < made; ++i) {
    successor = batch.add_at(successor, actions[by[i]], begin + i, begin + i + 1);
  }
  return successor;
}

Successor* Expander::add_distinct(const Group& group, std::size_t begin, std::size_t made,
                                  Batch& batch) {
  Successor* successor = batch.successors_end();
  for (std::size_t from = 0; from < made;) {
    const std::uint32_t place = by_[from];
    std::size_t to = from + 1;
    while (to < made && by_[to] == place) ++to;
    const bool all = to - from == 1 || group.distinct[place] != 0;
    const std::size_t end = begin + to;
    const std::size_t kept = all ? end : without_repetition(begin + from, end, batch);
    successor = batch.add_at(successor, group.actions[place], begin + from, kept);
    from = to;
  }
  return successor;
}

void Expander::ask_trapped(const Group& group, const std::uint64_t* state, Batch& batch) {
  for (std::uint32_t i = 1; i <= trapped_[0]; ++i) ask(group.actions[trapped_[i]], state, batch);
  in_order_ = false;
}

void Expander::ask(unsigned action, const std::uint64_t* state, Batch& batch) {
  const Memo& memo = oracle_.step_memo(action);
  const Remembered step = oracle_.step(action, state);
  const std::size_t begin = batch.used();
  const std::size_t count = step.successors();
  batch.reserve(count);
  for (std::size_t i = 0; i < count; ++i) memo.apply(step, i, state, batch.record(begin + i));
  batch.use(count);
  batch.end_successors(batch.add_at(batch.successors_end(), action, begin, begin + count));
  for (std::size_t i = 0; i < step.notes(); ++i) {
    batch.notes.push_back(step.note(i, memo.words_written()));
  }
}

std::size_t Expander::without_repetition(std::size_t begin, std::size_t end, Batch& batch) {
  if (end - begin > kFewRecords) return without_repetition_hashed(begin, end, batch);
  const std::size_t stride = batch.stride();
  std::size_t kept = begin;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t* const record = batch.record(i);
    std::size_t j = begin;
    while (j < kept && !std::equal(record, record + stride, batch.record(j))) ++j;
    if (j < kept) continue;
    if (kept != i) std::copy_n(record, stride, batch.record(kept));
    ++kept;
  }
  return kept;
}

std::size_t Expander::without_repetition_hashed(std::size_t begin, std::size_t end, Batch& batch) {
  const std::size_t stride = batch.stride();
  const std::size_t mask = std::bit_ceil(2 * (end - begin)) - 1;
  seen_.assign(mask + 1, end);
  std::size_t kept = begin;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t* const record = batch.record(i);
    std::size_t at = hash_of<0>(record, stride) & mask;
    while (seen_[at] != end && !std::equal(record, record + stride, batch.record(seen_[at]))) {
      at = (at + 1) & mask;
    }
    if (seen_[at] != end) continue;
    seen_[at] = kept;
    if (kept != i) std::copy_n(record, stride, batch.record(kept));
    ++kept;
  }
  return kept;
}

}  // namespace secateur

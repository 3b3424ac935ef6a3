#include "expander.hpp"

#include <algorithm>
#include <bit>

#include "hash.hpp"

namespace secateur {

namespace {

constexpr std::size_t kLeastRoom = 128;
constexpr std::size_t kFewRecords = 12;

}  // namespace

void Expander::expand(const std::uint64_t* state, Index index, Batch& batch) {
  const std::size_t first = batch.successors();
  in_order_ = model_.in_order;
  for (const Group& group : model_.groups) run_group(group, state, batch);
  for (const unsigned action : model_.evaluated) ask(action, state, batch);
  if (!in_order_) batch.sort_from(first);
  batch.sources.push_back({index, batch.successors(), batch.notes.size(), false});
}

void Expander::run_group(const Group& group, const std::uint64_t* state, Batch& batch) {
  const std::size_t count = group.actions.size();
  if (ends_.size() < count) ends_.resize(count);
  batch.reserve(kLeastRoom);
  const std::size_t begin = batch.used();
  std::int64_t* const ends = ends_.data();
  const GroupFunction function = group.function.get();
  for (;;) {
    function(state, batch.record(begin), static_cast<std::int64_t>(batch.room()), ends);
    if (ends[count - 1] != kFull) break;
    batch.reserve(batch.room() + 1);
  }
  std::size_t from = begin;
  bool trapped = false;
  Successor* successor = batch.successors_end();
  const unsigned* const actions = group.actions.data();
  const std::uint8_t* const distinct = group.distinct.data();
  for (std::size_t j = 0; j < count; ++j) {
    if (ends[j] < 0) [[unlikely]] {
      trapped = true;
      continue;
    }
    const std::size_t to = begin + static_cast<std::size_t>(ends[j]);
    if (to == from) continue;
    const bool all = to - from == 1 || distinct[j] != 0;
    const std::size_t kept = all ? to : without_repetition(from, to, batch);
    successor = batch.add_at(successor, actions[j], from, kept);
    from = to;
  }
  batch.end_successors(successor);
  batch.use(from - begin);
  if (trapped) ask_trapped(group, state, batch);
}

void Expander::ask_trapped(const Group& group, const std::uint64_t* state, Batch& batch) {
  for (std::size_t j = 0; j < group.actions.size(); ++j) {
    if (ends_[j] < 0) ask(group.actions[j], state, batch);
  }
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

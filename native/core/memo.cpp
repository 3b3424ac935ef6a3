#include "memo.hpp"

#include <algorithm>
#include <stdexcept>

#include "hash.hpp"

namespace secateur {

namespace {

constexpr std::size_t kFirstSlots = 16;
// With this many answers and hardly a hit, remembering more of them only costs memory.
constexpr std::uint64_t kTrial = 1 << 14;

}  // namespace

Memo::Memo(const Masks& masks, Arena& arena, std::size_t marks)
    : masks_(masks), arena_(arena), marks_(marks) {
  for (std::size_t i = 0; i < masks.read.size(); ++i) {
    if (masks.read[i] != 0) read_.push_back({i, masks.read[i]});
  }
  for (std::size_t i = 0; i < masks.write.size(); ++i) {
    if (masks.write[i] != 0) written_.push_back({i, masks.write[i]});
  }
  slots_.store(new_slots(kFirstSlots), std::memory_order_release);
}

std::uint64_t Memo::hash(const std::uint64_t* state) const {
  std::uint64_t h = 0;
  for (const Part& part : read_) h = mixed(h ^ (state[part.word] & part.mask)) + part.word;
  return h;
}

bool Memo::matches(const std::uint64_t* key, const std::uint64_t* state) const {
  for (const Part& part : read_) {
    if (*key++ != (state[part.word] & part.mask)) return false;
  }
  return true;
}

Remembered Memo::find(const std::uint64_t* state) const {
  const Slots& slots = *slots_.load(std::memory_order_acquire);
  const std::uint64_t h = hash(state);
  for (std::uint64_t at = h;; ++at) {
    const std::uint64_t* const entry = slots.slots[at & slots.mask].load(std::memory_order_acquire);
    if (entry == nullptr) return Remembered(nullptr);
    if (entry[0] == h && matches(entry + 1, state)) return Remembered(entry + 1 + read_.size());
  }
}

// An entry is its hash, its key, and the answer.
void Memo::encode(const std::uint64_t* state, const Answer& answer, Words& to) const {
  to.clear();
  to.push_back(hash(state));
  for (const Part& part : read_) to.push_back(state[part.word] & part.mask);
  const std::size_t words = masks_.write.size();
  to.push_back(words == 0 ? answer.holds : answer.successors.size() / (words + marks_));
  to.push_back(answer.notes.size());
  if (words != 0) encode_successors(state, answer.successors, to);
  to.insert(to.end(), answer.notes.begin(), answer.notes.end());
}

void Memo::encode_successors(const std::uint64_t* state, const Words& successors, Words& to) const {
  const std::size_t words = masks_.write.size();
  const std::size_t stride = words + marks_;
  if (successors.size() % stride != 0) throw std::logic_error("a successor has too few words");
  for (std::size_t start = 0; start < successors.size(); start += stride) {
    const std::uint64_t* const successor = &successors[start];
    for (std::size_t i = 0; i < words; ++i) {
      if (((successor[i] ^ state[i]) & ~masks_.write[i]) != 0) {
        throw std::logic_error("an action changed what it does not write");
      }
    }
    for (const Part& part : written_) to.push_back(successor[part.word] & part.mask);
    to.insert(to.end(), successor + words, successor + stride);
  }
}

Remembered Memo::add(const std::uint64_t* state, const Answer& answer, std::uint64_t hits,
                     Words& scratch) {
  encode(state, answer, scratch);
  const std::uint64_t asked = asked_.fetch_add(1, std::memory_order_relaxed);
  if (asked > kTrial && hits < asked / 8) return Remembered(&scratch[1 + read_.size()]);
  const std::lock_guard lock(mutex_);
  if (const Remembered known = find(state)) return known;  // another thread was faster
  auto* const entry = arena_.take_array<std::uint64_t>(scratch.size());
  std::ranges::copy(scratch, entry);
  enter(entry);
  return Remembered(entry + 1 + read_.size());
}

Memo::Slots* Memo::new_slots(std::size_t count) {
  auto* const slots = arena_.take_array<Slots>(1);
  *slots = {count - 1, arena_.take_array<Slot>(count)};
  return slots;
}

// Readers may still be in the slots that were too few, so they stay.
void Memo::enter(const std::uint64_t* entry) {
  const Slots* slots = slots_.load(std::memory_order_relaxed);
  if (++count_ > (slots->mask + 1) / 2) {
    const Slots* const more = new_slots((slots->mask + 1) * 4);
    for (std::size_t i = 0; i <= slots->mask; ++i) {
      const std::uint64_t* const old = slots->slots[i].load(std::memory_order_relaxed);
      if (old != nullptr) enter(*more, old);
    }
    slots_.store(more, std::memory_order_release);
    slots = more;
  }
  enter(*slots, entry);
}

void Memo::enter(const Slots& slots, const std::uint64_t* entry) {
  std::uint64_t at = entry[0];
  while (slots.slots[at & slots.mask].load(std::memory_order_relaxed) != nullptr) ++at;
  slots.slots[at & slots.mask].store(entry, std::memory_order_release);
}

void Memo::apply(Remembered step, std::size_t i, const std::uint64_t* state,
                 std::uint64_t* to) const {
  std::copy_n(state, masks_.write.size(), to);
  const std::uint64_t* written = step.written() + i * words_written();
  for (const Part& part : written_) {
    to[part.word] = (to[part.word] & ~part.mask) | *written++;
  }
  std::copy_n(written, marks_, to + masks_.write.size());
}

}  // namespace secateur

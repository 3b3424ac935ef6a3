// The successors of a few states, before anybody knows which of them are new.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "evaluator.hpp"
#include "store.hpp"

namespace secateur {

// A state that was expanded, and where its successors and notes end; they begin where those of
// the source before it end.  With `lively` it is no deadlock: something happens there although it
// may have been left out, or a run may end there.  `relied` is the successor that it relies on to
// do what was left out, if it is one that nobody had found.
struct Source {
  Index index;
  std::size_t successors_end;
  std::size_t notes_end;
  bool lively;
  std::size_t relied = kNobody;

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
};

struct Successor {
  std::uint32_t offset;  // of its first word, among the records
  unsigned action;
};

// Records are where compiled code and answers are written; successors are those of them that
// count, in the order of the actions.
class Batch {
 public:
  explicit Batch(std::size_t stride) : stride_(stride) { grow(kFirstCapacity); }

  // Large enough to overlap the waiting for memory, small enough to stay in the cache.
  bool full() const { return successors_ >= 128 || sources.size() >= 64; }
  bool empty() const { return sources.empty(); }

  void clear() {
    sources.clear();
    notes.clear();
    used_ = 0;
    successors_ = 0;
  }

  std::uint64_t* record(std::size_t i) { return records_.get() + i * stride_; }
  std::size_t stride() const { return stride_; }
  std::size_t used() const { return used_; }
  std::size_t room() const { return capacity_ - used_; }

  // Makes room for at least `records` more.
  void reserve(std::size_t records) {
    if (room() < records) grow(std::max(used_ + records, 2 * capacity_));
  }
  void use(std::size_t records) { used_ += records; }

  // Adds the records begin..end-1, which are successors by one action, at `to`; returns where
  // the next ones go.  They count when `end_successors` says so.
  Successor* add_at(Successor* to, unsigned action, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i != end; ++i) {
      *to++ = {static_cast<std::uint32_t>(i * stride_), action};
    }
    return to;
  }
  Successor* successors_end() { return successor_.get() + successors_; }
  void end_successors(const Successor* end) {
    successors_ = static_cast<std::size_t>(end - successor_.get());
  }

  // Puts the successors from `first` on into the order of their actions.
  void sort_from(std::size_t first) {
    std::stable_sort(successor_.get() + first, successor_.get() + successors_,
                     [](const Successor& a, const Successor& b) { return a.action < b.action; });
  }

  // Keeps the successors that are marked, in their order.
  void keep(const std::vector<bool>& marked) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < successors_; ++i) {
      if (marked[i]) successor_[kept++] = successor_[i];
    }
    successors_ = kept;
  }

  std::size_t successors() const { return successors_; }
  const Successor* successor(std::size_t i) const { return successor_.get() + i; }
  unsigned action(std::size_t i) const { return successor_[i].action; }
  const std::uint64_t* records() const { return records_.get(); }
  const std::uint64_t* state(std::size_t i) const { return records() + successor_[i].offset; }
  std::uint64_t* state(std::size_t i) { return records_.get() + successor_[i].offset; }

  std::vector<Source> sources;
  std::vector<Note> notes;

 private:
  static constexpr std::size_t kFirstCapacity = 512;

  void grow(std::size_t capacity) {
    if (capacity * stride_ > 0xffffffffu) throw std::bad_alloc();
    auto records = std::make_unique_for_overwrite<std::uint64_t[]>(capacity * stride_);
    auto successor = std::make_unique_for_overwrite<Successor[]>(capacity);
    std::copy_n(records_.get(), used_ * stride_, records.get());
    std::copy_n(successor_.get(), successors_, successor.get());
    records_ = std::move(records);
    successor_ = std::move(successor);
    capacity_ = capacity;
  }

  std::size_t stride_;
  std::unique_ptr<std::uint64_t[]> records_;
  std::unique_ptr<Successor[]> successor_;  // no more than records
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t successors_ = 0;
};

}  // namespace secateur

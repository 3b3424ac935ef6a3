// The successors of a few states, before anybody knows which of them are new.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "evaluator.hpp"
#include "store.hpp"

namespace secateur {

// The records begin..end-1 are the successors by one action.
struct Span {
  unsigned action;
  std::size_t begin;
  std::size_t end;
};

// A state that was expanded, and where its spans and notes end; they begin where those of the
// source before it end.
struct Source {
  Index index;
  std::size_t spans_end;
  std::size_t notes_end;
};

class Batch {
 public:
  explicit Batch(std::size_t stride) : stride_(stride) { grow(kFirstCapacity); }

  // Large enough to overlap the waiting for memory, small enough to stay in the cache.
  bool full() const { return successors_ >= 128 || sources.size() >= 64; }
  bool empty() const { return sources.empty(); }

  void clear() {
    sources.clear();
    spans.clear();
    notes.clear();
    used_ = 0;
    successors_ = 0;
  }

  std::uint64_t* record(std::size_t i) { return records_.get() + i * stride_; }
  std::size_t stride() const { return stride_; }
  std::size_t used() const { return used_; }
  std::size_t room() const { return capacity_ - used_; }
  std::size_t successors() const { return successors_; }

  // Makes room for at least `records` more.
  void reserve(std::size_t records) {
    if (room() < records) grow(std::max(used_ + records, 2 * capacity_));
  }
  void use(std::size_t records) { used_ += records; }

  void add_span(unsigned action, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    spans.push_back({action, begin, end});
    successors_ += end - begin;
  }

  std::vector<Source> sources;
  std::vector<Span> spans;
  std::vector<Note> notes;

 private:
  static constexpr std::size_t kFirstCapacity = 512;

  void grow(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<std::uint64_t[]>(capacity * stride_);
    std::copy_n(records_.get(), used_ * stride_, larger.get());
    records_ = std::move(larger);
    capacity_ = capacity;
  }

  std::size_t stride_;
  std::unique_ptr<std::uint64_t[]> records_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t successors_ = 0;
};

}  // namespace secateur

// The states found, by index, each with the state that it was found from.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "arena.hpp"
#include "layout.hpp"

namespace secateur {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffu;

struct Range {
  Index begin;
  Index end;

  Index size() const { return end - begin; }
};

// What a store remembers for ever.
struct Keeping {
  bool parents = true;
  bool states = true;  // or else only as long as they are needed: until `forget_before`
};

// States are appended and never change.  Whoever appends claims a block of indices first, so
// that several threads can append without a word to each other.
class Store {
 public:
  Store(const Layout& layout, Arena& arena, Keeping keeping)
      : layout_(layout),
        arena_(arena),
        keeping_(keeping),
        fetched_(std::min(layout.bytes(), kMostFetched)),
        chunk_bits_(bits_for(layout.bytes())),
        chunk_mask_((Index{1} << chunk_bits_) - 1),
        chunks_(new Chunk[std::size_t{1} << (32 - chunk_bits_)]) {}

  // The largest block that can be claimed.
  Index largest_block() const { return Index{1} << chunk_bits_; }

  // Returns `size` unused indices; `size` is a power of two, at least 64.
  Range claim(Index size) {
    const std::lock_guard lock(mutex_);
    const Index begin = next_;
    if (begin > kNone - largest_block()) throw std::length_error("more states than indices");
    if (within(begin) == 0) add_chunk(chunks_[begin >> chunk_bits_]);
    next_ = begin + size;
    return {begin, next_};
  }

  template <unsigned W>
  void put(Index index, const std::uint64_t* words, Index parent) {
    const Chunk& chunk = chunk_of(index);
    layout_.pack<W>(words, chunk.states + offset(index));
    if (chunk.parents != nullptr) chunk.parents[within(index)] = parent;
  }

  template <unsigned W>
  void get(Index index, std::uint64_t* words) const {
    layout_.unpack<W>(address(index), words);
  }

  template <unsigned W>
  bool same(Index index, const std::uint64_t* words) const {
    return layout_.same<W>(address(index), words);
  }

  void prefetch(Index index) const {
    const std::byte* const state = address(index);
    for (std::size_t i = 0; i < fetched_; i += kLine) __builtin_prefetch(state + i);
  }

  bool keeps_parents() const { return keeping_.parents; }
  bool keeps_states() const { return keeping_.states; }

  // Where states are not kept: says that nobody will ask for those before `index` any more, nor for
  // their flaws.  No other thread may be at work.
  void forget_before(Index index) {
    for (; std::uint64_t{oldest_ + 1} << chunk_bits_ <= index; ++oldest_) {
      spare_.push_back(chunks_[oldest_]);
    }
  }

  Index parent(Index index) const { return chunk_of(index).parents[within(index)]; }

  // A state is flawed if something was found to be wrong with it.
  bool flawed(Index index) const {
    return (chunk_of(index).flaws[within(index) / 64] >> (index % 64) & 1) != 0;
  }

  // Only the owner of the block that the index is from may call this.
  void mark_flawed(Index index) {
    chunk_of(index).flaws[within(index) / 64] |= std::uint64_t{1} << (index % 64);
  }

  const Layout& layout() const { return layout_; }

 private:
  struct Chunk {
    std::byte* states;
    Index* parents;
    std::uint64_t* flaws;
  };

  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kMostFetched = 4 * kLine;

  // Chunks of about a megabyte, but not so small that there are very many of them.
  static unsigned bits_for(std::size_t bytes) {
    unsigned bits = 16;
    while (bits > 10 && (bytes << bits) > (std::size_t{1} << 20)) --bits;
    return bits;
  }

  Index within(Index index) const { return index & chunk_mask_; }
  const Chunk& chunk_of(Index index) const { return chunks_[index >> chunk_bits_]; }
  std::size_t offset(Index index) const { return std::size_t{within(index)} * layout_.bytes(); }
  const std::byte* address(Index index) const { return chunk_of(index).states + offset(index); }

  void add_chunk(Chunk& chunk) {
    const std::size_t size = largest_block();
    if (spare_.empty()) {
      chunk.states = arena_.take_array<std::byte>(layout_.bytes() * size + Layout::kSlack);
      chunk.flaws = arena_.take_array<std::uint64_t>(size / 64);
    } else {
      chunk = spare_.back();
      spare_.pop_back();
      std::fill_n(chunk.flaws, size / 64, 0);
    }
    chunk.parents = keeping_.parents ? arena_.take_array<Index>(size) : nullptr;
  }

  const Layout layout_;
  Arena& arena_;
  const Keeping keeping_;
  const std::size_t fetched_;  // bytes
  const unsigned chunk_bits_;
  const Index chunk_mask_;
  std::mutex mutex_;
  std::unique_ptr<Chunk[]> chunks_;
  Index next_ = 0;
  Index oldest_ = 0;          // the first chunk whose states are there
  std::vector<Chunk> spare_;  // chunks whose states are not needed any more
};

}  // namespace secateur

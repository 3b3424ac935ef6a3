// A bucket with the tags and indices of up to twelve states of any size.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "store.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace secateur {

// The tags of a bucket, as they were at one moment; a tag of 0 is an empty slot.
class Tags {
 public:
  static constexpr unsigned kSlots = 12;

  Tags(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}

  // The slots with this tag, as a bit mask.
  unsigned equal(std::uint8_t tag) const {
#if defined(__SSE2__)
    const __m128i all = _mm_set_epi64x(static_cast<long long>(high_), static_cast<long long>(low_));
    // Not _mm_set1_epi8, which goes through memory where there is no byte shuffle.
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag * 0x01010101u));
    const __m128i same = _mm_cmpeq_epi8(all, wanted);
    return static_cast<unsigned>(_mm_movemask_epi8(same)) & ((1u << kSlots) - 1);
#else
    unsigned slots = 0;
    for (unsigned i = 0; i < 8; ++i) slots |= unsigned{(low_ >> (8 * i) & 255) == tag} << i;
    for (unsigned i = 0; i < 4; ++i) slots |= unsigned{(high_ >> (8 * i) & 255) == tag} << (8 + i);
    return slots;
#endif
  }

  // Slots are filled one after the other.
  bool full() const {
    return (high_ >> 24 & 255) != 0;
  }

  unsigned count() const {
    if (high_ != 0) return 8 + (static_cast<unsigned>(std::bit_width(high_)) + 7) / 8;
    return (static_cast<unsigned>(std::bit_width(low_)) + 7) / 8;
  }

 private:
  std::uint64_t low_;
  std::uint64_t high_;
};

// One thread at a time may change a bucket while others read it: an index is stored before its
// tag, and both so that whoever sees them sees the state too.
class alignas(64) IndexBucket {
 public:
  static constexpr unsigned kSlots = Tags::kSlots;
  static constexpr bool kIndexed = true;  // states are elsewhere
  using Item = Index;

  // Returns the index of the state with this hash, or kNone; `state.same(index)` tells.
  template <class State>
  Index find(std::uint64_t hash, const State& state) const {
    for (unsigned slots = tags().equal(tag_of(hash)); slots != 0; slots &= slots - 1) {
      const Index index = item(static_cast<unsigned>(std::countr_zero(slots)));
      if (state.same(index)) return index;
    }
    return kNone;
  }

  bool full() const { return tags().full(); }
  unsigned count() const { return tags().count(); }
  Item item(unsigned slot) const { return indices_[slot].load(std::memory_order_acquire); }

  // There must be room.
  void add(std::uint64_t hash, Item index) {
    const unsigned slot = count();
    indices_[slot].store(index, std::memory_order_release);
    std::atomic<std::uint64_t>& half = tags_[slot / 8];
    const std::uint64_t before = half.load(std::memory_order_relaxed);
    half.store(before | std::uint64_t{tag_of(hash)} << (slot % 8 * 8), std::memory_order_release);
  }

  void clear() { set_tags(0); }
  // Makes all slots look taken, but by no state.
  void fill() { set_tags(~0u); }

  template <class State>
  static Item item_of(const State&, Index index) {
    return index;
  }
  template <class State>
  static std::uint64_t hash(Item index, const State& state) {
    return state.hash(index);
  }
  template <class State>
  static void prefetch(Item index, const State& state) {
    state.prefetch(index);
  }

 private:
  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash >> 8);
    return static_cast<std::uint8_t>(tag + 1) < 2 ? 0x55 : tag;  // 0 and 255 are taken
  }

  Tags tags() const {
    return {tags_[0].load(std::memory_order_acquire), tags_[1].load(std::memory_order_acquire)};
  }

  void set_tags(std::uint32_t tags) {
    tags_[0].store(std::uint64_t{tags} << 32 | tags, std::memory_order_relaxed);
    tags_[1].store(tags, std::memory_order_relaxed);  // four bytes are no tags
  }

  std::array<std::atomic<std::uint64_t>, 2> tags_;
  std::array<std::atomic<Index>, kSlots> indices_;
};

static_assert(sizeof(IndexBucket) == 64);

}  // namespace secateur

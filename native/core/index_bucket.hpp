// A bucket with the indices of up to eight states of any size, each with half of its hash.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "layout.hpp"
#include "store.hpp"

#if defined(__SSE2__) && !SECATEUR_EXACT_LOADS
#define SECATEUR_VECTOR_TAGS 1
#include <emmintrin.h>
#else
#define SECATEUR_VECTOR_TAGS 0
#endif

namespace secateur {

// One thread at a time may change a bucket while others read it: what is in a slot is stored at
// once, and so that whoever sees it sees the state too.
class alignas(64) IndexBucket {
 public:
  static constexpr unsigned kSlots = 8;
  static constexpr bool kIndexed = true;          // states are elsewhere
  static constexpr unsigned kMostBuckets = 1024;  // of a page: an item knows which one it is from
  static constexpr unsigned kReach = 8;
  using Item = std::uint64_t;  // a tag, and the index + 1; 0 is an empty slot

  // Returns the index of the state with this hash, or kNone; `state.same(index)` tells.
  template <class State>
  Index find(std::uint64_t hash, const State& state) const {
    for (unsigned slots = equal(tag_of(hash)); slots != 0; slots &= slots - 1) {
      const Index index = index_of(item(static_cast<unsigned>(std::countr_zero(slots))));
      if (index != kNone && state.same(index)) return index;
    }
    return kNone;
  }

  bool full() const { return items_[kSlots - 1].load(std::memory_order_acquire) != 0; }
  // Slots are filled one after the other.
  unsigned count() const {
    unsigned count = 0;
    while (count < kSlots && items_[count].load(std::memory_order_relaxed) != 0) ++count;
    return count;
  }
  Item item(unsigned slot) const { return items_[slot].load(std::memory_order_acquire); }

  // There must be room.
  void add(std::uint64_t, Item item) { items_[count()].store(item, std::memory_order_release); }

  void clear() { set_all(0); }
  // Makes all slots look taken, but by no state.
  void fill() { set_all(Item{1} << 32); }

  template <class State>
  static Item item_of(std::uint64_t hash, const State&, Index index) {
    return Item{tag_of(hash)} << 32 | (index + 1);
  }

  // What a table of at most so many bits wants to know of the hash of a state: the item has it.
  template <class State>
  static std::uint64_t hash(Item item, const State& state, unsigned bits) {
    if (bits > kKnown) return state.hash(index_of(item));
    return item >> (32 + kHome) << (64 - 8 - kKnown) | (item >> 32 & (kMostBuckets - 1));
  }
  template <class State>
  static void prefetch(Item item, const State& state, unsigned bits) {
    if (bits > kKnown) state.prefetch(index_of(item));
  }

 private:
  static constexpr unsigned kHome = 10;
  static constexpr unsigned kKnown = 32 - kHome;
  static_assert(kMostBuckets == 1u << kHome);

  // The lowest bits of a hash, which say what bucket it belongs to, and those that say what page:
  // the ones after the highest 8.
  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> (64 - 8 - kKnown) << kHome |
                                      (hash & (kMostBuckets - 1)));
  }
  static Index index_of(Item item) { return static_cast<Index>(item) - 1; }

  // The slots with this tag, as a bit mask.
  unsigned equal(std::uint32_t tag) const {
#if SECATEUR_VECTOR_TAGS
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    const __m128i low = _mm_cmpeq_epi32(tags(0), wanted);
    const __m128i high = _mm_cmpeq_epi32(tags(2), wanted);
    const __m128i all = _mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128());
    return static_cast<unsigned>(_mm_movemask_epi8(all));
#else
    unsigned slots = 0;
    for (unsigned i = 0; i < kSlots; ++i) slots |= unsigned{item(i) >> 32 == tag} << i;
    return slots;
#endif
  }

#if SECATEUR_VECTOR_TAGS
  // The tags of four slots: two from each of two quarters of the bucket.
  __m128i tags(unsigned quarter) const {
    const auto* const all = reinterpret_cast<const __m128i*>(items_.data());
    const __m128 first = _mm_castsi128_ps(_mm_load_si128(all + quarter));
    const __m128 second = _mm_castsi128_ps(_mm_load_si128(all + quarter + 1));
    return _mm_castps_si128(_mm_shuffle_ps(first, second, 0xdd));
  }
#endif

  void set_all(Item item) {
    for (auto& each : items_) each.store(item, std::memory_order_relaxed);
  }

  std::array<std::atomic<Item>, kSlots> items_;
};

static_assert(sizeof(IndexBucket) == 64);

}  // namespace secateur

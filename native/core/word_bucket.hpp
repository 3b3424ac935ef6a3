// A bucket with small states themselves: half the memory to wait for.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "hash.hpp"
#include "layout.hpp"
#include "store.hpp"

#if defined(__SSE2__) && !SECATEUR_EXACT_LOADS
#define SECATEUR_VECTOR_LOADS 1
#include <emmintrin.h>
#else
#define SECATEUR_VECTOR_LOADS 0
#endif

namespace secateur {

// For states of one word that is at most `kMost`.  The bit above tells a state from an empty slot.
// Nothing but the state itself is looked at, so no order of loads matters.
template <class Word>
class alignas(64) WordBucket {
 public:
  static constexpr unsigned kSlots = 64 / sizeof(Word);
  static constexpr Word kMost = static_cast<Word>(~Word{0} >> 1);
  static constexpr bool kIndexed = false;
  static constexpr unsigned kMostBuckets = ~0u;  // of a page
  static constexpr unsigned kReach = 4;
  using Item = Word;

  // Returns something other than kNone if the state is here, but not its index.
  template <class State>
  Index find(std::uint64_t, const State& state) const {
    return has(with_mark(state.words[0])) ? 0 : kNone;
  }

  bool full() const { return item(kSlots - 1) != 0; }
  // Slots are filled one after the other.
  unsigned count() const {
#if SECATEUR_VECTOR_LOADS
    const __m128i zero = _mm_setzero_si128();
    const __m128i low =
        _mm_packs_epi32(_mm_cmpeq_epi32(quarter(0), zero), _mm_cmpeq_epi32(quarter(1), zero));
    const __m128i high =
        _mm_packs_epi32(_mm_cmpeq_epi32(quarter(2), zero), _mm_cmpeq_epi32(quarter(3), zero));
    auto empty = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    // Of a slot with two halves, the upper one has the mark.
    if constexpr (sizeof(Word) == 8) empty &= 0xaaaa;
    return static_cast<unsigned>(std::countr_zero(empty | 1u << 16)) * 4 / sizeof(Word);
#else
    unsigned count = 0;
    while (count < kSlots && item(count) != 0) ++count;
    return count;
#endif
  }
  Item item(unsigned slot) const { return words_[slot].load(std::memory_order_relaxed); }

  // There must be room.
  void add(std::uint64_t, Item word) { words_[count()].store(word, std::memory_order_relaxed); }

  void clear() { set_all(0); }
  // Makes all slots look taken, but by no state.
  void fill() { set_all(1); }

  template <class State>
  static Item item_of(std::uint64_t, const State& state, Index) {
    return with_mark(state.words[0]);
  }
  // The state that an item stands for.
  static std::uint64_t state_of(Item word) { return word & ~kMark; }
  template <class State>
  static std::uint64_t hash(Item word, const State&, unsigned) {
    const std::uint64_t state = state_of(word);
    return hash_of<1>(&state, 1);
  }
  template <class State>
  static void prefetch(Item, const State&, unsigned) {}

 private:
  static constexpr Word kMark = kMost + 1;

  static Word with_mark(std::uint64_t state) { return static_cast<Word>(state) | kMark; }

#if SECATEUR_VECTOR_LOADS
  __m128i quarter(unsigned i) const {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(words_.data()) + i);
  }
#endif

  void set_all(Word word) {
    for (auto& slot : words_) slot.store(word, std::memory_order_relaxed);
  }

  bool has(Word word) const {
#if SECATEUR_VECTOR_LOADS
    __m128i wanted;
    if constexpr (sizeof(Word) == 4) {
      wanted = _mm_set1_epi32(static_cast<int>(word));
    } else {
      wanted = _mm_set1_epi64x(static_cast<long long>(word));
    }
    __m128i any = _mm_setzero_si128();
    for (unsigned i = 0; i < 4; ++i) {
      __m128i same = _mm_cmpeq_epi32(quarter(i), wanted);
      if constexpr (sizeof(Word) == 8) same = _mm_and_si128(same, _mm_shuffle_epi32(same, 0xb1));
      any = _mm_or_si128(any, same);
    }
    return _mm_movemask_epi8(any) != 0;
#else
    for (unsigned i = 0; i < kSlots; ++i) {
      if (item(i) == word) return true;
    }
    return false;
#endif
  }

  std::array<std::atomic<Word>, kSlots> words_;
};

static_assert(sizeof(WordBucket<std::uint32_t>) == 64 && sizeof(WordBucket<std::uint64_t>) == 64);

}  // namespace secateur

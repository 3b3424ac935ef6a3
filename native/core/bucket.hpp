// One line of the cache: the tags and indices of up to twelve states.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

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
    const std::uint64_t upper = high_ & 0xffffffffu;
    if (upper != 0) return 8 + (static_cast<unsigned>(std::bit_width(upper)) + 7) / 8;
    return (static_cast<unsigned>(std::bit_width(low_)) + 7) / 8;
  }

 private:
  std::uint64_t low_;
  std::uint64_t high_;
};

// One thread at a time may change a bucket while others read it: an index is stored before its
// tag, and both so that whoever sees them sees the state too.
class alignas(64) Bucket {
 public:
  static constexpr unsigned kSlots = Tags::kSlots;

  Tags tags() const {
    return {tags_[0].load(std::memory_order_acquire), tags_[1].load(std::memory_order_acquire)};
  }

  std::uint32_t index(int slot) const {
    return indices_[static_cast<unsigned>(slot)].load(std::memory_order_acquire);
  }
  std::uint32_t index(unsigned slot) const { return index(static_cast<int>(slot)); }

  // There must be room.
  void add(std::uint8_t tag, std::uint32_t index) {
    const unsigned slot = tags().count();
    indices_[slot].store(index, std::memory_order_release);
    std::atomic<std::uint64_t>& half = tags_[slot / 8];
    const std::uint64_t before = half.load(std::memory_order_relaxed);
    half.store(before | std::uint64_t{tag} << (slot % 8 * 8), std::memory_order_release);
  }

  // Makes all slots look taken, by a tag that no state has.
  void fill() {
    tags_[0].store(~0ull, std::memory_order_relaxed);
    tags_[1].store(~0ull, std::memory_order_relaxed);
  }

  void clear() {
    tags_[0].store(0, std::memory_order_relaxed);
    tags_[1].store(0, std::memory_order_relaxed);
  }

  // Four bytes beside the tags: the first bucket of a page keeps the depth of the page there.
  unsigned depth() const {
    return static_cast<unsigned>(tags_[1].load(std::memory_order_relaxed) >> 32);
  }
  void set_depth(unsigned depth) {
    const std::uint64_t tags = tags_[1].load(std::memory_order_relaxed) & 0xffffffffu;
    tags_[1].store(tags | std::uint64_t{depth} << 32, std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, 2> tags_;
  std::array<std::atomic<std::uint32_t>, kSlots> indices_;
};

static_assert(sizeof(Bucket) == 64);

}  // namespace secateur

// The set of states found: from a hash to the indices of the states that have it.
//
// Extendible hashing (R. Fagin and others, ACM TODS 4, 1979) in two stages: the first bits of a
// hash choose a segment, the next ones an entry of its directory, which names a page of 256
// buckets.  A page that is too full splits into two, so that the table grows page by page: no
// memory is given up for a larger copy, and nobody waits for one to be made.  A bucket is a line
// of the cache: the tags of twelve states and their indices.  What has no room in its bucket is
// in one of the next ones; as nothing is ever removed, a bucket with room ends the search.
//
// With several threads: whoever adds holds the lock of the segment; whoever looks does not.  A
// look may miss a state while its page is being split, so only a hit without the lock counts.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "arena.hpp"
#include "bucket.hpp"
#include "spin_lock.hpp"
#include "store.hpp"

namespace secateur {

class Table {
 public:
  struct Found {
    Index index;
    bool added;
  };

  explicit Table(Arena& arena);

  // Returns the state with this hash that `states.same(index)`, or adds `states.make()`; `make`
  // may return kNone, and then nothing is added.  `states.hash(index)` and
  // `states.prefetch(index)` are for states that are in the table.
  template <bool Threads, class States>
  Found find_or_add(std::uint64_t hash, States&& states) {
    if constexpr (Threads) {
      const Index known = look(page_of(segment_of(hash), hash), hash, states).index;
      if (known != kNone) return {known, false};
    }
    Segment& segment = segment_of(hash);
    const MaybeLock<Threads> lock(segment.lock);
    for (;;) {
      const Place place = look(page_of(segment, hash), hash, states);
      if (place.index != kNone) return {place.index, false};
      if (place.bucket != nullptr) return add(place, hash, states);
      make_room(segment, hash, states);
    }
  }

  // The bucket where a state with this hash is most likely to be.
  const Bucket& home(std::uint64_t hash) const {
    return page_of(segment_of(hash), hash)->buckets[hash % kBuckets];
  }

  // Whether a state with this hash, and `same(index)`, is in what was its home some time ago; if
  // not, it may have moved.
  template <class Same>
  static bool at_home(const Bucket& bucket, std::uint64_t hash, Same same) {
    for (unsigned slots = bucket.tags().equal(tag_of(hash)); slots != 0; slots &= slots - 1) {
      if (same(bucket.index(std::countr_zero(slots)))) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned kSegmentBits = 8;
  static constexpr unsigned kBuckets = 256;
  static constexpr unsigned kReach =
      4;  // a page splits rather than add further than this from home
  static constexpr unsigned kAhead = 32;  // how far ahead states are fetched
  static constexpr unsigned kDeepest = 34;

  struct Page {
    std::array<Bucket, kBuckets> buckets;
  };
  using Entry = std::atomic<Page*>;

  // A directory of 2^depth entries; both are read at once, hence in one word.
  class Directory {
   public:
    Directory() = default;
    Directory(Entry* entries, unsigned depth)
        : both_(reinterpret_cast<std::uintptr_t>(entries) | depth) {}

    Entry* entries() const { return reinterpret_cast<Entry*>(both_ & ~std::uintptr_t{63}); }
    unsigned depth() const { return both_ & 63; }
    Entry& operator[](std::uint64_t hash) const { return entries()[position(hash)]; }
    std::uint64_t position(std::uint64_t hash) const {
      return hash << kSegmentBits >> 1 >> (63 - depth());
    }

   private:
    std::uintptr_t both_ = 0;
  };

  struct alignas(64) Segment {
    Entry root;  // the directory as long as it has one entry; must be first, for its alignment
    std::atomic<Directory> directory;
    SpinLock lock;
  };

  // Where a state is (`index`), or where it would go (`bucket`, unless there is no room).
  struct Place {
    Index index = kNone;
    Bucket* bucket = nullptr;
  };

  Segment& segment_of(std::uint64_t hash) const { return segments_[hash >> (64 - kSegmentBits)]; }

  [[gnu::always_inline]] static Page* page_of(const Segment& segment, std::uint64_t hash) {
    const Directory directory = segment.directory.load(std::memory_order_acquire);
    return directory[hash].load(std::memory_order_acquire);
  }

  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash >> 8);
    return static_cast<std::uint8_t>(tag + 1) < 2 ? 0x55 : tag;  // 0 and 255 are taken
  }

  template <class States>
  static Place look(Page* page, std::uint64_t hash, States& states) {
    const std::uint8_t tag = tag_of(hash);
    for (std::uint64_t i = 0; i < kBuckets; ++i) {
      Bucket& bucket = page->buckets[(hash + i) % kBuckets];
      const Tags tags = bucket.tags();
      for (unsigned slots = tags.equal(tag); slots != 0; slots &= slots - 1) {
        const Index index = bucket.index(std::countr_zero(slots));
        if (states.same(index)) return {index, nullptr};
      }
      if (!tags.full()) return {kNone, i < kReach ? &bucket : nullptr};
    }
    return {};
  }

  template <class States>
  Found add(const Place& place, std::uint64_t hash, States& states) {
    const Index index = states.make();
    if (index != kNone) place.bucket->add(tag_of(hash), index);
    return {index, index != kNone};
  }

  template <class States>
  void make_room(Segment& segment, std::uint64_t hash, States& states) {
    Page* const page = page_of(segment, hash);
    if (page == &nothing_) {
      segment.root.store(arena_.take_array<Page>(1), std::memory_order_release);
    } else {
      split(segment, hash, states);
    }
  }

  // Makes two pages of the one that the hash is in.
  template <class States>
  void split(Segment& segment, std::uint64_t hash, States& states) {
    Page& page = *page_of(segment, hash);
    const unsigned depth = page.buckets[0].depth();
    std::array<Index, kBuckets * Bucket::kSlots> all;
    unsigned count = 0;
    for (Bucket& bucket : page.buckets) {
      for (unsigned slot = 0; slot < bucket.tags().count(); ++slot) {
        all[count++] = bucket.index(slot);
      }
    }
    Page& other = open_page(segment, hash, depth);
    for (Bucket& bucket : page.buckets) bucket.clear();
    page.buckets[0].set_depth(depth + 1);
    for (unsigned i = 0; i < count; ++i) {
      states.prefetch(all[std::min(i + kAhead, count - 1)]);
      const std::uint64_t h = states.hash(all[i]);
      const bool moves = (h << kSegmentBits << depth >> 63) != 0;
      put(moves ? other : page, h, all[i]);
    }
  }

  static void put(Page& page, std::uint64_t hash, Index index);
  Page& open_page(Segment& segment, std::uint64_t hash, unsigned depth);
  void deepen(Segment& segment);

  Arena& arena_;
  std::unique_ptr<Segment[]> segments_;
  alignas(64) Page nothing_{};  // what all segments start with; full, but of nothing
};

}  // namespace secateur

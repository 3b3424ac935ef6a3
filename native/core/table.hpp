// The set of states found.
//
// Extendible hashing (R. Fagin and others, ACM TODS 4, 1979) in two stages: the first bits of a
// hash choose a segment, those after the first eight an entry of its directory, which names a page
// of some hundred buckets.  A page that is too full splits into two, so that the table grows page
// by page: no memory is given up for a larger copy, and nobody waits for one to be made.  A bucket
// is a line of the cache; `IndexBucket` and `WordBucket` say what is in it.  What has no room in
// its bucket is in one of the next ones; as nothing is ever removed, a bucket with room ends the
// search.
//
// With several threads: whoever adds holds the lock of the segment; whoever looks does not.  A
// look may miss a state while its page is being split, so only a hit without the lock counts.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "arena.hpp"
#include "spin_lock.hpp"
#include "store.hpp"

namespace secateur {

// `index` is that of a state that was added; with `IndexBucket` also of one that was there.
// Nothing was added, nor found, if it is kNone.
struct Found {
  Index index;
  bool added;
};

// There are 2^SegmentBits segments, at least two: as many as threads need not to meet too often.
template <class Bucket, unsigned SegmentBits = 8, unsigned Buckets = 256>
class Table {
 public:
  using Item = typename Bucket::Item;

  explicit Table(Arena& arena) : arena_(arena), segments_(new Segment[kSegments]) {
    for (Bucket& bucket : nothing_.buckets) bucket.fill();
    for (unsigned i = 0; i < kSegments; ++i) {
      Segment& segment = segments_[i];
      segment.root.store(&nothing_, std::memory_order_relaxed);
      segment.directory.store(Directory(&segment.root, 0), std::memory_order_relaxed);
    }
  }

  // Finds the state with this hash, or adds what `state.make()` returns, unless that is kNone.
  // The buckets say what else they want to know of a state.
  template <bool Threads, class State>
  Found find_or_add(std::uint64_t hash, const State& state) {
    Segment& segment = segment_of(hash);
    if constexpr (Threads) {
      const Index known = look(page_of(segment, hash), hash, state).index;
      if (known != kNone) return {known, false};
    }
    const MaybeLock<Threads> lock(segment.lock);
    for (;;) {
      const Place place = look(page_of(segment, hash), hash, state);
      if (place.index != kNone) return {place.index, false};
      if (place.bucket != nullptr) return add(*place.bucket, hash, state);
      make_room(segment, hash, state);
    }
  }

  // The index of the state with this hash, or kNone; for one thread.
  template <class State>
  Index find(std::uint64_t hash, const State& state) const {
    return look(page_of(segment_of(hash), hash), hash, state).index;
  }

  // The bucket where a state with this hash is, if it is in the table and had room there; a
  // split may move it.
  [[gnu::always_inline]] const Bucket& home(std::uint64_t hash) const {
    return page_of(segment_of(hash), hash)->buckets[hash % kBuckets];
  }

  // Calls `visit` with everything that is in the table, until it returns false.
  template <class Visit>
  void each(Visit visit) const {
    for (unsigned i = 0; i < kSegments; ++i) {
      const Directory directory = segments_[i].directory.load(std::memory_order_acquire);
      const Page* before = &nothing_;
      for (std::size_t j = 0; j < directory.size(); ++j) {
        const Page* const page = directory.entries()[j].load(std::memory_order_acquire);
        if (page == before || page == &nothing_) continue;  // entries with one page are adjacent
        before = page;
        if (!each_in(*page, visit)) return;
      }
    }
  }

 private:
  static constexpr unsigned kSegmentBits = SegmentBits;
  static constexpr unsigned kSegments = 1u << kSegmentBits;
  static constexpr unsigned kSkipped = 8;  // bits before those that directories look at
  static_assert(kSegmentBits <= kSkipped);
  static constexpr unsigned kBuckets = Buckets;  // of a page
  static_assert(kBuckets <= Bucket::kMostBuckets);
  // A page splits rather than add further from home: the further, the fuller are pages.
  static constexpr unsigned kReach = Bucket::kReach;
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
    std::size_t size() const { return std::size_t{1} << depth(); }
    Entry& operator[](std::uint64_t hash) const { return entries()[position(hash)]; }
    std::size_t position(std::uint64_t hash) const {
      return hash << kSkipped >> 1 >> (63 - depth());
    }

   private:
    std::uintptr_t both_ = 0;
  };

  struct alignas(64) Segment {
    Entry root;  // the directory as long as it has one entry; must be first, for its alignment
    std::atomic<Directory> directory;
    // On a line of its own: whoever takes it would make others wait for the directory.
    alignas(64) SpinLock lock;
  };

  // Where a state is (`index`), or where it would go (`bucket`, unless there is no room).
  struct Place {
    Index index = kNone;
    Bucket* bucket = nullptr;
  };

  template <class Visit>
  static bool each_in(const Page& page, Visit& visit) {
    for (const Bucket& bucket : page.buckets) {
      const unsigned count = bucket.count();
      for (unsigned slot = 0; slot < count; ++slot) {
        if (!visit(bucket.item(slot))) return false;
      }
    }
    return true;
  }

  Segment& segment_of(std::uint64_t hash) const { return segments_[hash >> (64 - kSegmentBits)]; }

  [[gnu::always_inline]] static Page* page_of(const Segment& segment, std::uint64_t hash) {
    const Directory directory = segment.directory.load(std::memory_order_acquire);
    return directory[hash].load(std::memory_order_acquire);
  }

  template <class State>
  static Place look(Page* page, std::uint64_t hash, const State& state) {
    for (std::uint64_t i = 0; i < kBuckets; ++i) {
      Bucket& bucket = page->buckets[(hash + i) % kBuckets];
      const Index index = bucket.find(hash, state);
      if (index != kNone) return {index, nullptr};
      if (!bucket.full()) return {kNone, i < kReach ? &bucket : nullptr};
    }
    return {};
  }

  template <class State>
  static Found add(Bucket& bucket, std::uint64_t hash, const State& state) {
    const Index index = state.make();
    if (index == kNone) return {kNone, false};
    bucket.add(hash, Bucket::item_of(hash, state, index));
    return {index, true};
  }

  template <class State>
  void make_room(Segment& segment, std::uint64_t hash, const State& state) {
    Page* const page = page_of(segment, hash);
    if (page == &nothing_) {
      segment.root.store(arena_.take_array<Page>(1), std::memory_order_release);
    } else {
      split(segment, *page, hash, state);
    }
  }

  // Makes two pages of the one that the hash is in.
  template <class State>
  void split(Segment& segment, Page& page, std::uint64_t hash, const State& state) {
    std::array<Item, kBuckets * Bucket::kSlots> all;
    unsigned count = 0;
    for (const Bucket& bucket : page.buckets) {
      const unsigned here = bucket.count();
      for (unsigned slot = 0; slot < here; ++slot) all[count++] = bucket.item(slot);
    }
    const unsigned depth = depth_of(segment, page, hash);
    Page& other = open_page(segment, hash, depth);
    for (Bucket& bucket : page.buckets) bucket.clear();
    for (unsigned i = 0; i < count; ++i) {
      Bucket::prefetch(all[std::min(i + kAhead, count - 1)], state, depth + 1);
      const std::uint64_t h = Bucket::hash(all[i], state, depth + 1);
      const bool moves = (h << kSkipped << depth >> 63) != 0;
      put(moves ? other : page, h, all[i]);
    }
  }

  static void put(Page& page, std::uint64_t hash, Item item) {
    for (unsigned i = 0; i < kBuckets; ++i) {
      Bucket& bucket = page.buckets[(hash + i) % kBuckets];
      if (bucket.full()) continue;
      bucket.add(hash, item);
      return;
    }
    throw std::logic_error("a page of the table has no room for half of its states");
  }

  // How many bits the hashes in a page have in common, after those of the segment: 2^(D - depth)
  // entries of a directory of depth D, side by side, name it.
  static unsigned depth_of(const Segment& segment, const Page& page, std::uint64_t hash) {
    const Directory directory = segment.directory.load(std::memory_order_relaxed);
    const std::size_t position = directory.position(hash);
    const auto names = [&](std::size_t i) {
      return directory.entries()[i].load(std::memory_order_relaxed) == &page;
    };
    unsigned depth = directory.depth();
    for (std::size_t block = 2; block <= directory.size(); block *= 2, --depth) {
      const std::size_t first = position & ~(block - 1);
      if (!names(first) || !names(first + block - 1)) break;
    }
    return depth;
  }

  // Enters a new page for the upper half of the hashes that a page of this depth is for.
  Page& open_page(Segment& segment, std::uint64_t hash, unsigned depth) {
    if (segment.directory.load(std::memory_order_relaxed).depth() == depth) deepen(segment);
    const Directory directory = segment.directory.load(std::memory_order_relaxed);
    auto* const page = arena_.take_array<Page>(1);
    const std::size_t half = std::size_t{1} << (directory.depth() - depth - 1);
    const std::size_t first = directory.position(hash) & ~(2 * half - 1);
    for (std::size_t i = first + half; i < first + 2 * half; ++i) {
      directory.entries()[i].store(page, std::memory_order_release);
    }
    return *page;
  }

  // Doubles the directory; readers may still be in the old one, so it stays.
  void deepen(Segment& segment) {
    const Directory old = segment.directory.load(std::memory_order_relaxed);
    const Directory more(arena_.take_array<Entry>(2 * old.size()), old.depth() + 1);
    if (more.depth() > kDeepest) throw std::length_error("too many states have one hash");
    for (std::size_t i = 0; i < more.size(); ++i) {
      Page* const page = old.entries()[i / 2].load(std::memory_order_relaxed);
      more.entries()[i].store(page, std::memory_order_relaxed);
    }
    segment.directory.store(more, std::memory_order_release);
  }

  Arena& arena_;
  std::unique_ptr<Segment[]> segments_;
  Page nothing_{};  // what all segments start with; full, but of nothing
};

}  // namespace secateur

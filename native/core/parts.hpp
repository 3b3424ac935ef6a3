// Numbers for words: equal words have one number.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <stdexcept>

#include "arena.hpp"
#include "hash.hpp"
#include "index_bucket.hpp"
#include "store.hpp"
#include "table.hpp"

namespace secateur {

// Words are numbered as they come, and kept by number in chunks of which each is twice as large
// as the one before.  Several threads may ask; what one of them has got, others may look up.
class Parts {
 public:
  static constexpr Index kMost = 0x7fffffff;

  explicit Parts(Arena& arena) : arena_(arena), table_(arena) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  template <bool Threads>
  Index number(std::uint64_t word) {
    return table_.template find_or_add<Threads>(hash_of<1>(&word, 1), Candidate{*this, word}).index;
  }

  std::size_t size() const { return next_.load(std::memory_order_relaxed); }

  std::uint64_t word(Index number) const {
    const Place place(number);
    return chunks_[place.chunk].load(std::memory_order_acquire)[place.within];
  }

 private:
  static constexpr unsigned kFirstBits = 10;

  struct Place {
    explicit Place(Index number)
        : chunk(static_cast<unsigned>(std::bit_width(number + (1u << kFirstBits))) - kFirstBits -
                1),
          within(number + (1u << kFirstBits) - (1u << (kFirstBits + chunk))) {}

    unsigned chunk;
    Index within;
  };

  struct Candidate {
    Parts& parts;
    std::uint64_t wanted;

    bool same(Index number) const { return parts.word(number) == wanted; }
    void prefetch(Index) const {}
    std::uint64_t hash(Index number) const {
      const std::uint64_t word = parts.word(number);
      return hash_of<1>(&word, 1);
    }
    Index make() const { return parts.append(wanted); }
  };

  Index append(std::uint64_t word) {
    const Index number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= kMost) throw std::length_error("more parts than numbers");
    const Place place(number);
    std::uint64_t* chunk = chunks_[place.chunk].load(std::memory_order_acquire);
    if (chunk == nullptr) chunk = new_chunk(place.chunk);
    chunk[place.within] = word;
    return number;
  }

  std::uint64_t* new_chunk(unsigned i) {
    const std::lock_guard lock(mutex_);
    std::uint64_t* chunk = chunks_[i].load(std::memory_order_relaxed);
    if (chunk == nullptr) {
      chunk = arena_.take_array<std::uint64_t>(std::size_t{1} << (kFirstBits + i));
      chunks_[i].store(chunk, std::memory_order_release);
    }
    return chunk;
  }

  Arena& arena_;
  Table<IndexBucket, 1> table_;
  std::mutex mutex_;
  std::array<std::atomic<std::uint64_t*>, 32 - kFirstBits> chunks_{};
  std::atomic<Index> next_{0};
};

}  // namespace secateur

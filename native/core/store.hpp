// The states found, by index, each with the state that it was found from.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "arena.hpp"
#include "layout.hpp"
#include "squeezed.hpp"

namespace secateur {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffu;

// In place of a number of words: states are squeezed.
inline constexpr unsigned kTight = ~0u;

struct Range {
  Index begin;
  Index end;

  Index size() const { return end - begin; }
};

// What a store remembers for ever.
struct Keeping {
  bool parents = true;
  bool states = true;     // or else only as long as they are needed: until `forget_before`
  bool squeezed = false;  // states have room for the bits that vary; for those that are kept
};

// States are appended and never change.  Whoever appends claims a block of indices first, so
// that several threads can append without a word to each other.
//
// Where states are squeezed, the first few show which bits vary.  From then on only these are
// stored, until there is a state that differs in others as well: a new chunk begins with it, which
// has room for them.  When twice as many states are there, what varied in the second half of them
// counts. Each chunk knows how its states are packed; none is ever packed anew.
class Store {
 public:
  Store(const Layout& layout, Arena& arena, Keeping keeping)
      : layout_(layout),
        arena_(arena),
        keeping_(keeping),
        fetched_(std::min(layout.bytes(), kMostFetched)),
        chunk_bits_(bits_for(keeping.squeezed ? kParts * layout.bytes() : layout.bytes())),
        chunk_mask_((Index{1} << chunk_bits_) - 1),
        chunks_(new Chunk[std::size_t{1} << (32 - chunk_bits_)]),
        tight_(new Tight[keeping.squeezed ? std::size_t{1} << (32 - chunk_bits_) : 0]) {}

  // The largest block that can be claimed.
  Index largest_block() const { return Index{1} << chunk_bits_; }

  // Returns unused indices, `size` of them or fewer; `size` is a power of two, at least 64.  Where
  // states are squeezed, the one of `words` can be put there.  `rest` is what was claimed before
  // and will not be used.
  Range claim(Index size, const std::uint64_t* words, Range rest = {0, 0}) {
    const std::lock_guard lock(mutex_);
    if (rest.size() != 0 && rest.end == next_) next_ = rest.begin;
    claimed_ -= rest.size();
    if (keeping_.squeezed) size = make_fit(size, words);
    claimed_ += size;
    const Index begin = next_;
    if (begin > kNone - largest_block()) throw std::length_error("more states than indices");
    if (within(begin) == 0) add_chunk(chunks_[begin >> chunk_bits_]);
    next_ = begin + size;
    return {begin, next_};
  }

  // W is the number of words of a state where it is known when this is compiled, else 0; or
  // kTight, where states are squeezed.

  // Returns false if the state does not fit into the chunk that the index is from: it needs another
  // block, then.
  template <unsigned W>
  bool put(Index index, const std::uint64_t* words, Index parent) {
    if constexpr (W == kTight) {
      return put_squeezed(index, words, parent);
    } else {
      const Chunk& chunk = chunk_of(index);
      layout_.pack<W>(words, chunk.states + offset(index));
      if (chunk.parents != nullptr) chunk.parents[within(index)] = parent;
      return true;
    }
  }

  template <unsigned W>
  void get(Index index, std::uint64_t* words) const {
    if constexpr (W == kTight) {
      const Tight& tight = tight_of(index);
      tight.form->unpack(tight.record(within(index)), words);
    } else {
      layout_.unpack<W>(address(index), words);
    }
  }

  template <unsigned W>
  bool same(Index index, const std::uint64_t* words) const {
    if constexpr (W == kTight) {
      const Tight& tight = tight_of(index);
      return tight.form->same(tight.record(within(index)), words);
    } else {
      return layout_.same<W>(address(index), words);
    }
  }

  template <unsigned W>
  void prefetch(Index index) const {
    if constexpr (W == kTight) {
      const Tight& tight = tight_of(index);
      const std::byte* const state = tight.record(within(index));
      for (std::size_t i = 0; i < tight.stride; i += kLine) __builtin_prefetch(state + i);
      __builtin_prefetch(state + tight.stride - 1);
    } else {
      const std::byte* const state = address(index);
      for (std::size_t i = 0; i < fetched_; i += kLine) __builtin_prefetch(state + i);
    }
  }

  // Reads a state, squeezed or not.
  void read(Index index, std::uint64_t* words) const {
    keeping_.squeezed ? get<kTight>(index, words) : get<0>(index, words);
  }

  bool keeps_parents() const { return keeping_.parents; }
  bool keeps_states() const { return keeping_.states; }
  bool squeezed() const { return keeping_.squeezed; }

  // Where states are not kept: says that nobody will ask for those before `index` any more, nor for
  // their flaws.  No other thread may be at work.
  void forget_before(Index index) {
    for (; std::uint64_t{oldest_ + 1} << chunk_bits_ <= index; ++oldest_) {
      spare_.push_back(chunks_[oldest_]);
    }
  }

  Index parent(Index index) const {
    if (!keeping_.squeezed) return chunk_of(index).parents[within(index)];
    const Tight& tight = tight_of(index);
    Index parent = kNone;
    std::memcpy(&parent, tight.record(within(index)) + tight.form->bytes(), sizeof parent);
    return parent;
  }

  // A state is flawed if something was found to be wrong with it.  While one thread asks about a
  // state of the level before, another may mark one that came later and is in the same word.
  bool flawed(Index index) const {
    const std::uint64_t word = flaws_of(index).load(std::memory_order_relaxed);
    return (word >> (index % 64) & 1) != 0;
  }

  // Only the owner of the block that the index is from may call this.
  void mark_flawed(Index index) {
    flaws_of(index).fetch_or(std::uint64_t{1} << (index % 64), std::memory_order_relaxed);
  }

  const Layout& layout() const { return layout_; }

 private:
  std::atomic_ref<std::uint64_t> flaws_of(Index index) const {
    return std::atomic_ref(chunk_of(index).flaws[within(index) / 64]);
  }

  // The bits in which states differ from the first of them.
  class Varied {
   public:
    Varied(const std::uint64_t* first, std::size_t words)
        : first_(first, first + words), bits_(words) {}

    void add(const std::uint64_t* words) {
      for (std::size_t i = 0; i < first_.size(); ++i) {
        const std::uint64_t different = words[i] ^ first_[i];
        if ((different & ~bits_[i].load(std::memory_order_relaxed)) == 0) continue;
        bits_[i].fetch_or(different, std::memory_order_relaxed);
      }
    }

    const std::vector<std::uint64_t>& first() const { return first_; }
    std::vector<std::uint64_t> bits() const {
      std::vector<std::uint64_t> all;
      for (const auto& word : bits_) all.push_back(word.load(std::memory_order_relaxed));
      return all;
    }

   private:
    const std::vector<std::uint64_t> first_;
    std::vector<std::atomic<std::uint64_t>> bits_;
  };

  struct Chunk {
    std::byte* states;
    Index* parents;
    std::uint64_t* flaws;
  };

  // What there is instead of states and parents in a chunk of squeezed states: each has its parent
  // after it.
  struct Tight {
    std::byte* records;
    const Squeezed* form;
    Varied* varied;
    std::size_t stride;

    std::byte* record(std::size_t i) const { return records + i * stride; }
  };

  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kMostFetched = 4 * kLine;
  static constexpr Index kFirst = 1024;      // states that show which bits vary,
  static constexpr Index kFirstBlock = 256;  // and how many of them one may claim
  static constexpr std::size_t kRegion = std::size_t{1} << 20;  // memory for several chunks,
  static constexpr std::size_t kParts = 4;                      // at least so many

  // Chunks of about a megabyte, but not so small that there are very many of them.
  static unsigned bits_for(std::size_t bytes) {
    unsigned bits = 16;
    while (bits > 10 && (bytes << bits) > (std::size_t{1} << 20)) --bits;
    return bits;
  }

  Index within(Index index) const { return index & chunk_mask_; }
  const Chunk& chunk_of(Index index) const { return chunks_[index >> chunk_bits_]; }
  const Tight& tight_of(Index index) const { return tight_[index >> chunk_bits_]; }
  std::size_t offset(Index index) const { return std::size_t{within(index)} * layout_.bytes(); }
  const std::byte* address(Index index) const { return chunk_of(index).states + offset(index); }

  void add_chunk(Chunk& chunk) {
    const std::size_t size = largest_block();
    if (keeping_.squeezed) return add_squeezed();
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

  // -- squeezed states
  // -----------------------------------------------------------------------------

  bool put_squeezed(Index index, const std::uint64_t* words, Index parent) {
    const Tight& tight = tight_of(index);
    std::byte* const to = tight.record(within(index));
    if (!tight.form->pack(words, to)) return false;
    if (keeping_.parents) std::memcpy(to + tight.form->bytes(), &parent, sizeof parent);
    tight.varied->add(words);
    return true;
  }

  // Sees to it that a state fits into what is claimed next; returns how much of that there may be.
  Index make_fit(Index size, const std::uint64_t* words) {
    layout_.require_right_bits(words);
    if (forms_.empty()) {
      base_.assign(words, words + layout_.words());
      stored_ = layout_.all_bits();
      forms_.push_back(std::make_unique<Squeezed>(stored_, base_));
      watch_anew(words);
    }
    if (next_ < kFirst) return std::min(size, kFirstBlock);
    if (claimed_ >= due_) return narrow(words), size;
    std::vector<std::uint64_t> wanted = stored_;
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] |= words[i] ^ base_[i];
    if (wanted != stored_) begin_form(std::move(wanted));
    return size;
  }

  // From now on, stores what has varied lately.
  void narrow(const std::uint64_t* words) {
    varied_.back()->add(words);
    base_ = varied_.back()->first();
    begin_form(varied_.back()->bits());
    watch_anew(words);
  }

  void watch_anew(const std::uint64_t* words) {
    varied_.push_back(std::make_unique<Varied>(words, layout_.words()));
    due_ = std::max<std::uint64_t>(kFirst, 2 * claimed_);
  }

  void begin_form(std::vector<std::uint64_t> stored) {
    leave_chunk();
    stored_ = std::move(stored);
    forms_.push_back(std::make_unique<Squeezed>(stored_, base_));
  }

  // The rest of a chunk is nobody's: its memory is for the next one, its indices are lost.
  void leave_chunk() {
    if (within(next_) == 0) return;
    region_ = tight_of(next_).record(within(next_));
    next_ = (next_ | chunk_mask_) + 1;
  }

  void add_squeezed() {
    const Squeezed& form = *forms_.back();
    const std::size_t size = next_ < kFirst ? kFirst : largest_block();
    const std::size_t stride = form.bytes() + (keeping_.parents ? sizeof(Index) : 0);
    const std::size_t bytes = stride * size + Layout::kSlack;
    if (static_cast<std::size_t>(region_end_ - region_) < bytes) {
      const std::size_t more = std::max(bytes, next_ < kFirst ? 0 : kRegion);
      region_ = arena_.take_array<std::byte>(more);
      region_end_ = region_ + more;
    }
    tight_[next_ >> chunk_bits_] = {region_, &form, varied_.back().get(), stride};
    region_ += bytes;
    chunks_[next_ >> chunk_bits_] = {nullptr, nullptr,
                                     arena_.take_array<std::uint64_t>(largest_block() / 64)};
  }

  const Layout layout_;
  Arena& arena_;
  const Keeping keeping_;
  const std::size_t fetched_;  // bytes
  const unsigned chunk_bits_;
  const Index chunk_mask_;
  std::mutex mutex_;
  std::unique_ptr<Chunk[]> chunks_;
  std::unique_ptr<Tight[]> tight_;
  Index next_ = 0;
  Index oldest_ = 0;          // the first chunk whose states are there
  std::vector<Chunk> spare_;  // chunks whose states are not needed any more

  // For squeezed states.
  std::uint64_t claimed_ = 0;          // indices
  std::uint64_t due_ = 0;              // so many, until it is time to look again at what varies
  std::vector<std::uint64_t> stored_;  // the bits that the last form has
  std::vector<std::uint64_t> base_;    // and all others
  std::vector<std::unique_ptr<Squeezed>> forms_;
  std::vector<std::unique_ptr<Varied>> varied_;
  std::byte* region_ = nullptr;  // memory for chunks
  std::byte* region_end_ = nullptr;
};

}  // namespace secateur

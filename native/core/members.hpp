// A set of instances while it is closed under what its members demand.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reduction.hpp"

namespace secateur {

// Instances of a model, one bit each.
class Instances {
 public:
  explicit Instances(std::size_t size) : words_((size + 63) / 64) {}

  void clear() { std::ranges::fill(words_, 0); }
  void add(unsigned i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  bool empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }
  bool has(unsigned i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void add(std::span<const Chunk> chunks) {
    for (const auto [word, bits] : chunks) words_[word] |= bits;
  }
  void add(const Instances& others) {
    for (std::size_t word = 0; word < words_.size(); ++word) words_[word] |= others[word];
  }
  std::uint64_t operator[](std::size_t word) const { return words_[word]; }
  std::uint64_t& operator[](std::size_t word) { return words_[word]; }
  std::size_t words() const { return words_.size(); }

 private:
  std::vector<std::uint64_t> words_;
};

// How many bits are set.  The instruction for that is not there on every machine that we run on.
inline unsigned count_of(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<unsigned>(bits * 0x0101010101010101 >> 56);
}

// Calls something with each of the instances of a word, in ascending order.
template <class Call>
void for_each(std::size_t word, std::uint64_t bits, Call call) {
  for (; bits != 0; bits &= bits - 1) {
    call(static_cast<unsigned>(64 * word) + static_cast<unsigned>(std::countr_zero(bits)));
  }
}

// Something that was asked of a state while a set was closed: which of 64 instances happen, that
// become members or that do not; or which conjuncts of one instance are not true; what the answer
// was; and how many members that happen were known before.
struct Query {
  enum Kind : std::uint32_t { kJoining, kHappening, kUntrue };

  Kind kind;
  std::uint32_t at;  // the word, or the instance
  std::uint64_t mask;
  std::uint64_t answer;
  std::size_t count;
};

// The members of a set while it is closed: which instances they are, those whose demands have not
// been met yet, and how many of all happen.
class Members {
 public:
  Members(std::size_t size, const Instances& happens)
      : happens_(happens),
        members_(size),
        hopeless_(size),
        waiting_(std::make_unique<unsigned[]>(size)) {}

  // From now on, queries are written down there.
  void tell(std::vector<Query>& queries) { queries_ = &queries; }

  // To be called for each state.
  void forget() { hopeless_.clear(); }

  // Notes that no set with this member is small enough: all that was added is demanded by it.
  void give_up(unsigned first) { hopeless_.add(first); }

  // The same, of some that must not be members if they happen.
  void give_up(std::span<const Chunk> banned) { hopeless_.add(banned); }

  // Begins with some instances, which are taken up in ascending order; returns false if more than
  // `most` of them happen.
  bool begin(const Instances& first, std::size_t most) {
    top_ = 0;
    count_ = 0;
    for (std::size_t word = 0; word < members_.words(); ++word) {
      members_[word] = first[word];
      if (first[word] == 0) continue;
      const std::uint64_t happening = joining(word, first[word]);
      count_ += count_of(happening);
      if ((first[word] & hopeless_[word]) != 0) return false;
    }
    if (count_ > most) return false;
    for (std::size_t word = members_.words(); word-- != 0;) {
      for (std::uint64_t left = first[word]; left != 0;) {
        const auto highest = static_cast<unsigned>(63 - std::countl_zero(left));
        waiting_[top_++] = static_cast<unsigned>(64 * word) + highest;
        left ^= std::uint64_t{1} << highest;
      }
    }
    return true;
  }

  // Begins with one instance that happens.
  void begin(unsigned first) {
    members_.clear();
    members_.add(first);
    waiting_[0] = first;
    top_ = 1;
    count_ = 1;
  }

  // Adds what members demand, the latest of them first; `demanded` returns chunks for a member.
  // Returns false as soon as it is known that more than `most` will happen.
  template <class Demanded>
  bool close(std::size_t most, Demanded demanded) {
    while (top_ != 0) {
      if (!add(demanded(waiting_[--top_]), most)) return false;
    }
    return true;
  }

  bool add(std::span<const Chunk> row, std::size_t most) {
    unsigned* const waiting = waiting_.get();
    std::size_t top = top_;
    for (const auto [word, bits] : row) {
      const std::uint64_t fresh = bits & ~members_[word];
      if (fresh == 0) continue;
      if (const std::uint64_t happening = joining(word, fresh); happening != 0) {
        count_ += count_of(happening);
        if (count_ > most || (happening & hopeless_[word]) != 0) return false;
      }
      members_[word] |= fresh;
      for_each(word, fresh, [&](unsigned i) { waiting[top++] = i; });
    }
    top_ = top;
    return true;
  }

  // What it would cost to add a row, if one that happens costs `dearer` more.
  std::uint64_t cost(std::span<const Chunk> row, std::uint64_t dearer) const {
    std::uint64_t cost = 0;
    for (const auto [word, bits] : row) {
      const std::uint64_t fresh = bits & ~members_[word];
      if (fresh == 0) continue;
      cost += count_of(fresh) + dearer * count_of(fresh & happens_[word]);
    }
    return cost;
  }

  // Notes that it matters which of some instances happen that are no members, or which conjuncts of
  // an instance are not true.
  void note_happening(std::size_t word, std::uint64_t mask) const {
    note(Query::kHappening, word, mask, happens_[word] & mask);
  }
  void note_untrue(unsigned instance, std::uint64_t untrue) const {
    note(Query::kUntrue, instance, 0, untrue);
  }

  // Ends `close`, whatever is still demanded.
  void stop() { top_ = 0; }

  std::size_t count() const { return count_; }  // of members that happen
  const Instances& all() const { return members_; }

  // The members that happen, in ascending order.
  void chosen(std::vector<unsigned>& into) const {
    into.clear();
    for (std::size_t word = 0; word < members_.words(); ++word) {
      for_each(word, members_[word] & happens_[word], [&](unsigned i) { into.push_back(i); });
    }
  }

 private:
  // Which of some new members happen.
  std::uint64_t joining(std::size_t word, std::uint64_t mask) const {
    note(Query::kJoining, word, mask, happens_[word] & mask);
    return happens_[word] & mask;
  }

  void note(Query::Kind kind, std::size_t at, std::uint64_t mask, std::uint64_t answer) const {
    if (queries_ == nullptr) return;
    queries_->push_back({kind, static_cast<std::uint32_t>(at), mask, answer, count_});
  }

  const Instances& happens_;
  Instances members_;
  Instances hopeless_;
  std::unique_ptr<unsigned[]> waiting_;  // each instance is there once at most
  std::size_t top_ = 0;
  std::size_t count_ = 0;
  std::vector<Query>* queries_ = nullptr;
};

}  // namespace secateur

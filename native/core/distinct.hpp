// The different values that parts of the state have.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "hash.hpp"
#include "model.hpp"

namespace secateur {

// Those of one part: the bits of a mask.
class DistinctValues {
 public:
  explicit DistinctValues(const Words& mask) : mask_(mask), slots_(64) {
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] != 0) words_.push_back(i);
    }
    value_.resize(words_.size());
    if (words_.size() != 1) return;
    const std::uint64_t only = mask[words_[0]];
    shift_ = static_cast<unsigned>(std::countr_zero(only));
    if (std::bit_width(only >> shift_) <= kSmall) seen_.resize((only >> shift_) + 1);
  }

  void add(const std::uint64_t* state) {
    if (!seen_.empty()) {
      char& seen = seen_[(state[words_[0]] & mask_[words_[0]]) >> shift_];
      if (seen != 0) return;
      seen = 1;
    }
    bool same = count_ != 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t word = state[words_[i]] & mask_[words_[i]];
      same = same && word == value_[i];
      value_[i] = word;
    }
    if (!same) enter();  // often a value is that of the state before
  }

  std::size_t size() const { return count_; }
  const Words& mask() const { return mask_; }
  // The only word that the part has bits of, or nothing if there are several.
  std::optional<std::size_t> only_word() const {
    return words_.size() == 1 ? std::optional(words_[0]) : std::nullopt;
  }

  std::vector<Words> all() const {
    std::vector<Words> values(count_, Words(mask_.size()));
    for (std::size_t k = 0; k < count_; ++k) {
      for (std::size_t i = 0; i < words_.size(); ++i) values[k][words_[i]] = known(k)[i];
    }
    return values;
  }

 private:
  static constexpr int kSmall = 12;  // bits

  const std::uint64_t* known(std::size_t number) const {
    return values_.data() + number * words_.size();
  }

  void enter() {
    std::size_t at = hash_of<0>(value_.data(), value_.size());
    for (;; ++at) {
      const std::size_t found = slots_[at & (slots_.size() - 1)];
      if (found == 0) break;
      if (std::equal(value_.begin(), value_.end(), known(found - 1))) return;
    }
    values_.insert(values_.end(), value_.begin(), value_.end());
    slots_[at & (slots_.size() - 1)] = ++count_;
    if (2 * count_ > slots_.size()) grow();
  }

  void grow() {
    slots_.assign(4 * slots_.size(), 0);
    for (std::size_t k = 0; k < count_; ++k) {
      std::size_t at = hash_of<0>(known(k), words_.size());
      while (slots_[at & (slots_.size() - 1)] != 0) ++at;
      slots_[at & (slots_.size() - 1)] = k + 1;
    }
  }

  Words mask_;
  std::vector<std::size_t> words_;  // those that the mask has bits of
  Words value_;                     // of these words, in the state before
  Words values_;                    // of these words, one value after the other
  std::size_t count_ = 0;
  std::vector<char> seen_;          // by value, where a part is small
  unsigned shift_ = 0;              // likewise
  std::vector<std::size_t> slots_;  // number of the value + 1; 0 is free
};

// Those of many parts at once, as long as there are not more than `most` of one.  States have words
// in common with others: of a word that was seen lately, nothing in it is looked at again.
class DistinctParts {
 public:
  DistinctParts(const std::vector<Words>& masks, std::size_t words, std::size_t most)
      : most_(most), columns_(words) {
    for (const Words& mask : masks) {
      const std::size_t part = parts_.size();
      parts_.emplace_back(mask);
      const std::optional<std::size_t> word = parts_.back().only_word();
      (word ? columns_[*word].parts : spread_).push_back(part);
    }
    for (std::size_t i = 0; i < words; ++i) set_mask(i);
  }

  // Looks at a state; returns whether there is anything left to look at.
  bool add(const std::uint64_t* state) {
    bool left = !spread_.empty();
    if (left) add_to(spread_, state);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i];
      if (column.parts.empty()) continue;
      left = true;
      if (column.lately(state[i])) continue;
      if (add_to(column.parts, state)) set_mask(i);
    }
    return left;
  }

  // The values of each part, in the order of the masks; nothing where there are more than `most`.
  std::vector<std::optional<std::vector<Words>>> all() const {
    std::vector<std::optional<std::vector<Words>>> found;
    for (const DistinctValues& part : parts_) {
      found.push_back(part.size() > most_ ? std::nullopt : std::optional(part.all()));
    }
    return found;
  }

 private:
  static constexpr unsigned kRecentBits = 10;

  // The parts that are in one word.
  struct Column {
    std::vector<std::size_t> parts;
    std::uint64_t mask = 0;  // of all of them
    Words recent;            // values of the word, each at the place that its hash says

    // Whether the parts had these values lately; from now on they have.
    bool lately(std::uint64_t whole) {
      const std::uint64_t word = whole & mask;
      if (recent.empty()) {
        recent.resize(std::size_t{1} << kRecentBits);
        recent[place_of(0)] = 1;  // what is at another place was not seen
      }
      std::uint64_t& before = recent[place_of(word)];
      const bool known = before == word;
      before = word;
      return known;
    }

    static std::size_t place_of(std::uint64_t word) { return mixed(word) >> (64 - kRecentBits); }
  };

  // Returns whether one of the parts has too many values now, and is one of them no more.
  bool add_to(std::vector<std::size_t>& parts, const std::uint64_t* state) {
    return std::erase_if(parts, [&](std::size_t part) {
             parts_[part].add(state);
             return parts_[part].size() > most_;
           }) != 0;
  }

  void set_mask(std::size_t word) {
    Column& column = columns_[word];
    column.mask = 0;
    for (const std::size_t part : column.parts) column.mask |= parts_[part].mask()[word];
  }

  const std::size_t most_;
  std::vector<DistinctValues> parts_;
  std::vector<Column> columns_;      // by word
  std::vector<std::size_t> spread_;  // parts with bits of several words, or none
};

}  // namespace secateur

// The different values that parts of the state have.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
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

// Those of many parts at once, as long as there are not more than `most` of one.
//
// Most parts vary in a few bits that are side by side, and several of them do so in a dozen: such a
// window of a word is a number, and a table says which of these were there.  It is looked at for
// many states at once, as long as it is near.  Which bits vary, the states show: one that differs
// from the first in another bit makes the windows of its word anew.
//
// What varies in more bits shares its word with other states: where that was seen lately, nothing
// in it is looked at again.
class DistinctParts {
 public:
  DistinctParts(const std::vector<Words>& masks, std::size_t words, std::size_t most)
      : most_(most), columns_(words), steady_(words), rows_(words * waiting(words)) {
    for (const Words& mask : masks) {
      const std::size_t part = parts_.size();
      parts_.emplace_back(mask);
      const std::optional<std::size_t> word = parts_.back().only_word();
      (word ? columns_[*word].parts : spread_).push_back(part);
      if (word) columns_[*word].mask |= mask[*word];
    }
    left_ = parts_.size();
    dropped_.resize(left_);
  }

  // Where the words of the next state go.
  std::uint64_t* next() { return rows_.data() + count_ * words(); }

  // Looks at the state that is there, sooner or later; returns whether there is anything left to
  // look at.
  bool add() {
    if (++count_ == rows_.size() / words()) look();
    return left_ != 0;
  }

  // The values of each part, in the order of the masks; nothing where there are more than `most`.
  std::vector<std::optional<std::vector<Words>>> all() {
    look();
    for (const Column& column : columns_) tell(column);
    std::vector<std::optional<std::vector<Words>>> found;
    for (const DistinctValues& part : parts_) {
      found.push_back(part.size() > most_ ? std::nullopt : std::optional(part.all()));
    }
    return found;
  }

 private:
  static constexpr unsigned kRecentBits = 10;
  static constexpr unsigned kWidest = 12;  // bits of a window

  // How many states may wait: so many that they stay in the cache.
  static std::size_t waiting(std::size_t words) {
    return std::clamp<std::size_t>(2048 / words, 16, 256);
  }

  // Bits of a word side by side, in which one part or several vary.
  struct Window {
    unsigned shift;
    unsigned width;
    std::vector<std::size_t> parts;
    std::vector<std::uint8_t> seen;  // by value

    std::size_t size() const { return std::size_t{1} << width; }
  };

  // The parts that are in one word.
  struct Column {
    std::vector<std::size_t> parts;
    std::uint64_t mask = 0;         // of all of them
    std::vector<Window> windows;    // of those that vary in a few bits
    std::vector<std::size_t> wide;  // those that vary in more
    std::uint64_t wide_mask = 0;
    Words recent;  // values of the word, as far as these go, each at the place that its hash says

    // Whether the wide parts had these values lately; from now on they have.
    bool lately(std::uint64_t whole) {
      const std::uint64_t word = whole & wide_mask;
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

  std::size_t words() const { return columns_.size(); }

  // Looks at the states that are waiting.
  void look() {
    if (count_ == 0) return;
    if (first_.empty()) begin(rows_.data());
    for (std::size_t i = 0; i < words(); ++i) {
      const std::uint64_t unheard = differing(i) & steady_[i];
      if (unheard != 0) widen(i, unheard);
      for (Window& window : columns_[i].windows) look_at(window, rows_.data() + i);
      if (!columns_[i].wide.empty()) look_at_wide(i);
    }
    for (std::size_t k = 0; k < count_ && !spread_.empty(); ++k) {
      add_to(spread_, rows_.data() + k * words());
    }
    count_ = 0;
  }

  void begin(const std::uint64_t* state) {
    first_.assign(state, state + words());
    for (std::size_t i = 0; i < words(); ++i) {
      steady_[i] = columns_[i].mask;
      add_to(columns_[i].parts, state);
    }
  }

  // The bits of a word in which states differ from the first.
  std::uint64_t differing(std::size_t word) const {
    std::uint64_t different = 0;
    const std::uint64_t* from = rows_.data() + word;
    for (std::size_t k = 0; k < count_; ++k, from += words()) different |= *from ^ first_[word];
    return different;
  }

  // `from` is the word of the first state.
  void look_at(Window& window, const std::uint64_t* from) const {
    std::uint8_t* const seen = window.seen.data();
    const std::uint64_t low = window.size() - 1;
    std::uint8_t known = 1;
    const std::uint64_t* each = from;
    for (std::size_t k = 0; k < count_; ++k, each += words()) {
      known &= seen[*each >> window.shift & low];
    }
    if (known != 0) [[likely]]
      return;
    for (std::size_t k = 0; k < count_; ++k, from += words()) seen[*from >> window.shift & low] = 1;
  }

  void look_at_wide(std::size_t word) {
    Column& column = columns_[word];
    const std::uint64_t* state = rows_.data();
    for (std::size_t k = 0; k < count_ && !column.wide.empty(); ++k, state += words()) {
      if (column.lately(state[word])) continue;
      if (add_to(column.wide, state)) set_wide_mask(word);
    }
  }

  // From now on, more bits of a word vary.
  void widen(std::size_t word, std::uint64_t unheard) {
    tell(columns_[word]);
    steady_[word] &= ~unheard;
    divide(word);
  }

  // Finds out in which windows the parts of a word vary.
  void divide(std::size_t word) {
    Column& column = columns_[word];
    column.windows.clear();
    column.wide.clear();
    const std::uint64_t varying = ~steady_[word];
    const auto varied = [&](std::size_t part) { return parts_[part].mask()[word] & varying; };
    std::ranges::sort(column.parts, {}, [&](std::size_t part) {
      return std::pair(std::countr_zero(varied(part)), part);
    });
    for (const std::size_t part : column.parts) {
      if (varied(part) != 0 && !dropped_[part]) put(column, part, varied(part));
    }
    for (Window& window : column.windows) window.seen.resize(window.size());
    set_wide_mask(word);
  }

  // Puts a part into the last window of a word if there is room, else into one of its own.
  static void put(Column& column, std::size_t part, std::uint64_t varied) {
    const auto low = static_cast<unsigned>(std::countr_zero(varied));
    const auto end = static_cast<unsigned>(std::bit_width(varied));
    if (end - low > kWidest) {
      column.wide.push_back(part);
    } else if (column.windows.empty() || end - column.windows.back().shift > kWidest) {
      column.windows.push_back({low, end - low, {part}, {}});
    } else {
      Window& last = column.windows.back();
      last.width = std::max(last.width, end - last.shift);
      last.parts.push_back(part);
    }
  }

  // Tells parts what was seen in the windows of their word.
  void tell(const Column& column) {
    for (const Window& window : column.windows) {
      Words state = first_;
      std::uint64_t& word = state[static_cast<std::size_t>(&column - columns_.data())];
      const std::uint64_t others = word & ~((window.size() - 1) << window.shift);
      for (std::size_t value = 0; value < window.size(); ++value) {
        if (window.seen[value] == 0) continue;
        word = others | std::uint64_t{value} << window.shift;
        for (const std::size_t part : window.parts) parts_[part].add(state.data());
      }
    }
  }

  // Returns whether one of the parts has too many values now, and is one of them no more.
  bool add_to(std::vector<std::size_t>& parts, const std::uint64_t* state) {
    const auto dropped = std::erase_if(parts, [&](std::size_t part) {
      parts_[part].add(state);
      if (parts_[part].size() > most_) dropped_[part] = true;
      return static_cast<bool>(dropped_[part]);
    });
    left_ -= dropped;
    return dropped != 0;
  }

  void set_wide_mask(std::size_t word) {
    Column& column = columns_[word];
    column.wide_mask = 0;
    column.recent.clear();
    for (const std::size_t part : column.wide) column.wide_mask |= parts_[part].mask()[word];
  }

  const std::size_t most_;
  std::vector<DistinctValues> parts_;
  std::vector<Column> columns_;      // by word
  std::vector<std::size_t> spread_;  // parts with bits of several words, or none
  std::vector<bool> dropped_;        // by part: whether it has too many values
  std::size_t left_ = 0;             // parts that have not
  Words first_;                      // the first state
  Words steady_;                     // the bits of parts that have not varied
  Words rows_;                       // states that are waiting, one after the other
  std::size_t count_ = 0;            // of them
};

}  // namespace secateur

// The automaton of a formula, made as letters come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "watched.hpp"

namespace secateur {

using Place = std::uint32_t;  // a state of the automaton; 0 is where it begins

// A way on: the next place, and the marks that it gets.
struct Way {
  Place place;
  std::uint64_t kept;
};

// Whoever knows the automaton; what is asked once is not asked again.
class Automaton {
 public:
  Automaton() = default;
  Automaton(const Automaton&) = delete;
  Automaton& operator=(const Automaton&) = delete;
  virtual ~Automaton() = default;

  virtual std::vector<Way> ways(Place place, Letter letter) = 0;
  // Whether a path may end at a place, with this letter.
  virtual bool ends(Place place, Letter letter) = 0;
  // Whether it does not matter how a path goes on from a place.
  virtual bool done(Place place) = 0;
};

// The answers of an automaton.
class Ways {
 public:
  explicit Ways(Automaton& automaton) : automaton_(automaton) {}

  std::span<const Way> of(Place place, const Label& label) {
    Entry& entry = entry_of(ways_, place, label.letter_number);
    if (!entry.known) [[unlikely]] {
      const std::vector<Way> found = automaton_.ways(place, label.letter);
      entry = {true, static_cast<std::uint32_t>(pool_.size()),
               static_cast<std::uint32_t>(found.size())};
      pool_.insert(pool_.end(), found.begin(), found.end());
    }
    return {pool_.data() + entry.begin, entry.count};
  }

  bool ends(Place place, const Label& label) {
    Entry& entry = entry_of(ends_, place, label.letter_number);
    if (!entry.known) entry = {true, automaton_.ends(place, label.letter) ? 1u : 0u, 0};
    return entry.begin != 0;
  }

  bool done(Place place) {
    if (done_.size() <= place) done_.resize(place + 1, kUnknown);
    if (done_[place] == kUnknown) done_[place] = automaton_.done(place) ? 1 : 0;
    return done_[place] == 1;
  }

 private:
  static constexpr std::uint8_t kUnknown = 2;

  struct Entry {
    bool known = false;
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  using Entries = std::vector<std::vector<Entry>>;  // by place, then by number of the letter

  static Entry& entry_of(Entries& entries, Place place, std::uint32_t letter) {
    if (entries.size() <= place) [[unlikely]]
      entries.resize(place + 1);
    std::vector<Entry>& row = entries[place];
    if (row.size() <= letter) [[unlikely]]
      row.resize(letter + 1);
    return row[letter];
  }

  Automaton& automaton_;
  Entries ways_;
  Entries ends_;
  std::vector<Way> pool_;
  std::vector<std::uint8_t> done_;
};

}  // namespace secateur

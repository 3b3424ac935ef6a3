// What was counted and found.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluator.hpp"
#include "store.hpp"

namespace secateur {

// In how many states something was seen, and in which first.
struct Sighting {
  std::uint64_t count = 0;
  Index first = kNone;

  void add(Index index) {
    if (count++ == 0) first = index;
  }
  void merge(const Sighting& later) {
    if (count == 0) first = later.first;
    count += later.count;
  }
};

struct Tally {
  Tally() = default;
  Tally(std::size_t actions, std::size_t properties)
      : transitions(actions), fresh(actions), violations(properties) {}

  std::vector<std::uint64_t> transitions;  // by action
  std::vector<std::uint64_t> fresh;        // those of them that led to a new state
  std::vector<Sighting> violations;        // by property
  std::vector<Sighting> notes;             // by note
  Sighting deadlocks;

  void add_note(Note note, Index index) {
    if (note >= notes.size()) notes.resize(note + 1);
    notes[note].add(index);
  }

  template <class Visit>
  void each(Visit visit) {
    for (Sighting& sighting : violations) visit(sighting);
    for (Sighting& sighting : notes) visit(sighting);
    visit(deadlocks);
  }

  // Adds what another worker found at the same time or later, and empties it.
  void absorb(Tally& other) {
    for (std::size_t i = 0; i < transitions.size(); ++i) transitions[i] += other.transitions[i];
    for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i] += other.fresh[i];
    for (std::size_t i = 0; i < violations.size(); ++i) violations[i].merge(other.violations[i]);
    if (notes.size() < other.notes.size()) notes.resize(other.notes.size());
    for (std::size_t i = 0; i < other.notes.size(); ++i) notes[i].merge(other.notes[i]);
    deadlocks.merge(other.deadlocks);
    other = Tally(transitions.size(), violations.size());
  }
};

}  // namespace secateur

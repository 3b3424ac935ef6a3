// What a temporal formula is about: the atoms of its letters, and the events that it names.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "hash.hpp"

namespace secateur {

using Events = std::uint64_t;  // a bit for each event that a formula names
using Letter = std::uint64_t;  // a bit for each atom

struct Atom {
  enum class Kind { kProperty, kEvent, kCount, kDeadlock, kSink };

  Kind kind;
  unsigned number = 0;           // of the property or of the event
  Events events = 0;             // of which those that are enabled are counted
  unsigned least = 0, most = 0;  // how many there must be
};

struct Watched {
  std::vector<Atom> atoms;  // by bit of a letter
  // By action: the events that it is whatever its arguments are, and those that its marks tell.
  std::vector<Events> always;
  std::vector<Events> marked;
  std::vector<unsigned> weak;    // the events that somebody is weakly fair to
  std::vector<unsigned> strong;  // the same, strongly
  unsigned untils = 0;           // the marks of the automaton; those of weak fairness follow

  std::uint64_t all_marks() const {
    const std::size_t count = untils + weak.size();
    return count == 64 ? ~0ull : (1ull << count) - 1;
  }

  void require_room() const {
    if (atoms.size() > 64 || untils + weak.size() > 64 || strong.size() > 64) {
      throw std::invalid_argument("more than 64 of a kind");
    }
  }
};

// What a step out of a state says: which atoms hold; which marks of weak fairness it has; which
// strongly fair events happen, and which are enabled in the state.
struct Label {
  Letter letter;
  std::uint32_t letter_number;
  std::uint64_t fair;
  std::uint64_t taken;
  std::uint64_t enabled;
};

// Numbers for labels: there are few different ones.
class Labels {
 public:
  explicit Labels(const Watched& watched) : watched_(watched) {
    for (const Atom& atom : watched.atoms) {
      if (atom.kind == Atom::Kind::kEvent) telling_ |= Events{1} << atom.number;
    }
    for (const unsigned event : watched.weak) fair_ |= Events{1} << event;
    for (const unsigned event : watched.strong) fair_ |= Events{1} << event;
    telling_ |= fair_;
    slots_.resize(kFirstSlots);
  }

  // The labels asked for from now on are those of a state in which these atoms hold and these
  // events are enabled.
  void begin(Letter letter, Events enabled) {
    enabled &= fair_;
    if (letter == letter_ && enabled == enabled_) return;
    known_ = false;
    letter_ = letter;
    enabled_ = enabled;
    enabled_weak_ = gathered(watched_.weak, enabled);
    enabled_strong_ = gathered(watched_.strong, enabled);
    base_ = mixed(mixed(mixed(letter) ^ enabled_weak_) ^ enabled_strong_);
  }

  // The number of the label of a step that is these events.
  std::uint32_t of(Events events) {
    events &= telling_;
    if (known_ && events == last_events_) return last_;
    last_events_ = events;
    last_ = find(events);
    known_ = true;
    return last_;
  }

  const Label& operator[](std::uint32_t number) const { return all_[number]; }
  std::size_t letters() const { return letters_.size(); }

 private:
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::uint32_t kEmpty = 0;

  static std::uint64_t gathered(const std::vector<unsigned>& wanted, Events events) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) found |= (events >> wanted[i] & 1) << i;
    return found;
  }

  std::uint32_t find(Events events) {
    const Label wanted = label_of(events);
    const std::uint64_t hash = mixed(base_ ^ events);
    for (std::uint64_t at = hash;; ++at) {
      const std::uint32_t slot = slots_[at & (slots_.size() - 1)];
      if (slot == kEmpty) return add(wanted, hash);
      if (hashes_[slot - 1] == hash && same(all_[slot - 1], wanted)) return slot - 1;
    }
  }

  static bool same(const Label& a, const Label& b) {
    return a.letter == b.letter && a.fair == b.fair && a.taken == b.taken && a.enabled == b.enabled;
  }

  Label label_of(Events events) const {
    Letter letter = letter_;
    for (std::size_t i = 0; i < watched_.atoms.size(); ++i) {
      const Atom& atom = watched_.atoms[i];
      if (atom.kind == Atom::Kind::kEvent) letter |= (events >> atom.number & 1) << i;
    }
    const std::uint64_t weak = gathered(watched_.weak, events) | ~enabled_weak_;
    const std::uint64_t fair = watched_.weak.empty() ? 0 : weak << watched_.untils;
    return {letter, 0, fair & watched_.all_marks(), gathered(watched_.strong, events),
            enabled_strong_};
  }

  std::uint32_t add(Label label, std::uint64_t hash) {
    const auto fresh = static_cast<std::uint32_t>(letters_.size());
    label.letter_number = letters_.try_emplace(label.letter, fresh).first->second;
    all_.push_back(label);
    hashes_.push_back(hash);
    if (2 * all_.size() > slots_.size()) {
      slots_.assign(4 * slots_.size(), kEmpty);
      for (std::uint32_t i = 0; i + 1 < all_.size(); ++i) enter(i);
    }
    const auto number = static_cast<std::uint32_t>(all_.size() - 1);
    enter(number);
    return number;
  }

  void enter(std::uint32_t number) {
    std::uint64_t at = hashes_[number];
    while (slots_[at & (slots_.size() - 1)] != kEmpty) ++at;
    slots_[at & (slots_.size() - 1)] = number + 1;
  }

  const Watched& watched_;
  Events fair_ = 0;     // the events that somebody is fair to
  Events telling_ = 0;  // these, and those that atoms are about
  std::vector<Label> all_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // number + 1
  std::unordered_map<Letter, std::uint32_t> letters_;
  Letter letter_ = 0;
  Events enabled_ = 0;
  std::uint64_t enabled_weak_ = 0;
  std::uint64_t enabled_strong_ = 0;
  std::uint64_t base_ = 0;
  bool known_ = false;  // whether there is a last label of this state
  Events last_events_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace secateur

// The things that may be noted about a state, known to the evaluator by number.
#pragma once

#include <deque>
#include <mutex>

#include "evaluator.hpp"

namespace secateur {

class Notes {
 public:
  // Returns the number of a new note; with `stops`, a search that looks for errors ends there.
  Note add(bool stops) {
    const std::lock_guard lock(mutex_);
    stops_.push_back(stops);
    return static_cast<Note>(stops_.size() - 1);
  }

  bool stops(Note note) const {
    const std::lock_guard lock(mutex_);
    return stops_.at(note);
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return stops_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<bool> stops_;
};

}  // namespace secateur

// Searches: the order in which states are expanded, and by whom.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "team.hpp"
#include "worker.hpp"

namespace secateur {

// What a search leaves behind.
struct Outcome {
  Tally tally;
  std::vector<Range> found;      // all states
  std::map<Index, Words> first;  // the states first seen of each kind, where parents are not kept
  std::vector<Edge> edges;
  Pruned pruned;
  std::atomic<std::uint64_t> depth{0};
};

// How a search ends where something is thrown.
inline Ending ending_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  // More states than can be counted.
  const bool too_many = dynamic_cast<const std::length_error*>(&error) != nullptr;
  return memory || too_many ? Ending::kMemory : Ending::kError;
}

// Runs a search, and collects what it found, however it ends.
template <class Body, class Collect>
void finally(Watch& watch, Body body, Collect collect) {
  try {
    body();
    watch.stop(Ending::kComplete);
  } catch (const std::exception& error) {
    const Ending ending = ending_of(error);
    watch.stop(ending);
    collect();
    if (ending == Ending::kError) throw;
    return;
  }
  collect();
}

// Breadth-first, level by level: each level is finished before the search stops at an error, so
// that what is found depends neither on the order within a level nor on the number of threads.
template <class Form, bool Threads, class Bucket>
class BreadthFirst {
 public:
  BreadthFirst(Space& space, StateTable<Bucket, Threads>& table, std::span<Progress> progress,
               Outcome& outcome)
      : space_(space), outcome_(outcome), team_(static_cast<unsigned>(progress.size())) {
    for (Progress& p : progress) {
      workers_.emplace_back(space, table, p, nullptr, workers_.empty());
    }
  }

  void run(const std::vector<Words>& initial) {
    finally(
        space_.watch, [&] { explore(initial); },
        [&] {
          next_level();
          for (auto& worker : workers_) {
            const std::deque<Edge>& edges = worker.edges();
            outcome_.edges.insert(outcome_.edges.end(), edges.begin(), edges.end());
          }
        });
  }

 private:
  static constexpr Index kShare = 256;

  void explore(const std::vector<Words>& initial) {
    for (const Words& state : initial) {
      if (!space_.watch.stopped()) workers_.front().add_initial(state.data());
    }
    std::vector<Range> level = next_level();
    while (!level.empty() && !space_.watch.stopped()) {
      expand(level);
      level = next_level();
      if (!level.empty()) outcome_.depth.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // Ends a level: collects what was found, and looks whether that is enough.
  std::vector<Range> next_level() {
    std::vector<Range> level;
    for (auto& worker : workers_) {
      outcome_.tally.absorb(worker.tally());
      outcome_.pruned.absorb(worker.take_pruned());
      if (worker.error()) space_.watch.stop(Ending::kViolation);
      const std::vector<Range> found = worker.take_found();
      level.insert(level.end(), found.begin(), found.end());
    }
    if (!space_.store.keeps_parents()) remember_first();
    if (!space_.store.keeps_states()) forget_before(level);
    for (const Range& range : level) {
      // With one thread, what follows is adjacent: a deep search must not leave a range for each
      // level.
      auto& all = outcome_.found;
      if (!all.empty() && all.back().end == range.begin) {
        all.back().end = range.end;
      } else if (range.begin != range.end) {
        all.push_back(range);
      }
    }
    return level;
  }

  // What was seen first is in the level just expanded or in the one just found.
  void remember_first() {
    outcome_.tally.each([this](const Sighting& seen) {
      if (seen.count != 0 && !outcome_.first.contains(seen.first)) {
        outcome_.first.emplace(seen.first, workers_.front().state(seen.first));
      }
    });
  }

  void forget_before(const std::vector<Range>& level) {
    if (level.empty()) return;
    const auto begin = [](const Range& range) { return range.begin; };
    space_.store.forget_before(std::ranges::min(level, {}, begin).begin);
  }

  void expand(const std::vector<Range>& level) {
    if constexpr (Threads) {
      std::vector<Range> shares = divided(level);
      if (shares.size() > 1) {
        std::atomic<std::size_t> next{0};
        team_.together([&](unsigned member) { expand(workers_[member], shares, next); });
        return;
      }
    }
    std::atomic<std::size_t> next{0};
    expand(workers_.front(), level, next);
  }

  void expand(Worker<Form, Threads, Bucket>& worker, const std::vector<Range>& shares,
              std::atomic<std::size_t>& next) {
    try {
      for (std::size_t i = next++; i < shares.size(); i = next++) {
        for (Index index = shares[i].begin; index != shares[i].end; ++index) {
          worker.expand(index);
          if (space_.watch.stopped()) return;
        }
      }
      worker.flush();
    } catch (const std::exception& error) {
      space_.watch.stop(ending_of(error));  // for the others
      throw;
    }
  }

  static std::vector<Range> divided(const std::vector<Range>& level) {
    std::vector<Range> shares;
    for (Range range : level) {
      for (; range.size() > kShare; range.begin += kShare) {
        shares.push_back({range.begin, range.begin + kShare});
      }
      shares.push_back(range);
    }
    return shares;
  }

  Space& space_;
  Outcome& outcome_;
  std::deque<Worker<Form, Threads, Bucket>> workers_;
  Team team_;
};

// What a search that looks at one state at a time leaves behind.
template <class OneWorker>
void collect(OneWorker& worker, Outcome& outcome) {
  outcome.tally.absorb(worker.tally());
  outcome.pruned.absorb(worker.take_pruned());
  outcome.found = worker.take_found();
  outcome.edges.assign(worker.edges().begin(), worker.edges().end());
}

// One state at a time, as the open set decides; stops at once at an error.
template <class OneWorker>
void search_by(OpenSet& open, OneWorker& worker, Space& space, Outcome& outcome,
               const std::vector<Words>& initial) {
  finally(
      space.watch,
      [&] {
        for (const Words& state : initial) {
          if (!space.watch.stopped()) worker.add_initial(state.data());
        }
        if (worker.error()) space.watch.stop(Ending::kViolation);
        while (open.size() != 0 && !space.watch.stopped()) {
          worker.expand(open.pop());
          worker.flush();
        }
      },
      [&] { collect(worker, outcome); });
}

// Depth-first search proper, the twin of engine/search/path.py: a state is expanded when the search
// comes to it, and what leads out of it is followed one by one.  The open set has at most one
// state, the one that was found last.
template <class OneWorker>
void search_along_paths(OpenSet& open, OneWorker& worker, Space& space, Outcome& outcome,
                        const std::vector<Words>& initial) {
  Path path(space.model.words);
  const Watch& watch = space.watch;
  const auto follow = [&] {
    while (!path.empty() && !watch.stopped()) {
      if (path.pending()) {
        worker.follow(path);
      } else {
        worker.ascend(path);
      }
      if (open.size() != 0 && !watch.stopped()) worker.descend(open.pop(), path);
    }
  };
  finally(
      space.watch,
      [&] {
        for (const Words& state : initial) {
          if (watch.stopped()) break;
          worker.add_initial(state.data());
          if (worker.error()) space.watch.stop(Ending::kViolation);
          if (open.size() != 0 && !watch.stopped()) worker.descend(open.pop(), path);
          follow();
        }
      },
      [&] { collect(worker, outcome); });
}

}  // namespace secateur

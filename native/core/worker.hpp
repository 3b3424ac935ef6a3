// One thread's part of a search: it expands states, and enters what is new.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "batch.hpp"
#include "checker.hpp"
#include "expander.hpp"
#include "hash.hpp"
#include "open_set.hpp"
#include "oracle.hpp"
#include "store.hpp"
#include "table.hpp"
#include "tally.hpp"
#include "watch.hpp"

namespace secateur {

struct Edge {
  Index source;
  unsigned action;
  Index target;
};

// What all workers share.
struct Space {
  const Model& model;
  Store& store;
  Memos& memos;
  Evaluator& evaluator;
  Watch& watch;
  const Notes& notes;
  bool keep_edges;
  std::atomic<std::uint64_t> granted{0};  // states that threads may add, if these are limited
};

// What is known when this is compiled: the number of words of a state, or else 0; whether there
// are several threads; and what is in a bucket of the table.
template <unsigned W, bool Threads, class Bucket>
class Worker {
 public:
  // With `open`, states found are put there, and the search stops at once at an error.  One of
  // the workers is the leader, who lets the evaluator have a word now and then.
  Worker(Space& space, Table<Bucket>& table, Progress& progress, OpenSet* open, bool leader)
      : space_(space),
        store_(space.store),
        table_(table),
        progress_(progress),
        open_(open),
        leader_(leader),
        tally_(space.model.steps.size(), space.model.checks.size()),
        oracle_(space.memos, space.evaluator, space.watch),
        expander_(space.model, oracle_),
        checker_(space.model, space.notes, oracle_, tally_),
        batch_(space.model.stride),
        state_(space.model.words) {}

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void add_initial(const std::uint64_t* state) {
    if ((state[0] & ~store_.layout().first_word()) != 0) Layout::throw_wrong_bits();
    const std::uint64_t hash = hash_of<W>(state, words());
    const Found found = look_up(hash, state, kNone);
    if (found.added) check(space_.model.whole, state, found.index);
  }

  // Expands a state, sooner or later; `flush` finishes it.
  void expand(Index index) {
    store_.template get<W>(index, state_.data());
    expander_.expand(state_.data(), index, batch_);
    if (batch_.full()) flush();
  }

  // Enters the successors that are waiting.
  void flush() {
    hash_all();
    std::size_t successor = 0;
    std::size_t note = 0;
    std::size_t finished = 0;
    for (const Source& source : batch_.sources) {
      const bool stuck = successor == source.successors_end && note == source.notes_end;
      successor = enter(successor, source);
      if (successor < source.successors_end || space_.watch.stopped()) break;
      finish(source.index, stuck, note, source.notes_end);
      note = source.notes_end;
      ++finished;
      if (stopping()) break;
    }
    count(successor);
    Progress::add(progress_.expanded, finished);
    batch_.clear();
    space_.watch.look(outside());
    if (leader_) space_.watch.poll(space_.evaluator);
  }

  // The states found since the last call.
  std::vector<Range> take_found() {
    std::vector<Range> taken;
    taken.swap(found_);
    if (next_ != end_) found_.push_back({next_, next_});
    std::erase_if(taken, [](const Range& r) { return r.size() == 0; });
    return taken;
  }

  Tally& tally() { return tally_; }
  bool error() const { return checker_.error(); }
  const std::deque<Edge>& edges() const { return edges_; }

 private:
  // What buckets ask about the state that they look for.
  struct Known {
    const Store& store;
    const std::uint64_t* words;

    bool same(Index index) const { return store.template same<W>(index, words); }
  };

  // What the table asks about a state that it may have to add.
  struct Candidate : Known {
    Worker& worker;
    Index parent;

    void prefetch(Index index) const { this->store.prefetch(index); }
    std::uint64_t hash(Index index) const { return worker.hash_of_stored(index); }
    Index make() const { return worker.append(this->words, parent); }
  };

  std::size_t words() const { return W == 0 ? space_.model.words : W; }

  std::uint64_t hash_of_stored(Index index) {
    std::uint64_t fixed[W == 0 ? 1 : W];
    std::uint64_t* const to = W == 0 ? rehashed_buffer() : fixed;
    store_.template get<W>(index, to);
    return hash_of<W>(to, words());
  }

  std::uint64_t* rehashed_buffer() {
    rehashed_.resize(words());
    return rehashed_.data();
  }

  Found look_up(std::uint64_t hash, const std::uint64_t* state, Index parent) {
    return table_.template find_or_add<Threads>(hash, Candidate{{store_, state}, *this, parent});
  }

  // Appends a state, or returns kNone where there are as many as there may be.
  Index append(const std::uint64_t* state, Index parent) {
    if (!may_add()) {
      space_.watch.stop(Ending::kStates);
      return kNone;
    }
    if (next_ == end_) {
      const Range block = store_.claim(Threads ? kBlock : store_.largest_block());
      next_ = block.begin;
      end_ = block.end;
      found_.push_back({next_, next_});
    }
    store_.template put<W>(next_, state, parent);
    Progress::add(progress_.states, 1);
    found_.back().end = next_ + 1;
    return next_++;
  }

  bool may_add() {
    const std::uint64_t limit = space_.watch.limits().states;
    if constexpr (Threads) {
      if (limit == Limits().states) return true;
      return space_.granted.fetch_add(1, std::memory_order_relaxed) < limit;
    }
    return progress_.states.load(std::memory_order_relaxed) < limit;
  }

  void hash_all() {
    const std::size_t count = batch_.successors();
    if (hashes_.size() < count) {
      hashes_.resize(count);
      homes_.resize(count);
    }
    std::uint64_t* const hashes = hashes_.data();
    const Bucket** const homes = homes_.data();
    const Successor* const successors = batch_.successor(0);
    const std::uint64_t* const records = batch_.records();
    const std::size_t n = words();
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* const state = records + successors[i].offset;
      any |= state[0];
      const std::uint64_t hash = hash_of<W>(state, n);
      const Bucket& home = table_.home(hash);
      __builtin_prefetch(&home);
      hashes[i] = hash;
      homes[i] = &home;
    }
    // A bucket of words would not notice.
    if ((any & ~store_.layout().first_word()) != 0) Layout::throw_wrong_bits();
  }

  // Enters the successors of a source from `first` on; returns where it ended.
  std::size_t enter(std::size_t first, const Source& source) {
    const bool all = space_.keep_edges;
    const Store& store = store_;
    const std::uint64_t* const hashes = hashes_.data();
    const Bucket* const* const homes = homes_.data();
    const Successor* const successors = batch_.successor(0);
    const std::uint64_t* const records = batch_.records();
    for (std::size_t i = first; i < source.successors_end; ++i) {
      const std::uint64_t* const state = records + successors[i].offset;
      const Known known{store, state};
      if (!all && homes[i]->find(hashes[i], known) != kNone) continue;
      if (!enter_one(i, source.index)) return i + 1;
    }
    return source.successors_end;
  }

  // Enters a successor that is likely to be new; returns whether to go on.
  [[gnu::noinline]] bool enter_one(std::size_t i, Index source) {
    const std::uint64_t* const state = batch_.state(i);
    const Found found = look_up(hashes_[i], state, source);
    if (found.index == kNone) return false;
    if (space_.keep_edges) edges_.push_back({source, batch_.action(i), found.index});
    if (!found.added) return true;
    const Model& model = space_.model;
    const bool known_good = !store_.flawed(source);
    check(known_good ? model.after[batch_.action(i)] : model.whole, state, found.index);
    return !stopping();
  }

  // Counts the first transitions of the batch.
  void count(std::size_t transitions) {
    std::uint64_t* const by_action = tally_.transitions.data();
    for (std::size_t i = 0; i < transitions; ++i) ++by_action[batch_.action(i)];
    Progress::add(progress_.transitions, transitions);
  }

  void check(const CheckPlan& plan, const std::uint64_t* state, Index index) {
    if (!checker_.check(plan, state, index)) store_.mark_flawed(index);
    if (open_ != nullptr) open_->push(index);
  }

  // All successors of a state are known.
  void finish(Index index, bool stuck, std::size_t note, std::size_t notes_end) {
    if (stuck) checker_.deadlock(index);
    if (note == notes_end) return;
    noted_.assign(batch_.notes.begin() + static_cast<std::ptrdiff_t>(note),
                  batch_.notes.begin() + static_cast<std::ptrdiff_t>(notes_end));
    checker_.note(noted_, index);
  }

  // Whether an error ends the search here and now.
  bool stopping() {
    if (open_ == nullptr || !checker_.error()) return false;
    space_.watch.stop(Ending::kViolation);
    return true;
  }

  std::size_t outside() const {
    return edges_.size() * sizeof(Edge) + (open_ == nullptr ? 0 : open_->bytes());
  }

  static constexpr Index kBlock = 1024;

  Space& space_;
  Store& store_;
  Table<Bucket>& table_;
  Progress& progress_;
  OpenSet* open_;
  const bool leader_;
  Tally tally_;
  Oracle oracle_;
  Expander expander_;
  Checker checker_;
  Batch batch_;
  Words state_;
  Words rehashed_;
  Words hashes_;
  std::vector<const Bucket*> homes_;
  std::vector<Note> noted_;
  std::vector<Range> found_;
  Index next_ = 0;
  Index end_ = 0;
  std::deque<Edge> edges_;
};

}  // namespace secateur

// One thread's part of a search: it expands states, and enters what is new.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "batch.hpp"
#include "canonizer.hpp"
#include "checker.hpp"
#include "chooser.hpp"
#include "expander.hpp"
#include "forms.hpp"
#include "hash.hpp"
#include "links.hpp"
#include "open_set.hpp"
#include "oracle.hpp"
#include "path.hpp"
#include "recent.hpp"
#include "scout.hpp"
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
  FormParts form;
  bool keep_edges;
  Reduction* reduction;                   // or null
  const Symmetry* symmetry;               // or null
  Images* images;                         // or null
  Scout* scout;                           // or null; for a search with one thread
  std::atomic<std::uint64_t> granted{0};  // states that threads may add, if these are limited
};

// Threads have many segments, so that they seldom wait for each other.  One thread finds its way
// faster where all of a small directory is in the cache.
template <class Bucket, bool Threads>
using StateTable = Table<Bucket, Threads ? 8 : 1, Threads ? 256 : 1024>;

// What is known when this is compiled: in which form states are kept; whether there are several
// threads; and what is in a bucket of the table.  No two workers share a line of the cache.
template <class Form, bool Threads, class Bucket>
class alignas(64) Worker {
 public:
  // With `open`, states found are put there, and the search stops at once at an error.  One of
  // the workers is the leader, who lets the evaluator have a word now and then.
  Worker(Space& space, StateTable<Bucket, Threads>& table, Progress& progress, OpenSet* open,
         bool leader)
      : space_(space),
        store_(space.store),
        table_(table),
        progress_(progress),
        open_(open),
        leader_(leader),
        form_(space.form),
        tally_(space.model.steps.size(), space.model.checks.size()),
        oracle_(space.memos, space.evaluator, space.watch),
        expander_(space.model, oracle_),
        checker_(space.model, space.notes, oracle_, tally_),
        batch_(space.model.stride),
        state_(space.model.words),
        recent_(space.model.words),
        view_(*this) {
    if (space.symmetry != nullptr) {
      canonizer_ = std::make_unique<Canonizer>(*space.symmetry, space.model.words, space.images);
    }
    if (space.reduction == nullptr) return;
    const bool ahead = open == nullptr && looks_ahead(*space.reduction);
    // Whether a state is open can be told before others are entered, whether it is new cannot.
    const bool patient = space.reduction->proviso != Proviso::kVisited;
    experience_ = std::make_unique<Experience>(*space.reduction, space.model.words);
    for (std::size_t i = 0; i < (ahead && patient ? kSeats : 1); ++i) {
      seats_.push_back(
          std::make_unique<Chooser>(space.model, *space.reduction, oracle_, view_, *experience_));
    }
  }

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void add_initial(const std::uint64_t* given) {
    const std::uint64_t* const state = representative(given);
    std::uint64_t key = 0;
    const std::uint64_t* entry = state;
    if constexpr (Form::kKeyed) {
      key = form_.template key<Threads>(state);
      entry = &key;
    } else {
      require_right_bits(state[0]);
    }
    const Found found = look_up({hash_of<Form::kEntry>(entry, entry_words()), entry}, state, kNone);
    if (!found.added) return;
    check(space_.model.whole, state, found.index);
    if (merges_by(Merge::kFlood)) flood(state, kNone);
  }

  // Expands a state, sooner or later; `flush` finishes it.
  void expand(Index index) {
    if (flooded(index)) return pass_over();
    form_.get(store_, index, batch_.sources.size(), state_.data());
    if (seats_.empty()) {
      expander_.expand(state_.data(), index, batch_);
      look_for_end(state_.data());
      if (batch_.full()) return enter_all();
      look_ahead();
      return;
    }
    seat(begun_).begin(state_.data(), index);
    if (begun_ != finished_) seat(begun_ - 1).fetch();
    if (++begun_ - finished_ == seats_.size()) finish_oldest();
  }

  // Finishes all states that were to be expanded.
  void flush() {
    while (begun_ != finished_ && !space_.watch.stopped()) finish_oldest();
    enter_all();
  }

  // In a search along a path: goes on to a state that was found just now.
  void descend(Index index, Path& path) {
    path_ = &path;
    path.enter(index);
    form_.get(store_, index, 0, state_.data());
    if (seats_.empty()) {
      expander_.expand(state_.data(), index, batch_);
    } else {
      seat(0).begin(state_.data(), index);
      if (!seat(0).finish(batch_)) expander_.expand(state_.data(), index, batch_);
    }
    look_for_end(state_.data());
    make_canonical();
    const Source& source = batch_.sources.front();
    const bool stuck = batch_.successors() == 0 && batch_.notes.empty() && !source.lively;
    for (std::size_t i = batch_.successors(); i-- != 0;)
      path.add(batch_.action(i), batch_.state(i));
    finish(index, stuck, 0, batch_.notes.size());
    count(batch_.successors());
    batch_.clear();
    space_.watch.look(outside() + path.bytes());
    space_.watch.poll(space_.evaluator, state_.data());
    stopping();
  }

  // Likewise: looks at the next successor of the last state, which is put into the open set if it
  // is new.
  void follow(Path& path) {
    enter_one(path.state(), path.action(), path.end());
    path.drop();
  }

  // Likewise: goes back to the state before.
  void ascend(Path& path) {
    path.leave();
    Progress::add(progress_.expanded, 1);
  }

  // The states found since the last call.
  std::vector<Range> take_found() {
    std::vector<Range> taken;
    taken.swap(found_);
    if (next_ != end_) found_.push_back({next_, next_});
    std::erase_if(taken, [](const Range& r) { return r.size() == 0; });
    return taken;
  }

  // The words of a state that the store still has.
  Words state(Index index) {
    Words words(space_.model.words);
    form_.get(store_, index, 0, words.data());
    return words;
  }

  Tally& tally() { return tally_; }
  Pruned take_pruned() {
    Pruned all;
    for (const auto& seat : seats_) all.absorb(std::exchange(seat->pruned, {}));
    return all;
  }
  bool error() const { return checker_.error(); }
  const std::deque<Edge>& edges() const { return edges_; }

 private:
  // What provisos ask.
  class View final : public Visited {
   public:
    explicit View(Worker& worker) : worker_(worker) {}

    std::uint64_t prepare(const std::uint64_t* state) override { return worker_.prepare(state); }
    void fetch(std::span<const Sought> sought) override { worker_.fetch(sought); }
    void find(const std::uint64_t* results, std::span<Sought> sought) override {
      worker_.find(results, sought);
    }
    bool alike(const std::uint64_t* one, const std::uint64_t* other) override {
      return worker_.alike(one, other);
    }
    bool closed(Index index) const override {
      return index < worker_.closed_.size() && worker_.closed_[index];
    }
    bool on_path(Index index) const override {
      return worker_.path_ != nullptr && worker_.path_->has(index);
    }
    Index end(Index index) override { return worker_.links_.end(index); }
    void link(Index index, Index to) override { worker_.links_.set(index, to); }

   private:
    Worker& worker_;
  };

  // What buckets ask about the state that they look for; `words` are those of its entry.
  struct Known {
    const Store& store;
    const std::uint64_t* words;

    bool same(Index index) const { return store.template same<Form::kStored>(index, words); }
  };

  // Fetches the states that may be the one that is looked for.
  struct Fetched {
    const Store& store;

    bool same(Index index) const {
      store.template prefetch<Form::kStored>(index);
      return false;
    }
  };

  // What the table asks about a state that it may have to add.
  struct Candidate : Known {
    Worker& worker;
    const std::uint64_t* state;
    Index parent;

    void prefetch(Index index) const { this->store.template prefetch<Form::kStored>(index); }
    std::uint64_t hash(Index index) const { return worker.hash_of_stored(index); }
    Index make() const { return worker.append(state, this->words, parent); }
  };

  // What the table wants to know of a state.
  struct Entry {
    std::uint64_t hash;
    const std::uint64_t* words;
  };

  std::size_t entry_words() const { return Form::kEntry == 0 ? space_.model.words : Form::kEntry; }

  std::uint64_t hash_of_stored(Index index) {
    std::uint64_t fixed[Form::kEntry == 0 ? 1 : Form::kEntry];
    std::uint64_t* const to = Form::kEntry == 0 ? rehashed_buffer() : fixed;
    store_.template get<Form::kKeyed ? Form::kEntry : Form::kStored>(index, to);
    return hash_of<Form::kEntry>(to, entry_words());
  }

  std::uint64_t* rehashed_buffer() {
    rehashed_.resize(entry_words());
    return rehashed_.data();
  }

  Found look_up(const Entry& entry, const std::uint64_t* state, Index parent) {
    return table_.template find_or_add<Threads>(
        entry.hash, Candidate{{store_, entry.words}, *this, state, parent});
  }

  // Whoever looks at the state that was begun as number `number`.
  Chooser& seat(std::size_t number) { return *seats_[number % seats_.size()]; }

  void finish_oldest() {
    Chooser& oldest = seat(finished_++);
    // A state is closed before its successors are looked at: it may be one of them.
    const Proviso proviso = space_.reduction->proviso;
    if (asks_for_states(proviso)) close(oldest.index());
    if (!oldest.finish(batch_)) expander_.expand(oldest.state(), oldest.index(), batch_);
    look_for_end(oldest.state());
    if (proviso == Proviso::kVisited || batch_.full()) return enter_all();
    look_ahead();
  }

  // Enters the successors that are waiting.
  void enter_all() {
    make_canonical();
    make_keys();
    hash_new();
    fetch_until(batch_.successors());
    std::size_t successor = 0;
    std::size_t note = 0;
    std::size_t finished = 0;
    for (const Source& source : batch_.sources) {
      const bool stuck =
          successor == source.successors_end && note == source.notes_end && !source.lively;
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
    hashed_ = fetched_ = 0;
    space_.watch.look(outside());
    if (leader_) space_.watch.poll(space_.evaluator, state_.data());
  }

  void make_canonical() {
    if (!merges_by(Merge::kCanonical)) return;
    for (std::size_t i = 0; i < batch_.successors(); ++i) canonizer_->canonize(batch_.state(i));
  }

  bool merges_by(Merge merge) const {
    return canonizer_ != nullptr && space_.symmetry->merge == merge;
  }

  // What stands for a state in the table.
  const std::uint64_t* representative(const std::uint64_t* state) {
    if (!merges_by(Merge::kCanonical)) return state;
    represented_.assign(state, state + space_.model.words);
    canonizer_->canonize(represented_.data());
    return represented_.data();
  }

  bool alike(const std::uint64_t* one, const std::uint64_t* other) {
    if (!merges_by(Merge::kCanonical)) return false;
    representative(one);
    const Words first = represented_;
    representative(other);
    return first == represented_;
  }

  // Whether a state need not be explored, as one that is symmetric to it is.
  bool flooded(Index index) const { return index < flooded_.size() && flooded_[index]; }

  void pass_over() { Progress::add(progress_.expanded, 1); }

  // Enters all states that are symmetric to one that is new.
  void flood(const std::uint64_t* state, Index parent) {
    const Words source(state, state + space_.model.words);
    represented_.resize(source.size());
    canonizer_->look(source.data());
    for (const Renaming& renaming : space_.symmetry->stabiliser(source.data()).renamings) {
      canonizer_->rename(renaming, represented_.data());
      const std::uint64_t* const entry = represented_.data();
      const Found found =
          look_up({hash_of<Form::kEntry>(entry, entry_words()), entry}, entry, parent);
      if (found.index == kNone) return;
      if (!found.added) continue;
      if (flooded_.size() <= found.index) flooded_.resize(2 * (std::size_t{found.index} + 512));
      flooded_[found.index] = true;
      Progress::add(progress_.flooded, 1);
    }
  }

  // Fetches where a state will be looked for; to make its key takes longer than that saves.
  std::uint64_t prepare([[maybe_unused]] const std::uint64_t* state) {
    if (canonizer_ != nullptr) return 0;
    if constexpr (Form::kKeyed) {
      return 0;
    } else {
      const std::uint64_t hash = hash_of<Form::kEntry>(state, entry_words());
      __builtin_prefetch(&table_.home(hash));
      return hash;
    }
  }

  void fetch(std::span<const Sought> sought) {
    if constexpr (Bucket::kIndexed && !Form::kKeyed) {
      if (canonizer_ != nullptr) return;
      for (const Sought& s : sought) table_.home(s.hash).find(s.hash, Fetched{store_});
    }
  }

  void find(const std::uint64_t* results, std::span<Sought> sought) {
    const std::size_t words = space_.model.words;
    if (Form::kKeyed || canonizer_ != nullptr) {
      for (Sought& s : sought) s.index = find(results + s.result * words);
      return;
    }
    for (Sought& s : sought) {
      s.index = table_.find(s.hash, Known{store_, results + s.result * words});
    }
  }

  // The index of a state that was entered, or kNone.
  Index find(const std::uint64_t* given) {
    const std::uint64_t* const state = representative(given);
    std::uint64_t key = 0;
    const std::uint64_t* entry = state;
    if constexpr (Form::kKeyed) {
      key = form_.template key<Threads>(state);
      entry = &key;
    }
    return table_.find(hash_of<Form::kEntry>(entry, entry_words()), Known{store_, entry});
  }

  void close(Index index) {
    if (closed_.size() <= index)
      closed_.resize(std::max(std::size_t{1024}, 2 * (std::size_t{index} + 1)));
    closed_[index] = true;
  }

  // A bucket of words would not notice.
  void require_right_bits(std::uint64_t first_word) const {
    if ((first_word & ~store_.layout().first_word()) != 0) Layout::throw_wrong_bits();
  }

  // Appends a state, or returns kNone where there are as many as there may be.
  Index append(const std::uint64_t* state, const std::uint64_t* entry, Index parent) {
    if (!may_add()) {
      space_.watch.stop(Ending::kStates);
      return kNone;
    }
    const std::uint64_t* const words = Form::stored(state, entry);
    if (next_ == end_) claim(words);
    while (!store_.template put<Form::kStored>(next_, words, parent)) claim(words);
    Progress::add(progress_.states, 1);
    found_.back().end = next_ + 1;
    if constexpr (!Threads) {
      if (space_.scout != nullptr && space_.scout->meets(next_, state)) {
        space_.watch.stop(Ending::kComplete);
      }
    }
    return next_++;
  }

  // Gets more indices, for states like this one at first.
  void claim(const std::uint64_t* words) {
    const Index size = Threads ? kBlock : store_.largest_block();
    const Range block = store_.claim(size, words, {next_, end_});
    next_ = block.begin;
    end_ = block.end;
    found_.push_back({next_, next_});
  }

  bool may_add() {
    const std::uint64_t limit = space_.watch.limits().states;
    if constexpr (Threads) {
      if (limit == Limits().states) return true;
      return space_.granted.fetch_add(1, std::memory_order_relaxed) < limit;
    }
    return progress_.states.load(std::memory_order_relaxed) < limit;
  }

  void make_keys() {
    if constexpr (Form::kKeyed) {
      if (keys_.size() < batch_.successors()) keys_.resize(batch_.successors());
      std::size_t i = 0;
      for (std::size_t source = 0; source < batch_.sources.size(); ++source) {
        for (; i < batch_.sources[source].successors_end; ++i) {
          keys_[i] = form_.template key<Threads>(batch_.state(i), source);
        }
      }
    }
  }

  // What of each successor is in the table; a copy, so that it stays in registers.
  class Entries {
   public:
    explicit Entries(const Worker& worker)
        : keys_(worker.keys_.data()),
          successors_(worker.batch_.successor(0)),
          records_(worker.batch_.records()) {}

    const std::uint64_t* operator[](std::size_t i) const {
      return Form::kKeyed ? keys_ + i : records_ + successors_[i].offset;
    }

   private:
    const std::uint64_t* keys_;
    const Successor* successors_;
    const std::uint64_t* records_;
  };

  // While others are expanded, memory is on its way: what is fetched all at once has to queue.
  void look_ahead() {
    if (Form::kKeyed || merges_by(Merge::kCanonical)) return;  // not yet what they will be
    hash_new();
    if (hashed_ > kLag) fetch_until(hashed_ - kLag);
  }

  // Hashes the successors that nobody has hashed, and fetches where they will be looked for.
  void hash_new() {
    const std::size_t count = batch_.successors();
    if (hashes_.size() < count) {
      hashes_.resize(2 * count);
      homes_.resize(2 * count);
    }
    std::uint64_t* const hashes = hashes_.data();
    const Bucket** const homes = homes_.data();
    const Entries entries(*this);
    const std::size_t n = entry_words();
    std::uint64_t any = 0;
    for (std::size_t i = hashed_; i < count; ++i) {
      const std::uint64_t* const entry = entries[i];
      any |= entry[0];
      hashes[i] = hash_of<Form::kEntry>(entry, n);
      recent_.fetch(hashes[i]);
    }
    for (std::size_t i = hashed_; i < count; ++i) {
      homes[i] = nullptr;
      if (met_lately(hashes[i], entries[i])) continue;
      homes[i] = &table_.home(hashes[i]);
      __builtin_prefetch(homes[i]);
    }
    hashed_ = count;
    if constexpr (!Form::kKeyed) require_right_bits(any);
  }

  // Whether a successor is one that this worker has entered, or will enter before.
  [[gnu::always_inline]] bool met_lately(std::uint64_t hash, const std::uint64_t* entry) {
    return !space_.keep_edges && recent_.met(hash, entry);
  }

  // Fetches the states that the successors before `end` may be, before they are compared.
  void fetch_until([[maybe_unused]] std::size_t end) {
    if constexpr (Bucket::kIndexed) {
      for (; fetched_ < end; ++fetched_) {
        const Bucket* const home = homes_[fetched_];
        if (home == nullptr) continue;
        if (home->full()) __builtin_prefetch(home + 1);  // where it may be, or will be
        home->find(hashes_[fetched_], Fetched{store_});
      }
    }
  }

  // Enters the successors of a source from `first` on; returns where it ended.
  std::size_t enter(std::size_t first, const Source& source) {
    const bool all = space_.keep_edges;
    const Store& store = store_;
    const std::uint64_t* const hashes = hashes_.data();
    const Bucket* const* const homes = homes_.data();
    const Entries entries(*this);
    for (std::size_t i = first; i < source.successors_end; ++i) {
      if (homes[i] == nullptr) continue;
      const Known known{store, entries[i]};
      if (!all && homes[i]->find(hashes[i], known) != kNone) continue;
      if (!enter_one(i, source.index)) return i + 1;
    }
    if (const std::size_t relied = source.relied; relied != Source::kNobody) {
      links_.set(source.index, table_.find(hashes[relied], Known{store, entries[relied]}));
    }
    return source.successors_end;
  }

  // Enters a successor that is likely to be new; returns whether to go on.
  [[gnu::noinline]] bool enter_one(std::size_t i, Index source) {
    return enter({hashes_[i], Entries(*this)[i]}, batch_.state(i), batch_.action(i), source);
  }

  // Enters one that stands alone.
  void enter_one(const std::uint64_t* state, unsigned action, Index source) {
    std::uint64_t key = 0;
    const std::uint64_t* entry = state;
    if constexpr (Form::kKeyed) {
      key = form_.template key<Threads>(state);
      entry = &key;
    } else {
      require_right_bits(state[0]);
    }
    enter({hash_of<Form::kEntry>(entry, entry_words()), entry}, state, action, source);
  }

  bool enter(const Entry& entry, const std::uint64_t* state, unsigned action, Index source) {
    const Found found = look_up(entry, state, source);
    if (found.index == kNone) return false;
    if (space_.keep_edges) edges_.push_back({source, action, found.index});
    if (!found.added) return true;
    ++tally_.fresh[action];
    const Model& model = space_.model;
    const bool known_good = !store_.flawed(source);
    check(known_good ? model.after[action] : model.whole, state, found.index);
    if (merges_by(Merge::kFlood)) flood(state, source);
    return !stopping();
  }

  // Counts the first transitions of the batch.
  void count(std::size_t transitions) {
    std::uint64_t* const by_action = tally_.transitions.data();
    for (std::size_t i = 0; i < transitions; ++i) ++by_action[batch_.action(i)];
    Progress::add(progress_.transitions, transitions);
    progress_.code.store(expander_.code_time(), std::memory_order_relaxed);
  }

  void check(const CheckPlan& plan, const std::uint64_t* state, Index index) {
    if (!checker_.check(plan, state, index)) store_.mark_flawed(index);
    if (open_ != nullptr) open_->push(index, state);
  }

  // A state without successors, expanded just now, is no deadlock where a run may end.
  void look_for_end(const std::uint64_t* state) {
    if (!space_.model.has_end()) return;
    const std::size_t last = batch_.sources.size() - 1;
    Source& source = batch_.sources[last];
    const std::size_t successor = last == 0 ? 0 : batch_.sources[last - 1].successors_end;
    const std::size_t note = last == 0 ? 0 : batch_.sources[last - 1].notes_end;
    if (source.lively || successor < source.successors_end || note < source.notes_end) return;
    source.lively = checker_.may_end(state);
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
    return links_.bytes() + edges_.size() * sizeof(Edge) + (open_ == nullptr ? 0 : open_->bytes());
  }

  // States that are in the table themselves are found there as soon as anywhere else; and to make
  // keys is what takes long.
  static constexpr bool kRemembers = Bucket::kIndexed && !Form::kKeyed;
  static constexpr Index kBlock = 1024;
  static constexpr std::size_t kLag = 32;   // successors for whose bucket nobody waits
  static constexpr std::size_t kSeats = 3;  // one state is begun, one fetched, one finished

  Space& space_;
  Store& store_;
  StateTable<Bucket, Threads>& table_;
  Progress& progress_;
  OpenSet* open_;
  const Path* path_ = nullptr;
  const bool leader_;
  Form form_;
  Tally tally_;
  Oracle oracle_;
  Expander expander_;
  Checker checker_;
  Batch batch_;
  Words state_;
  Words rehashed_;
  Words keys_;
  Words hashes_;
  std::vector<const Bucket*> homes_;  // null for a successor that was met before
  std::conditional_t<kRemembers, Recent<Form::kWords>, Forgetful> recent_;
  std::size_t hashed_ = 0;   // successors of the batch
  std::size_t fetched_ = 0;  // likewise; their buckets, and then what these name
  View view_;
  std::unique_ptr<Canonizer> canonizer_;  // where there is symmetry
  Words represented_;
  std::vector<bool> flooded_;                    // by index
  std::unique_ptr<Experience> experience_;       // where something is left out
  std::vector<std::unique_ptr<Chooser>> seats_;  // likewise
  std::size_t begun_ = 0;                        // states, by one of these
  std::size_t finished_ = 0;
  std::vector<bool> closed_;  // by index, where a proviso asks
  Links links_;               // where it asks about these
  std::vector<Note> noted_;
  std::vector<Range> found_;
  Index next_ = 0;
  Index end_ = 0;
  std::deque<Edge> edges_;
};

}  // namespace secateur

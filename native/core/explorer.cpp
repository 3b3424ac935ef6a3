#include "explorer.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "index_bucket.hpp"
#include "word_bucket.hpp"

namespace secateur {

namespace {

std::unique_ptr<OpenSet> open_set(const Options& options) {
  switch (options.order) {
    case Order::kMixed:
      return std::make_unique<Mixed>(options.ratio, options.seed);
    case Order::kRandom:
      return std::make_unique<Bag>(options.seed);
    case Order::kPriority:
      return std::make_unique<Priority>(options.rank);
    default:
      return std::make_unique<Stack>();
  }
}

bool has(const std::vector<Range>& ranges, Index index) {
  return std::ranges::any_of(ranges,
                             [index](const Range& r) { return r.begin <= index && index < r.end; });
}

}  // namespace

Explorer::Explorer(const std::vector<unsigned>& bits, std::size_t label_words, unsigned actions,
                   unsigned properties)
    : layout_(bits), key_layout_({63}), model_(bits.size(), label_words, actions, properties) {}

void Explorer::add_initial(Words state) {
  require_width(state);
  if (ran_) throw std::logic_error("the explorer has run already");
  initial_.push_back(std::move(state));
}

// Whether states do not fit into a bucket as they are.
bool Explorer::wide() const {
  return layout_.words() != 1 || layout_.first_word() > WordBucket<std::uint64_t>::kMost;
}

// Whether states that fit into a bucket need not be kept anywhere else: it takes half the memory
// and less time, and where something is found the way to it is found by searching again.
bool Explorer::needs_no_store() const {
  const bool plain = options_.lean && options_.storage == Storage::kWhole;
  const bool reduced = reduction_.size() != 0 || asks_for_states(reduction_.proviso);
  const bool floods = !symmetry_.empty() && symmetry_.merge == Merge::kFlood;
  const bool in_order = options_.order == Order::kBreadthFirst && !options_.keep_edges;
  return plain && !reduced && !floods && in_order && !wide();
}

// Whether to store no more of states than what varies is worth while: of wide ones that is little,
// and to gather it takes less time than to wait for the memory that it saves.
bool Explorer::squeezable() const {
  constexpr std::size_t kNarrow = 4;  // words, and less: there is little to be gained
  return layout_.words() > kNarrow && sample_ == nullptr && squeezes_well();
}

// Wide states that are in no tree are needed to be known again.
Keeping Explorer::keeping(bool parents) const {
  const bool compressed = options_.storage == Storage::kCompressed;
  const bool needed = compressed && wide() && sample_ == nullptr;
  const bool states = needed || options_.storage == Storage::kWhole;
  return {.parents = parents, .states = states, .squeezed = states && squeezable()};
}

void Explorer::prepare_states(Keeping keeping) {
  each_entry_ = nullptr;
  tree_.reset();
  store_.reset();
  table_arena_.clear();
  states_arena_.clear();
  if (sample_ != nullptr) tree_ = std::make_unique<Tree>(layout_, *sample_, table_arena_);
  const Layout& layout = tree_ != nullptr ? key_layout_ : layout_;
  // Wide states take most of the memory, and are seldom compared: others were met lately.
  constexpr std::size_t kWide = 16;  // bytes
  Arena& arena = layout.bytes() > kWide ? states_arena_ : table_arena_;
  store_ = std::make_unique<Store>(layout, arena, keeping);
}

// Looks at some states first, to know what varies in them, and whether a tree is worth while: where
// both halves of a state tell the same, it has nothing to share.
void Explorer::take_sample(Evaluator& evaluator) {
  auto sample = std::make_unique<Sample>(layout_.words());
  search_aside(*sample, {.parents = false, .states = true}, evaluator);
  watch_.go_on();
  Arena scratch;
  Tree tree(layout_, *sample, scratch);
  std::vector<Knot> knots(tree.size());
  for (std::size_t i = 0; i < sample->size(); ++i) {
    tree.weave<false>(sample->state(i), nullptr, knots.data());
  }
  // Entries of the tables, with what is free: of words, of parts (and their values), of indices.
  constexpr double kWord = 13, kPart = 17, kIndex = 9;
  const auto states = static_cast<double>(std::max<std::size_t>(1, sample->size()));
  const double woven = kWord + kPart * static_cast<double>(tree.parts()) / states;
  if (woven < static_cast<double>(layout_.bytes()) + kIndex) sample_ = std::move(sample);
}

Space Explorer::space(Evaluator& evaluator, Scout* scout) {
  const Symmetry* const symmetry = symmetry_.empty() ? nullptr : &symmetry_;
  const FormParts form{layout_.words(), tree_.get(), options_.seed, symmetry, images_};
  return {model_,
          *store_,
          *memos_,
          evaluator,
          watch_,
          notes_,
          form,
          options_.keep_edges,
          reduction_.size() == 0 ? nullptr : &reduction_,
          symmetry,
          images_,
          scout,
          {}};
}

template <bool Threads, class Bucket>
std::shared_ptr<StateTable<Bucket, Threads>> Explorer::make_table() {
  const auto table = std::make_shared<StateTable<Bucket, Threads>>(table_arena_);
  if constexpr (!std::is_same_v<Bucket, IndexBucket>) {
    // A callback may end the search by an exception: what was found until then is told, too.
    if (options_.storage == Storage::kCompressed) {
      each_entry_ = [this, table](const Visit& visit) { each_entry<Bucket>(*table, visit); };
    }
  }
  return table;
}

template <class Form, class Bucket>
void Explorer::search(const Search& search) {
  const auto [space, progress, outcome] = search;
  const bool by_level = options_.order == Order::kBreadthFirst;
  if (by_level && progress.size() > 1) {
    const auto table = make_table<true, Bucket>();
    BreadthFirst<Form, true, Bucket>(space, *table, progress, outcome).run(initial_);
    return;
  }
  const auto table = make_table<false, Bucket>();
  if (by_level) {
    BreadthFirst<Form, false, Bucket>(space, *table, progress, outcome).run(initial_);
    return;
  }
  const std::unique_ptr<OpenSet> open = open_set(options_);
  Worker<Form, false, Bucket> worker(space, *table, progress[0], open.get(), true);
  if (reduction_.proviso == Proviso::kStack) {
    search_along_paths(*open, worker, space, outcome, initial_);
  } else {
    search_by(*open, worker, space, outcome, initial_);
  }
}

// States that are small enough are in the table themselves, but edges and provisos need their
// indices.
void Explorer::search(const Search& search) {
  using SmallWord = WordBucket<std::uint32_t>;
  using Word = WordBucket<std::uint64_t>;
  if (options_.storage == Storage::kFingerprints) return this->search<Fingerprint, Word>(search);
  if (tree_ != nullptr) return this->search<Woven, Word>(search);
  if (store_->squeezed()) return this->search<Tight, IndexBucket>(search);
  if (layout_.words() == 2) return this->search<Whole<2>, IndexBucket>(search);
  if (layout_.words() == 3) return this->search<Whole<3>, IndexBucket>(search);
  if (layout_.words() == 4) return this->search<Whole<4>, IndexBucket>(search);
  if (layout_.words() != 1) return this->search<Whole<0>, IndexBucket>(search);
  const bool indexed = options_.keep_edges || asks_for_states(reduction_.proviso);
  if (indexed || layout_.first_word() > Word::kMost) {
    this->search<Whole<1>, IndexBucket>(search);
  } else if (layout_.first_word() > SmallWord::kMost) {
    this->search<Whole<1>, Word>(search);
  } else {
    this->search<Whole<1>, SmallWord>(search);
  }
}

void Explorer::require_fit(const Options& options) const {
  if (asks_for_states(reduction_.proviso)) {
    if (options.storage != Storage::kWhole || options.threads != 1) {
      throw std::invalid_argument("this proviso needs one thread and states that are kept");
    }
  }
  if (reduction_.proviso == Proviso::kStack) {
    const bool floods = !symmetry_.empty() && symmetry_.merge == Merge::kFlood;
    if (options.order != Order::kDepthFirst || floods) {
      throw std::invalid_argument("this proviso needs the path of a depth-first search");
    }
  }
  if (options.storage != Storage::kWhole) {
    if (options.order != Order::kBreadthFirst || options.keep_edges) {
      throw std::invalid_argument("only a breadth-first search without edges can be compressed");
    }
  }
  if (options.order == Order::kPriority && options.rank == nullptr) {
    throw std::invalid_argument("a search by priority needs a rank");
  }
  if (symmetry_.empty()) return;
  const bool floods = symmetry_.merge == Merge::kFlood;
  if (floods && asks_for_states(reduction_.proviso)) {
    throw std::invalid_argument("nobody may rely on a state that stands for others");
  }
  if (floods && (options.storage != Storage::kWhole || options.threads != 1)) {
    throw std::invalid_argument("flooding needs one thread and states that are kept");
  }
  const bool marks = symmetry_.merge == Merge::kMarkers;
  if (marks && options.storage != Storage::kFingerprints) {
    throw std::invalid_argument("markers are kept instead of states");
  }
}

Ending Explorer::run(const Options& options, Evaluator& evaluator, Relations* relations) {
  require_fit(options);
  if (std::exchange(ran_, true)) throw std::logic_error("the explorer has run already");
  options_ = options;
  symmetry_.prepare(layout_.words());
  lean_ = needs_no_store();
  if (lean_) options_.storage = Storage::kCompressed;
  model_.prepare();
  reduction_.prepare(model_.checks.size(), relations);
  outcome_.tally = Tally(model_.steps.size(), model_.checks.size());
  memos_ = std::make_unique<Memos>(model_, answers_arena_);
  watch_.start(options.limits, {&table_arena_, &states_arena_, &answers_arena_});
  if (options_.storage == Storage::kCompressed && wide()) take_sample(evaluator);
  prepare_states(keeping(options_.storage == Storage::kWhole));
  Space whole = space(evaluator, nullptr);
  const unsigned threads = std::clamp(options.threads, 1u, kMostThreads);
  search({whole, std::span(progress_.data(), threads), outcome_});
  return watch_.ending();
}

Counts Explorer::counts() const {
  Counts all;
  std::uint64_t expanded = 0;
  for (const Progress& p : progress_) {
    expanded += p.expanded.load(std::memory_order_relaxed);
    all.transitions += p.transitions.load(std::memory_order_relaxed);
    all.states += p.states.load(std::memory_order_relaxed);
    all.flooded += p.flooded.load(std::memory_order_relaxed);
    all.code += p.code.load(std::memory_order_relaxed);
  }
  all.waiting = all.states - std::min(all.states, expanded);
  all.states -= all.flooded;
  all.depth = outcome_.depth.load(std::memory_order_relaxed);
  return all;
}

std::uint64_t Explorer::asked() const {
  std::uint64_t all = 0;
  if (memos_ == nullptr) return all;
  for (const Memo& memo : memos_->steps) all += memo.asked();
  for (const Memo& memo : memos_->checks) all += memo.asked();
  return all;
}

Words Explorer::state(Index index) const {
  if (options_.storage == Storage::kWhole) {
    if (!has(outcome_.found, index)) throw std::out_of_range("no such state");
    Words words(layout_.words());
    store_->read(index, words.data());
    return words;
  }
  const auto known = outcome_.first.find(index);
  if (known == outcome_.first.end()) throw std::out_of_range("no such state is kept");
  return known->second;
}

std::vector<Index> Explorer::path(Index index) const {
  if (options_.storage == Storage::kWhole) {
    if (!has(outcome_.found, index)) throw std::out_of_range("no such state");
    return path_by_parents(index);
  }
  const auto known = paths_.find(index);
  if (known == paths_.end()) throw std::out_of_range("the way to this state was not kept");
  return known->second;
}

std::vector<Index> Explorer::path_by_parents(Index index) const {
  std::vector<Index> path;
  for (; index != kNone; index = store_->parent(index)) path.push_back(index);
  std::ranges::reverse(path);
  return path;
}

void Explorer::search_aside(Scout& scout, Keeping keeping, Evaluator& evaluator) {
  prepare_states(keeping);
  Space again = space(evaluator, &scout);
  Progress progress;
  Outcome outcome;
  outcome.tally = Tally(model_.steps.size(), model_.checks.size());
  search({again, std::span(&progress, 1), outcome});
}

// A search says which states are on the way and, where it has kept them, what they are.  Where
// there is no memory for them, a second one has to.
bool Explorer::retrace(Evaluator& evaluator, bool sparing) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 27;  // with their parents they take 1.5 GiB
  if (outcome_.first.empty()) return true;
  std::vector<Words> seen;
  for (const auto& [index, words] : outcome_.first) seen.push_back(words);
  Keeping kept = keeping(true);
  const bool beside = !kept.states && lean_ && !sparing && counts().states <= kMany;
  kept.states |= beside;
  auto by_state = find_indices(seen, kept, evaluator);
  if (beside && watch_.ending() == Ending::kMemory) {
    kept.states = false;
    by_state = find_indices(seen, kept, evaluator);
  }
  if (!found_all(by_state)) return false;
  std::vector<Index> wanted;
  for (const auto& [words, index] : by_state) {
    paths_[index] = path_by_parents(index);
    wanted.insert(wanted.end(), paths_[index].begin(), paths_[index].end());
  }
  auto states = kept.states ? read_states(wanted) : find_states(wanted, evaluator);
  if (states.empty()) return false;
  rename_first(by_state);
  outcome_.first = std::move(states);
  return true;
}

std::map<Words, Index> Explorer::find_indices(const std::vector<Words>& seen, Keeping keeping,
                                              Evaluator& evaluator) {
  watch_.start_again();
  IndexScout by_state(seen);
  search_aside(by_state, keeping, evaluator);
  return by_state.indices();
}

std::map<Index, Words> Explorer::read_states(const std::vector<Index>& wanted) const {
  std::map<Index, Words> states;
  for (const Index index : wanted) {
    Words& state = states[index];
    state.resize(layout_.words());
    store_->read(index, state.data());
  }
  return states;
}

// With one thread, this search finds the same states in the same order as the one before.
std::map<Index, Words> Explorer::find_states(const std::vector<Index>& wanted,
                                             Evaluator& evaluator) {
  watch_.start_again();
  StateScout by_index(wanted, layout_.words());
  search_aside(by_index, keeping(false), evaluator);
  if (watch_.ending() != Ending::kComplete) return {};
  return by_index.take_states();
}

bool Explorer::found_all(const std::map<Words, Index>& indices) const {
  return std::ranges::none_of(indices, [](const auto& each) { return each.second == kNone; });
}

void Explorer::rename_first(const std::map<Words, Index>& indices) {
  outcome_.tally.each([&](Sighting& seen) {
    if (seen.count != 0) seen.first = indices.at(outcome_.first.at(seen.first));
  });
}

template <class Bucket, class AnyTable>
void Explorer::each_entry(const AnyTable& table, const Visit& visit) const {
  Words state(layout_.words());
  std::vector<Knot> knots(tree_ == nullptr ? 0 : tree_->size());
  table.each([&](typename Bucket::Item item) {
    const std::uint64_t word = Bucket::state_of(item);
    if (tree_ == nullptr) return visit(&word);
    tree_->unweave(word, state.data(), knots.data());
    return visit(state.data());
  });
}

template <class VisitIndex>
void Explorer::each_index(VisitIndex visit) const {
  for (const Range& range : outcome_.found) {
    for (Index index = range.begin; index != range.end; ++index) {
      if (!visit(index)) return;
    }
  }
}

void Explorer::each_state(const Visit& visit) const {
  if (each_entry_) return each_entry_(visit);
  if (store_ == nullptr || !store_->keeps_states()) {
    throw std::logic_error("the states were not kept");
  }
  Words state(layout_.words());
  each_index([&](Index index) {
    store_->read(index, state.data());
    return visit(state.data());
  });
}

std::vector<Words> Explorer::sample(std::size_t most) const {
  std::vector<Words> found;
  const bool kept = each_entry_ != nullptr || (store_ != nullptr && store_->keeps_states());
  if (!kept || most == 0) return found;
  const std::uint64_t apart = std::max<std::uint64_t>(1, counts().states / most);
  std::uint64_t number = 0;
  each_state([&](const std::uint64_t* state) {
    if (number++ % apart == 0) found.emplace_back(state, state + layout_.words());
    return found.size() < most;
  });
  return found;
}

std::vector<std::optional<std::vector<Words>>> Explorer::distinct_values(
    const std::vector<Words>& masks, std::size_t most) const {
  for (const Words& mask : masks) require_width(mask);
  DistinctParts parts(masks, layout_.words(), most);
  if (store_ != nullptr && store_->keeps_states() && !each_entry_) {
    each_index([&](Index index) {
      store_->read(index, parts.next());
      return parts.add();
    });
  } else {
    each_state([&](const std::uint64_t* state) {
      std::copy_n(state, layout_.words(), parts.next());
      return parts.add();
    });
  }
  return parts.all();
}

std::optional<std::size_t> Explorer::count_distinct(const Words& mask, std::size_t most) const {
  require_width(mask);
  DistinctValues values(mask);
  each_state([&](const std::uint64_t* state) {
    values.add(state);
    return values.size() <= most;
  });
  if (values.size() > most) return std::nullopt;
  return values.size();
}

void Explorer::require_width(const Words& words) const {
  if (words.size() != layout_.words()) throw std::invalid_argument("wrong number of words");
}

}  // namespace secateur

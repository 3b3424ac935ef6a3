#include "explorer.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "distinct.hpp"
#include "index_bucket.hpp"
#include "retrace.hpp"
#include "word_bucket.hpp"

namespace secateur {

namespace {

std::unique_ptr<OpenSet> open_set(const Options& options) {
  switch (options.order) {
    case Order::kMixed:
      return std::make_unique<Mixed>(options.ratio, options.seed);
    case Order::kRandom:
      return std::make_unique<Bag>(options.seed);
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
    : layout_(bits),
      model_(bits.size(), label_words, actions, properties),
      store_(layout_, arena_) {}

void Explorer::add_initial(Words state) {
  if (state.size() != layout_.words()) throw std::invalid_argument("wrong number of words");
  if (ran_) throw std::logic_error("the explorer has run already");
  initial_.push_back(std::move(state));
}

template <unsigned W, class Bucket>
void Explorer::search(const Options& options, Space& space) {
  Table<Bucket> table(arena_);
  if (options.order != Order::kBreadthFirst) {
    const std::unique_ptr<OpenSet> open = open_set(options);
    Worker<W, false, Bucket> worker(space, table, progress_[0], open.get(), true);
    search_by(*open, worker, space, outcome_, initial_);
  } else if (options.threads > 1) {
    const std::span<Progress> progress(progress_.data(), std::min(options.threads, kMostThreads));
    BreadthFirst<W, true, Bucket>(space, table, progress, outcome_).run(initial_);
  } else {
    const std::span<Progress> progress(progress_.data(), 1);
    BreadthFirst<W, false, Bucket>(space, table, progress, outcome_).run(initial_);
  }
}

// States that are small enough are in the table themselves, but edges need their indices.
void Explorer::search(const Options& options, Space& space) {
  if (layout_.words() == 2) return search<2, IndexBucket>(options, space);
  if (layout_.words() != 1) return search<0, IndexBucket>(options, space);
  if (options.keep_edges || layout_.first_word() > WordBucket<std::uint64_t>::kMost) {
    search<1, IndexBucket>(options, space);
  } else if (layout_.first_word() > WordBucket<std::uint32_t>::kMost) {
    search<1, WordBucket<std::uint64_t>>(options, space);
  } else {
    search<1, WordBucket<std::uint32_t>>(options, space);
  }
}

Ending Explorer::run(const Options& options, Evaluator& evaluator) {
  if (std::exchange(ran_, true)) throw std::logic_error("the explorer has run already");
  model_.prepare();
  outcome_.tally = Tally(model_.steps.size(), model_.checks.size());
  memos_ = std::make_unique<Memos>(model_, arena_);
  watch_.start(options.limits, arena_);
  store_.keep_parents(options.keep_parents || options.order != Order::kBreadthFirst);
  Space space{model_, store_, *memos_, evaluator, watch_, notes_, options.keep_edges, {}};
  search(options, space);
  return watch_.ending();
}

Counts Explorer::counts() const {
  Counts all;
  std::uint64_t expanded = 0;
  for (const Progress& p : progress_) {
    expanded += p.expanded.load(std::memory_order_relaxed);
    all.transitions += p.transitions.load(std::memory_order_relaxed);
    all.states += p.states.load(std::memory_order_relaxed);
  }
  all.waiting = all.states - std::min(all.states, expanded);
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

void Explorer::require_known(Index index) const {
  if (!has(outcome_.found, index)) throw std::out_of_range("no such state");
}

Words Explorer::state(Index index) const {
  require_known(index);
  Words words(layout_.words());
  store_.get<0>(index, words.data());
  return words;
}

std::vector<Index> Explorer::path(Index index, Evaluator& evaluator) {
  require_known(index);
  return store_.keeps_parents() ? path_by_parents(index) : path_by_levels(index, evaluator);
}

std::vector<Index> Explorer::path_by_parents(Index index) const {
  std::vector<Index> path;
  for (; index != kNone; index = store_.parent(index)) path.push_back(index);
  std::ranges::reverse(path);
  return path;
}

std::vector<Index> Explorer::path_by_levels(Index index, Evaluator& evaluator) {
  Oracle oracle(*memos_, evaluator, watch_);
  Retrace retrace(model_, store_, oracle);
  std::vector<Index> path{index};
  const auto& levels = outcome_.levels;
  auto level = std::ranges::find_if(levels, [index](const auto& l) { return has(l, index); });
  while (level != levels.begin()) path.push_back(retrace.predecessor(path.back(), *--level));
  std::ranges::reverse(path);
  return path;
}

std::optional<std::vector<Words>> Explorer::distinct_values(const Words& mask,
                                                            std::size_t most) const {
  if (mask.size() != layout_.words()) throw std::invalid_argument("wrong number of words");
  Words state(layout_.words());
  DistinctValues values(mask);
  for (const Range& range : outcome_.found) {
    for (Index index = range.begin; index != range.end; ++index) {
      store_.get<0>(index, state.data());
      values.add(state.data());
      if (values.size() > most) return std::nullopt;
    }
  }
  return values.all();
}

}  // namespace secateur

#include "explorer.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "distinct.hpp"

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

}  // namespace

Explorer::Explorer(const std::vector<unsigned>& bits, std::size_t label_words, unsigned actions,
                   unsigned properties)
    : layout_(bits),
      model_(bits.size(), label_words, actions, properties),
      store_(layout_, arena_),
      table_(arena_) {}

void Explorer::add_initial(Words state) {
  if (state.size() != layout_.words()) throw std::invalid_argument("wrong number of words");
  if (ran_) throw std::logic_error("the explorer has run already");
  initial_.push_back(std::move(state));
}

template <unsigned W>
void Explorer::search(const Options& options, Space& space) {
  if (options.order != Order::kBreadthFirst) {
    search_by<W>(*open_set(options), space, progress_[0], outcome_, initial_);
  } else if (options.threads > 1) {
    const std::span<Progress> progress(progress_.data(), std::min(options.threads, kMostThreads));
    BreadthFirst<W, true>(space, progress, outcome_).run(initial_);
  } else {
    const std::span<Progress> progress(progress_.data(), 1);
    BreadthFirst<W, false>(space, progress, outcome_).run(initial_);
  }
}

Ending Explorer::run(const Options& options, Evaluator& evaluator) {
  if (std::exchange(ran_, true)) throw std::logic_error("the explorer has run already");
  model_.prepare();
  outcome_.tally = Tally(model_.steps.size(), model_.checks.size());
  memos_ = std::make_unique<Memos>(model_, arena_);
  watch_.start(options.limits, arena_);
  Space space{model_, store_, table_, *memos_, evaluator, watch_, notes_, options.keep_edges, {}};
  switch (layout_.words()) {
    case 1:
      search<1>(options, space);
      break;
    case 2:
      search<2>(options, space);
      break;
    default:
      search<0>(options, space);
  }
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
  const auto has = [index](const Range& r) { return r.begin <= index && index < r.end; };
  if (std::ranges::none_of(outcome_.found, has)) throw std::out_of_range("no such state");
}

Words Explorer::state(Index index) const {
  require_known(index);
  Words words(layout_.words());
  store_.get<0>(index, words.data());
  return words;
}

std::vector<Index> Explorer::path(Index index) const {
  require_known(index);
  std::vector<Index> path;
  for (; index != kNone; index = store_.parent(index)) path.push_back(index);
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

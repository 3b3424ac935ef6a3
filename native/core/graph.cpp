#include "graph.hpp"

#include <algorithm>
#include <bit>
#include <ranges>
#include <stdexcept>

#include "canonizer.hpp"
#include "hash.hpp"
#include "index_bucket.hpp"
#include "selection.hpp"
#include "store.hpp"
#include "table.hpp"

namespace secateur {

namespace {

// States of one word, which are in their vertices.
class InVertices {
 public:
  static constexpr unsigned kWords = 1;

  InVertices(const GraphParts& parts, Chunked<Vertex>& vertices)
      : vertices_(vertices), allowed_(parts.layout.first_word()) {}

  void prefetch(Index index) const { vertices_.prefetch(index); }
  bool same(Index index, const std::uint64_t* state) const {
    return vertices_[index].word == *state;
  }
  void get(Index index, std::uint64_t* state) const { *state = vertices_[index].word; }
  Index append(const std::uint64_t* state) {
    if ((*state & ~allowed_) != 0) Layout::throw_wrong_bits();
    const std::size_t index = vertices_.size();
    if (index >= kOtherNodes) throw std::length_error("more states than indices");
    Vertex vertex;
    vertex.word = *state;
    vertices_.push_back(vertex);
    return static_cast<Index>(index);
  }

 private:
  Chunked<Vertex>& vertices_;
  const std::uint64_t allowed_;
};

// Others, in a store.  W is the number of their words where it is known when this is compiled,
// else 0.
template <unsigned W>
class Stored {
 public:
  static constexpr unsigned kWords = W;

  Stored(const GraphParts& parts, Chunked<Vertex>& vertices)
      : vertices_(vertices),
        store_(parts.layout, parts.arena, {.parents = false, .states = true}) {}

  void prefetch(Index index) const {
    store_.prefetch<W>(index);
    vertices_.prefetch(index);
  }
  bool same(Index index, const std::uint64_t* state) const { return store_.same<W>(index, state); }
  void get(Index index, std::uint64_t* state) const { store_.get<W>(index, state); }
  Index append(const std::uint64_t* state) {
    if (next_ == end_) {
      const Range block = store_.claim(store_.largest_block(), state);
      if (block.end > kOtherNodes) throw std::length_error("more states than indices");
      next_ = block.begin;
      end_ = block.end;
    }
    store_.put<W>(next_, state, kNone);
    vertices_.push_back({});
    return next_++;
  }

 private:
  Chunked<Vertex>& vertices_;
  Store store_;
  Index next_ = 0;
  Index end_ = 0;
};

template <class States>
class GraphOf final : public Graph, public Visited {
 public:
  explicit GraphOf(const GraphParts& parts)
      : Graph(parts),
        states_(parts, vertices),
        table_(parts.arena),
        state_(parts.model.words),
        rehashed_(state_.size()) {
    if (parts.symmetry != nullptr) {
      canonizer_ = std::make_unique<Canonizer>(*parts.symmetry, parts.model.words, parts.images);
      represented_.resize(parts.model.words);
    }
    if (parts.reduction == nullptr) return;
    selection_ = std::make_unique<Selection>(parts.model, *parts.reduction, oracle_, *this);
  }

  Index add(const std::uint64_t* given) override {
    const std::uint64_t* const state = representative(given);
    return find_or_add(hash(state), state);
  }

  void expand(Index index) override {
    states_.get(index, state_.data());
    batch_.clear();
    expander_.expand(state_.data(), index, batch_);
    look(state_.data());
    if (selection_ != nullptr) {
      expanding_ = index;
      selection_->leave_out(state_.data(), index, batch_);
    }
    const std::size_t count = batch_.successors();
    if (canonizer_ != nullptr) {
      for (std::size_t i = 0; i < count; ++i) canonizer_->canonize(batch_.state(i));
    }
    if (targets_.size() < count) {
      targets_.resize(count);
      hashes_.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      hashes_[i] = hash(batch_.state(i));
      __builtin_prefetch(&table_.home(hashes_[i]));
    }
    for (std::size_t i = 0; i < count; ++i) {
      targets_[i] = table_.home(hashes_[i]).find(hashes_[i], Likely{states_});
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* const state = batch_.state(i);
      if (targets_[i] != kNone && states_.same(targets_[i], state)) continue;
      targets_[i] = find_or_add(hashes_[i], state);
    }
    make_arcs(index);
  }

  Words state(Index index) const override {
    Words words(state_.size());
    states_.get(index, words.data());
    return words;
  }

 private:
  // What provisos ask.  Which states are expanded does not depend on places of the automaton as
  // long as it is asked of states of the model: S. Siegel: What's wrong with on-the-fly partial
  // order reduction, CAV 2019.
  std::uint64_t prepare(const std::uint64_t* state) override {
    if (canonizer_ != nullptr) return 0;
    const std::uint64_t where = hash(state);
    __builtin_prefetch(&table_.home(where));
    return where;
  }
  void fetch(std::span<const Sought> sought) override {
    if (canonizer_ != nullptr) return;
    for (const Sought& s : sought) table_.home(s.hash).find(s.hash, Fetched{states_});
  }
  void find(const std::uint64_t* results, std::span<Sought> sought) override {
    const std::size_t words = state_.size();
    for (Sought& s : sought) {
      const std::uint64_t* const state = representative(results + s.result * words);
      const std::uint64_t where = canonizer_ == nullptr ? s.hash : hash(state);
      s.index = table_.find(where, Known{states_, state});
    }
  }
  bool closed(Index index) const override {
    return index == expanding_ || vertices[index].expanded();
  }

  const std::uint64_t* representative(const std::uint64_t* state) {
    if (canonizer_ == nullptr) return state;
    std::copy_n(state, represented_.size(), represented_.begin());
    canonizer_->canonize(represented_.data());
    return represented_.data();
  }

  struct Known {
    const States& states;
    const std::uint64_t* words;

    bool same(Index index) const { return states.same(index, words); }
  };

  // Fetches all states that may be the one.
  struct Fetched {
    const States& states;

    bool same(Index index) const {
      states.prefetch(index);
      return false;
    }
  };

  // Takes the first state that may be the one, and fetches it to be looked at later.
  struct Likely {
    const States& states;

    bool same(Index index) const {
      states.prefetch(index);
      return true;
    }
  };

  // What the table asks about a state that it may have to add.
  struct Candidate {
    GraphOf& graph;
    const std::uint64_t* words;

    bool same(Index index) const { return graph.states_.same(index, words); }
    void prefetch(Index index) const { graph.states_.prefetch(index); }
    std::uint64_t hash(Index index) const {
      graph.states_.get(index, graph.rehashed_.data());
      return graph.hash(graph.rehashed_.data());
    }
    Index make() const { return graph.states_.append(words); }
  };

  std::uint64_t hash(const std::uint64_t* state) const {
    return hash_of<States::kWords>(state, state_.size());
  }

  Index find_or_add(std::uint64_t hash, const std::uint64_t* state) {
    return table_.template find_or_add<false>(hash, Candidate{*this, state}).index;
  }

  States states_;
  Table<IndexBucket> table_;
  Words state_;
  Words rehashed_;
  Words hashes_;
  Index expanding_ = kNone;
  std::unique_ptr<Canonizer> canonizer_;  // where there is symmetry
  Words represented_;
};

}  // namespace

Graph::Graph(const GraphParts& parts)
    : vertices(parts.arena),
      labels(parts.watched),
      model_(parts.model),
      watched_(parts.watched),
      arena_(parts.arena),
      progress_(parts.progress),
      oracle_(parts.memos, parts.evaluator, parts.watch),
      expander_(parts.model, oracle_),
      batch_(parts.model.stride) {}

Graph::~Graph() = default;

Pruned Graph::pruned() const {
  return selection_ == nullptr ? Pruned() : selection_->pruned();
}

std::unique_ptr<Graph> Graph::make(const GraphParts& parts) {
  if (parts.model.words == 1) return std::make_unique<GraphOf<InVertices>>(parts);
  if (parts.model.words == 2) return std::make_unique<GraphOf<Stored<2>>>(parts);
  return std::make_unique<GraphOf<Stored<0>>>(parts);
}

bool Graph::ask(unsigned property, const std::uint64_t* state) {
  const Remembered answer = oracle_.check(property, state);
  if (answer.notes() != 0) doubtful_ = true;
  return answer.holds();
}

Letter Graph::properties(const std::uint64_t* state) {
  truths_.resize(model_.checks.size());
  for (const unsigned number : model_.whole.groups) {
    const CheckGroup& group = model_.check_groups[number];
    const std::size_t count = group.properties.size();
    if (holds_.size() < count) holds_.resize(count);
    group.function.get()(state, holds_.data());
    for (std::size_t j = 0; j < count; ++j) {
      const auto truth = static_cast<Truth>(holds_[j]);
      const unsigned property = group.properties[j];
      truths_[property] = truth == Truth::kTrapped ? ask(property, state) : truth == Truth::kHolds;
    }
  }
  for (const unsigned property : model_.whole.evaluated) truths_[property] = ask(property, state);
  Letter letter = 0;
  for (std::size_t i = 0; i < watched_.atoms.size(); ++i) {
    const Atom& atom = watched_.atoms[i];
    if (atom.kind == Atom::Kind::kProperty) letter |= Letter{truths_[atom.number]} << i;
  }
  return letter;
}

Events Graph::events(std::size_t step) const {
  const unsigned action = batch_.action(step);
  const Events marked = watched_.marked[action];
  const Events always = watched_.always[action];
  return marked == 0 ? always : always | (batch_.state(step)[model_.words] & marked);
}

Letter Graph::about_steps(Events enabled, const std::uint64_t* state) const {
  const std::size_t count = batch_.successors();
  const auto stays = [&](std::size_t step) {
    return std::equal(state, state + model_.words, batch_.state(step));
  };
  Letter letter = 0;
  for (std::size_t i = 0; i < watched_.atoms.size(); ++i) {
    const Atom& atom = watched_.atoms[i];
    bool holds = false;
    switch (atom.kind) {
      case Atom::Kind::kCount: {
        const auto found = static_cast<unsigned>(std::popcount(enabled & atom.events));
        holds = atom.least <= found && found <= atom.most;
        break;
      }
      case Atom::Kind::kDeadlock:
        holds = count == 0;
        break;
      case Atom::Kind::kSink:
        holds = std::ranges::all_of(std::views::iota(std::size_t{0}, count), stays);
        break;
      default:
        break;
    }
    letter |= Letter{holds} << i;
  }
  return letter;
}

void Graph::look(const std::uint64_t* state) {
  const std::size_t count = batch_.successors();
  Events enabled = 0;
  for (std::size_t i = 0; i < count; ++i) enabled |= events(i);
  doubtful_ = !batch_.notes.empty();
  // Nobody asks what holds in a state of which it is not known whether a path ends there.
  const bool asked = count != 0 || !doubtful_;
  labels.begin(asked ? properties(state) | about_steps(enabled, state) : 0, enabled);
}

void Graph::make_arcs(Index index) {
  const std::size_t count = batch_.successors();
  keep(index, doubtful_ ? 0 : count);
  Progress::add(progress_.states, 1);
  Progress::add(progress_.transitions, count);
}

void Graph::keep(Index index, std::size_t count) {
  if (step_labels_.size() < count) step_labels_.resize(count);
  for (std::size_t i = 0; i < count; ++i) step_labels_[i] = labels.of(events(i));
  const std::uint32_t first = count == 0 ? labels.of(0) : step_labels_[0];
  const bool mixed =
      std::any_of(step_labels_.begin(), step_labels_.begin() + static_cast<std::ptrdiff_t>(count),
                  [first](std::uint32_t label) { return label != first; });
  std::uint32_t* const data = room_for(mixed ? 2 * count : 1 + count);
  if (!mixed) data[0] = first;
  for (std::size_t i = 0; i < count; ++i) {
    data[mixed ? 2 * i : 1 + i] = targets_[i];
    if (mixed) data[2 * i + 1] = step_labels_[i];
  }
  Vertex& vertex = vertices[index];
  vertex.arcs = data;
  vertex.count = static_cast<std::uint32_t>(count) | (mixed ? Steps::kMixed : 0);
  if (doubtful_) vertex.count = Vertex::kDoubtful;
}

std::uint32_t* Graph::room_for(std::size_t words) {
  constexpr std::size_t kBlock = 1 << 16;
  if (free_count_ < words) {
    free_count_ = std::max(kBlock, words);
    free_ = arena_.take_array<std::uint32_t>(free_count_);
  }
  std::uint32_t* const room = free_;
  free_ += words;
  free_count_ -= words;
  return room;
}

}  // namespace secateur

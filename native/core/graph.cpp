#include "graph.hpp"

#include <algorithm>
#include <bit>

#include "hash.hpp"

namespace secateur {

namespace {

// W is the number of words of a state where it is known when this is compiled, else 0.
template <unsigned W>
class GraphOf final : public Graph {
 public:
  explicit GraphOf(const GraphParts& parts)
      : Graph(parts), table_(parts.arena), state_(parts.model.words), rehashed_(state_.size()) {}

  Index add(const std::uint64_t* state) override {
    store_.layout().require_right_bits(state);
    return find_or_add(hash_of<W>(state, state_.size()), state);
  }

  void expand(Index index) override {
    store_.get<W>(index, state_.data());
    batch_.clear();
    expander_.expand(state_.data(), index, batch_);
    const std::size_t count = batch_.successors();
    if (targets_.size() < count) {
      targets_.resize(count);
      hashes_.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      hashes_[i] = hash_of<W>(batch_.state(i), state_.size());
      __builtin_prefetch(&table_.home(hashes_[i]));
    }
    for (std::size_t i = 0; i < count; ++i) table_.home(hashes_[i]).find(hashes_[i], Peek{*this});
    for (std::size_t i = 0; i < count; ++i) targets_[i] = find_or_add(hashes_[i], batch_.state(i));
    make_arcs(index, state_.data());
  }

 private:
  // What the table asks about a state that it may have to add.
  struct Candidate {
    GraphOf& graph;
    const std::uint64_t* words;

    bool same(Index index) const { return graph.store_.template same<W>(index, words); }
    void prefetch(Index index) const { graph.store_.prefetch(index); }
    std::uint64_t hash(Index index) const {
      graph.store_.template get<W>(index, graph.rehashed_.data());
      return hash_of<W>(graph.rehashed_.data(), graph.rehashed_.size());
    }
    Index make() const { return graph.append(words); }
  };

  // Fetches what will be looked at.
  struct Peek {
    const GraphOf& graph;

    bool same(Index index) const {
      graph.store_.prefetch(index);
      graph.vertices.prefetch(index);
      return false;
    }
  };

  Index find_or_add(std::uint64_t hash, const std::uint64_t* state) {
    return table_.template find_or_add<false>(hash, Candidate{*this, state}).index;
  }

  Index append(const std::uint64_t* state) {
    if (next_ == end_) {
      const Range block = store_.claim(store_.largest_block());
      next_ = block.begin;
      end_ = block.end;
    }
    store_.put<W>(next_, state, kNone);
    vertices.push_back({});
    return next_++;
  }

  Table<IndexBucket> table_;
  Words state_;
  Words rehashed_;
  Words hashes_;
  Index next_ = 0;
  Index end_ = 0;
};

}  // namespace

std::unique_ptr<Graph> Graph::make(const GraphParts& parts) {
  if (parts.model.words == 1) return std::make_unique<GraphOf<1>>(parts);
  if (parts.model.words == 2) return std::make_unique<GraphOf<2>>(parts);
  return std::make_unique<GraphOf<0>>(parts);
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

Letter Graph::about_steps(Events enabled, Index index) const {
  const std::size_t count = batch_.successors();
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
        holds = std::all_of(targets_.begin(), targets_.begin() + static_cast<std::ptrdiff_t>(count),
                            [index](Index target) { return target == index; });
        break;
      default:
        break;
    }
    letter |= Letter{holds} << i;
  }
  return letter;
}

void Graph::make_arcs(Index index, const std::uint64_t* state) {
  const std::size_t count = batch_.successors();
  if (events_.size() < count) events_.resize(count);
  Events enabled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned action = batch_.action(i);
    Events events = watched_.always[action];
    if (watched_.marked[action] != 0) {
      events |= batch_.state(i)[model_.words] & watched_.marked[action];
    }
    events_[i] = events;
    enabled |= events;
  }
  doubtful_ = !batch_.notes.empty();
  // Nobody asks what holds in a state of which it is not known whether a path ends there.
  const bool asked = count != 0 || !doubtful_;
  labels.begin(asked ? properties(state) | about_steps(enabled, index) : 0, enabled);
  const std::size_t kept = doubtful_ ? 0 : count;
  Arc* const arcs = room_for(std::max<std::size_t>(1, kept));
  if (kept == 0) arcs[0] = {kNone, labels.of(0)};
  for (std::size_t i = 0; i < kept; ++i) arcs[i] = {targets_[i], labels.of(events_[i])};
  Vertex& vertex = vertices[index];
  vertex.arcs = arcs;
  vertex.count = doubtful_ ? Vertex::kDoubtful : static_cast<std::uint32_t>(count);
  Progress::add(progress_.states, 1);
  Progress::add(progress_.transitions, count);
}

Arc* Graph::room_for(std::size_t count) {
  constexpr std::size_t kBlock = 1 << 15;
  if (free_count_ < count) {
    free_count_ = std::max(kBlock, count);
    free_ = arena_.take_array<Arc>(free_count_);
  }
  Arc* const room = free_;
  free_ += count;
  free_count_ -= count;
  return room;
}

}  // namespace secateur

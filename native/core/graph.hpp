// The states of a model and the steps between them, found when they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arena.hpp"
#include "batch.hpp"
#include "chunked.hpp"
#include "expander.hpp"
#include "oracle.hpp"
#include "reduction.hpp"
#include "store.hpp"
#include "symmetry.hpp"
#include "watched.hpp"

namespace secateur {

class Selection;

// The first node of a state has the index of the state; others are numbered from here on.
inline constexpr std::uint32_t kOtherNodes = 1u << 31;

// A step out of a state.
struct Arc {
  Index target;
  std::uint32_t label;
};

// The steps out of a state, and one label if there are none.  Mostly they have one label: it comes
// first, and the targets follow; otherwise each target is followed by its label.
class Steps {
 public:
  static constexpr std::uint32_t kMixed = 1u << 31;

  Steps() = default;
  Steps(const std::uint32_t* data, std::uint32_t count) : data_(data), count_(count) {}

  std::size_t size() const { return count_ & ~kMixed; }
  std::uint32_t count() const { return count_; }
  const std::uint32_t* data() const { return data_; }
  std::uint32_t first_label() const { return data_[mixed() ? 1 : 0]; }
  Arc operator[](std::size_t i) const {
    if (mixed()) return {data_[2 * i], data_[2 * i + 1]};
    return {data_[1 + i], data_[0]};
  }

 private:
  bool mixed() const { return (count_ & kMixed) != 0; }

  const std::uint32_t* data_ = nullptr;
  std::uint32_t count_ = 0;
};

// A state together with a place of the automaton; those of one state are linked.
struct Node {
  static constexpr std::uint32_t kUnseen = 0;
  static constexpr std::uint32_t kClosed = 0xffffffffu;

  std::uint32_t place = 0;
  std::uint32_t number = kUnseen;  // on the path or in a component that is not complete: its place
  std::uint32_t next = kNone;
};

// A state: its steps once it is expanded, and the first of its nodes.  Where there is no step,
// there is a label for its end instead.  What is doubtful has no steps, and no path ends there.
struct Vertex {
  static constexpr std::uint32_t kDoubtful = 0xffffffffu;

  const std::uint32_t* arcs = nullptr;
  std::uint64_t word = 0;   // the state, if it is a single word
  std::uint32_t count = 0;  // that of `Steps`, or kDoubtful
  Node first;

  bool expanded() const { return arcs != nullptr; }
  bool doubtful() const { return count == kDoubtful; }
  Steps steps() const { return {arcs, doubtful() ? 0 : count}; }
  std::uint32_t label() const { return steps().first_label(); }
};

static_assert(sizeof(Vertex) == 32);  // two in a line of the cache

// What a graph is made of.
struct GraphParts {
  const Model& model;
  const Layout& layout;
  const Watched& watched;
  Arena& arena;
  Memos& memos;
  Evaluator& evaluator;
  Watch& watch;
  Progress& progress;
  Reduction* reduction;      // or null
  const Symmetry* symmetry;  // or null
  Images* images;            // or null
};

// With a reduction, each state leads on by what was chosen when it was expanded, as in
// engine/liveness/reduced.py; what is enabled there is what all its steps say.  With a symmetry,
// steps lead to canonical forms; what they are called is said of where they led before.
class Graph {
 public:
  explicit Graph(const GraphParts& parts);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  virtual ~Graph();

  static std::unique_ptr<Graph> make(const GraphParts& parts);

  // Returns the index of a state, which may be new.
  virtual Index add(const std::uint64_t* state) = 0;
  // Finds the steps out of a state.
  virtual void expand(Index index) = 0;

  virtual Words state(Index index) const = 0;

  Pruned pruned() const;

  Chunked<Vertex> vertices;
  Labels labels;

 protected:
  // Finds out what holds in a state; all its steps are in the batch.
  void look(const std::uint64_t* state);
  // Makes the steps of a state of what is in the batch; their targets are known.
  void make_arcs(Index index);

  const Model& model_;
  const Watched& watched_;
  Arena& arena_;
  Progress& progress_;
  Oracle oracle_;
  Expander expander_;
  Batch batch_;
  std::unique_ptr<Selection> selection_;
  std::vector<Index> targets_;

 private:
  // Evaluates the atoms about states; those about what is enabled are not among them.
  Letter properties(const std::uint64_t* state);
  Letter about_steps(Events enabled, const std::uint64_t* state) const;
  Events events(std::size_t step) const;
  void keep(Index index, std::size_t count);
  bool ask(unsigned property, const std::uint64_t* state);
  std::uint32_t* room_for(std::size_t words);

  std::vector<std::uint8_t> holds_;
  std::vector<bool> truths_;  // by property
  bool doubtful_ = false;
  std::vector<std::uint32_t> step_labels_;
  std::uint32_t* free_ = nullptr;
  std::size_t free_count_ = 0;
};

}  // namespace secateur

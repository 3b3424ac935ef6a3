// The states of a model and the steps between them, found when they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arena.hpp"
#include "batch.hpp"
#include "chunked.hpp"
#include "expander.hpp"
#include "oracle.hpp"
#include "store.hpp"
#include "watched.hpp"

namespace secateur {

// The first node of a state has the index of the state; others are numbered from here on.
inline constexpr std::uint32_t kOtherNodes = 1u << 31;

// A step out of a state.
struct Arc {
  Index target;
  std::uint32_t label;
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

  const Arc* arcs = nullptr;
  std::uint64_t word = 0;   // the state, if it is a single word
  std::uint32_t count = 0;  // or kDoubtful
  Node first;

  bool expanded() const { return arcs != nullptr; }
  bool doubtful() const { return count == kDoubtful; }
  std::span<const Arc> steps() const { return {arcs, doubtful() ? 0 : count}; }
  std::uint32_t label() const { return arcs[0].label; }
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
};

class Graph {
 public:
  explicit Graph(const GraphParts& parts)
      : vertices(parts.arena),
        labels(parts.watched),
        model_(parts.model),
        watched_(parts.watched),
        arena_(parts.arena),
        progress_(parts.progress),
        oracle_(parts.memos, parts.evaluator, parts.watch),
        expander_(parts.model, oracle_),
        batch_(parts.model.stride) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  virtual ~Graph() = default;

  static std::unique_ptr<Graph> make(const GraphParts& parts);

  // Returns the index of a state, which may be new.
  virtual Index add(const std::uint64_t* state) = 0;
  // Finds the steps out of a state.
  virtual void expand(Index index) = 0;

  virtual Words state(Index index) const = 0;

  Chunked<Vertex> vertices;
  Labels labels;

 protected:
  // Evaluates the atoms about states; those about what is enabled are not among them.
  Letter properties(const std::uint64_t* state);
  // Makes the steps of a state of what is in the batch; their targets are known.
  void make_arcs(Index index, const std::uint64_t* state);

  const Model& model_;
  const Watched& watched_;
  Arena& arena_;
  Progress& progress_;
  Oracle oracle_;
  Expander expander_;
  Batch batch_;
  std::vector<Index> targets_;

 private:
  Letter about_steps(Events enabled, Index index) const;
  bool ask(unsigned property, const std::uint64_t* state);
  Arc* room_for(std::size_t count);

  std::vector<std::uint8_t> holds_;
  std::vector<bool> truths_;  // by property
  std::vector<Events> events_;
  bool doubtful_ = false;
  Arc* free_ = nullptr;
  std::size_t free_count_ = 0;
};

}  // namespace secateur

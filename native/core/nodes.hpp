// The nodes of a product, by state and place, and the steps between them.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "automaton.hpp"
#include "graph.hpp"

namespace secateur {

using NodeId = std::uint32_t;

class Nodes {
 public:
  Nodes(Graph& graph, Ways& ways, Arena& arena) : graph_(graph), ways_(ways), others_(arena) {}

  Node& operator[](NodeId id) { return is_first(id) ? graph_.vertices[id].first : other(id).node; }
  Index state(NodeId id) { return is_first(id) ? id : other(id).state; }

  // All nodes have places below `size()` in a row.
  std::size_t size() const { return graph_.vertices.size() + others_.size(); }
  std::size_t in_row(NodeId id) const {
    return is_first(id) ? id : graph_.vertices.size() + (id - kOtherNodes);
  }

  // The node of a state at a place, made if there is none.
  NodeId node(Index state, Place place) {
    Node& first = graph_.vertices[state].first;
    if (first.number == Node::kUnseen) {
      first.place = place;
      return state;
    }
    if (first.place == place) return state;
    return in_chain(first, state, place, true);
  }

  // The same, or kNone if there is none.
  NodeId find(Index state, Place place) {
    Node& first = graph_.vertices[state].first;
    if (first.number == Node::kUnseen) return kNone;
    return first.place == place ? state : in_chain(first, state, place, false);
  }

  // The strongly fair events that are enabled in a node that was seen.
  std::uint64_t enabled(NodeId id) {
    return graph_.labels[graph_.vertices[state(id)].label()].enabled;
  }

  // Calls visit(target, label, way) for each step of a node between nodes that were seen, until it
  // returns true; returns whether it did.
  template <class Visit>
  bool each(NodeId id, Visit visit) {
    const Place place = (*this)[id].place;
    const Steps steps = graph_.vertices[state(id)].steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Arc arc = steps[i];
      const Label& label = graph_.labels[arc.label];
      for (const Way& way : ways_.of(place, label)) {
        const NodeId target = find(arc.target, way.place);
        if (target == kNone || (*this)[target].number == Node::kUnseen) continue;
        if (visit(target, label, way)) return true;
      }
    }
    return false;
  }

 private:
  struct Other {
    Node node;
    Index state;
  };

  static bool is_first(NodeId id) { return id < kOtherNodes; }
  Other& other(NodeId id) { return others_[id - kOtherNodes]; }

  NodeId in_chain(Node& first, Index state, Place place, bool make) {
    Node* last = &first;
    while (last->next != kNone) {
      const NodeId id = last->next;
      last = &other(id).node;
      if (last->place == place) return id;
    }
    if (!make) return kNone;
    if (others_.size() >= kOtherNodes - 1) throw std::length_error("more nodes than indices");
    const NodeId id = kOtherNodes + static_cast<NodeId>(others_.size());
    others_.push_back({{place, Node::kUnseen, kNone}, state});
    last->next = id;
    return id;
  }

  Graph& graph_;
  Ways& ways_;
  Chunked<Other> others_;
};

}  // namespace secateur

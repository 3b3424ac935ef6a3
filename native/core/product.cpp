#include "product.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

#include "lasso.hpp"
#include "nodes.hpp"

namespace secateur {

namespace {

// What is on the edges within a component, and on the one that leads to it.
struct Gathered {
  std::uint64_t marks = 0;
  std::uint64_t taken = 0;
  std::uint64_t enabled = 0;

  void add(const Gathered& more) {
    marks |= more.marks;
    taken |= more.taken;
    enabled |= more.enabled;
  }
};

// J.-M. Couvreur: On-the-fly verification of linear temporal logic, FM 1999, with the stack of
// roots of H. Gabow: Path-based depth-first search for strong and biconnected components, 2000.
// A component that may be gone round for ever is seen as soon as it is closed by an edge, long
// before it is complete.
//
// Deviations: marks are on edges; paths may end; a component in which a strongly fair event could
// happen and does not is looked at again when it is complete.
class Search {
 public:
  Search(Graph& graph, Automaton& automaton, const Watched& watched, Watch& watch,
         Progress& progress, Evaluator& evaluator, Arena& arena)
      : graph_(graph),
        ways_(automaton),
        nodes_(graph, ways_, arena),
        watch_(watch),
        progress_(progress),
        evaluator_(evaluator),
        all_marks_(watched.all_marks()),
        assumes_(!watched.weak.empty() || !watched.strong.empty()),
        frames_(arena),
        active_(arena),
        roots_(arena) {}

  // Returns a path that satisfies the formula; none if there is none or the watch says stop.
  std::optional<Lasso> run(const std::vector<Index>& initial) {
    for (const Index state : initial) {
      const NodeId start = nodes_.node(state, 0);
      starts_.push_back(start);
      if (nodes_[start].number != Node::kUnseen) continue;
      if (std::optional<Lasso> found = from(start)) return found;
      if (watch_.stopped()) break;
    }
    return std::nullopt;
  }

 private:
  // A node on the path.  Its steps are looked at as soon as it is entered, all of them while they
  // are at hand; those that lead to nodes not seen before are `left`, the first ones as bits.
  struct Frame {
    const std::uint32_t* data;
    std::uint64_t left;
    std::uint32_t count;
    std::uint32_t next;    // the first step that has no bit
    std::uint32_t number;  // of the node
    Place place;

    Steps steps() const { return {data, count}; }
  };

  struct Root {
    std::uint32_t number;
    Gathered inside;
    Gathered before;  // on the edge that leads to it
  };

  static constexpr std::uint64_t kOften = 1024;
  static constexpr std::size_t kBits = 64;

  std::optional<Lasso> from(NodeId start) {
    if (arrive(start, {})) return found();
    while (!frames_.empty()) {
      if (++turns_ % kOften == 0) attend();
      if (watch_.stopped()) return std::nullopt;
      const std::optional<std::uint32_t> step = next_step(frames_.back());
      if (step ? follow(*step) : leave()) return found();
    }
    return std::nullopt;
  }

  std::optional<std::uint32_t> next_step(Frame& frame) {
    if (frame.left != 0) {
      const auto step = static_cast<std::uint32_t>(std::countr_zero(frame.left));
      frame.left &= frame.left - 1;
      return step;
    }
    if (frame.next >= frame.steps().size()) return std::nullopt;
    return frame.next++;
  }

  // Follows a step to nodes that were not seen before: to the first of them, for the path goes on
  // there.  What is found then ends the search.
  bool follow(std::uint32_t step) {
    const Arc arc = frames_.back().steps()[step];
    const Label& label = graph_.labels[arc.label];
    const std::span<const Way> ways = ways_.of(frames_.back().place, label);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Way way = ways[i];
      const Gathered edge{way.kept | label.fair, label.taken, 0};
      const NodeId target = nodes_.node(arc.target, way.place);
      const std::uint32_t number = nodes_[target].number;
      if (number == Node::kUnseen) {
        if (i + 1 < ways.size()) come_back(step);
        return arrive(target, edge);
      }
      if (number != Node::kClosed && closes(number, edge)) return true;
    }
    return false;
  }

  void come_back(std::uint32_t step) {
    Frame& frame = frames_.back();
    if (step < kBits) {
      frame.left |= 1ull << step;
    } else {
      frame.next = step;
    }
  }

  // Goes to a node that was not seen before; returns whether that is the end of a path, or closes
  // a component that can be gone round for ever.
  bool arrive(NodeId id, const Gathered& before) {
    Node& node = nodes_[id];
    const Place place = node.place;
    if (!assumes_ && ways_.done(place)) {
      see(node, id, before, 0);
      end_ = id;
      return true;
    }
    const Index state = nodes_.state(id);
    const Vertex& vertex = graph_.vertices[state];
    if (!vertex.expanded()) {
      if (progress_.states.load(std::memory_order_relaxed) >= watch_.limits().states) {
        watch_.stop(Ending::kStates);
        return false;
      }
      graph_.expand(state);
    }
    see(node, id, before, graph_.labels[vertex.label()].enabled);
    Progress::add(progress_.expanded, 1);
    if (vertex.steps().size() == 0) {
      if (!vertex.doubtful() && ways_.ends(place, graph_.labels[vertex.label()])) end_ = id;
      frames_.push_back({nullptr, 0, 0, 0, node.number, place});
      return end_ != kNone;
    }
    return look_around(node.number, place, vertex.steps());
  }

  // Looks at the first steps of a node that has just been entered.
  bool look_around(std::uint32_t own, Place place, Steps steps) {
    const std::size_t count = std::min(kBits, steps.size());
    std::uint64_t left = 0;
    std::uint32_t known = kNone;  // a label, and the ways on with it
    std::span<const Way> ways;
    for (std::size_t i = 0; i < count; ++i) {
      const Arc arc = steps[i];
      const Label& label = graph_.labels[arc.label];
      if (arc.label != known) {
        ways = ways_.of(place, label);
        known = arc.label;
      }
      for (const Way& way : ways) {
        const NodeId target = nodes_.find(arc.target, way.place);
        const std::uint32_t number = target == kNone ? Node::kUnseen : nodes_[target].number;
        if (number == Node::kUnseen) {
          left |= 1ull << i;
        } else if (number != Node::kClosed) {
          if (closes(number, {way.kept | label.fair, label.taken, 0})) return true;
        }
      }
    }
    frames_.push_back(
        {steps.data(), left, steps.count(), static_cast<std::uint32_t>(count), own, place});
    return false;
  }

  void see(Node& node, NodeId id, const Gathered& before, std::uint64_t enabled) {
    active_.push_back(id);
    node.number = static_cast<std::uint32_t>(active_.size());
    roots_.push_back({node.number, {0, 0, enabled}, before});
  }

  // An edge leads back to the node with this number: everything since then is one component.
  // Returns whether that can be gone round for ever.
  bool closes(std::uint32_t number, Gathered edge) {
    while (roots_.back().number > number) {
      edge.add(roots_.back().inside);
      edge.add(roots_.back().before);
      roots_.pop_back();
    }
    Gathered& inside = roots_.back().inside;
    inside.add(edge);
    return inside.marks == all_marks_ && (inside.enabled & ~inside.taken) == 0;
  }

  // Leaves a node all of whose steps were followed, and its component if that is complete; returns
  // whether a part of that can be gone round for ever.
  bool leave() {
    const std::uint32_t number = frames_.back().number;
    frames_.pop_back();
    fetch();
    const Root root = roots_.back();
    if (root.number != number) return false;
    // If it had no strongly fair event that does not happen, it would have been noticed.
    if (root.inside.marks == all_marks_ && (root.inside.enabled & ~root.inside.taken) != 0) {
      part_ = fair_part(nodes_, active_from(root.number), all_marks_);
      if (!part_.empty()) return true;
    }
    roots_.pop_back();
    for (std::size_t i = root.number - 1; i < active_.size(); ++i) {
      nodes_[active_[i]].number = Node::kClosed;
    }
    active_.shorten(root.number - 1);
    return false;
  }

  // Fetches what will be looked at: the nodes that the last frame has left, which were seen long
  // ago, and the steps of the frame before it.
  void fetch() {
    if (frames_.size() > 1) __builtin_prefetch(frames_[frames_.size() - 2].data);
    if (frames_.empty()) return;
    const Frame& frame = frames_.back();
    for (std::uint64_t left = frame.left; left != 0; left &= left - 1) {
      graph_.vertices.prefetch(frame.steps()[std::countr_zero(left)].target);
    }
  }

  // The path that was found: to an end, or round a component, the last one if none is known.
  Lasso found() {
    if (end_ != kNone) {
      const bool open = !assumes_ && ways_.done(nodes_[end_].place);
      return way_to(nodes_, starts_, end_, open);
    }
    if (part_.empty()) part_ = active_from(roots_.back().number);
    return way_around(nodes_, starts_, part_, all_marks_);
  }

  std::vector<NodeId> active_from(std::uint32_t number) {
    std::vector<NodeId> found;
    for (std::size_t i = number - 1; i < active_.size(); ++i) found.push_back(active_[i]);
    return found;
  }

  void attend() {
    watch_.look(0);
    watch_.poll(evaluator_, nullptr);
  }

  Graph& graph_;
  Ways ways_;
  Nodes nodes_;
  Watch& watch_;
  Progress& progress_;
  Evaluator& evaluator_;
  const std::uint64_t all_marks_;
  const bool assumes_;
  std::vector<NodeId> starts_;
  Chunked<Frame> frames_;
  Chunked<NodeId> active_;  // by number - 1
  Chunked<Root> roots_;
  NodeId end_ = kNone;        // where a path ends
  std::vector<NodeId> part_;  // of a component: what can be gone round for ever
  std::uint64_t turns_ = 0;
};

}  // namespace

void Product::add_initial(Words state) {
  if (state.size() != layout_.words()) throw std::invalid_argument("wrong number of words");
  if (graph_ != nullptr) throw std::logic_error("the product was searched already");
  initial_.push_back(std::move(state));
}

Ending Product::run(const Limits& limits, Evaluator& evaluator, Automaton& automaton,
                    Relations* relations) {
  if (graph_ != nullptr) throw std::logic_error("the product was searched already");
  watched_.require_room();
  model_.prepare();
  reduction_.prepare(model_.checks.size(), relations);
  memos_ = std::make_unique<Memos>(model_, answers_);
  watch_.start(limits, {&arena_, &answers_});
  if (!symmetry_.empty() && symmetry_.merge != Merge::kCanonical) {
    throw std::invalid_argument("a product is merged by canonical forms only");
  }
  symmetry_.prepare(layout_.words());
  Reduction* const reduction = reduction_.size() == 0 ? nullptr : &reduction_;
  const Symmetry* const symmetry = symmetry_.empty() ? nullptr : &symmetry_;
  graph_ = Graph::make({model_, layout_, watched_, arena_, *memos_, evaluator, watch_, progress_,
                        reduction, symmetry, images_});
  try {
    std::vector<Index> initial;
    for (const Words& state : initial_) initial.push_back(graph_->add(state.data()));
    Search search(*graph_, automaton, watched_, watch_, progress_, evaluator, arena_);
    lasso_ = search.run(initial);
    watch_.stop(lasso_ ? Ending::kViolation : Ending::kComplete);
  } catch (const std::bad_alloc&) {
    watch_.stop(Ending::kMemory);
  } catch (const std::length_error&) {
    watch_.stop(Ending::kMemory);
  }
  return watch_.ending();
}

}  // namespace secateur

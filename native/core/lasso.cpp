#include "lasso.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace secateur {

namespace {

// A set of nodes, each with a number; one after the other in the same memory.
class Members {
 public:
  explicit Members(Nodes& nodes) : nodes_(nodes), numbers_(nodes.size(), kNone) {}

  void set(const std::vector<NodeId>& members) {
    for (const NodeId id : members_) numbers_[nodes_.in_row(id)] = kNone;
    members_ = members;
    for (std::uint32_t i = 0; i < members.size(); ++i) numbers_[nodes_.in_row(members[i])] = i;
  }

  const std::vector<NodeId>& all() const { return members_; }
  std::uint32_t number(NodeId id) const { return numbers_[nodes_.in_row(id)]; }
  bool contains(NodeId id) const { return number(id) != kNone; }

 private:
  Nodes& nodes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<NodeId> members_;
};

// What is on the edges between the members.
struct Inside {
  std::uint64_t marks = 0;
  std::uint64_t taken = 0;
  std::uint64_t enabled = 0;
  bool any = false;
};

Inside inside(Nodes& nodes, const Members& members) {
  Inside found;
  for (const NodeId id : members.all()) {
    nodes.each(id, [&](NodeId target, const Label& label, const Way& way) {
      if (members.contains(target)) {
        found.any = true;
        found.marks |= way.kept | label.fair;
        found.taken |= label.taken;
        found.enabled |= label.enabled;
      }
      return false;
    });
  }
  return found;
}

// R. Tarjan: Depth-first search and linear graph algorithms, 1972, within some nodes; all edges
// are listed first, so that there is no recursion.
class Components {
 public:
  Components(Nodes& nodes, const Members& members) : within_(members.all()) {
    for (const NodeId id : within_) {
      begins_.push_back(edges_.size());
      nodes.each(id, [&](NodeId target, const Label&, const Way&) {
        if (members.contains(target)) edges_.push_back(members.number(target));
        return false;
      });
    }
    begins_.push_back(edges_.size());
    order_.resize(within_.size());
    low_.resize(within_.size());
  }

  std::vector<std::vector<NodeId>> all() {
    for (std::uint32_t root = 0; root < within_.size(); ++root) {
      if (order_[root] == 0) run(root);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t kDone = 0xffffffffu;

  void run(std::uint32_t root) {
    std::vector<std::pair<std::uint32_t, std::size_t>> frames;
    enter(root);
    frames.emplace_back(root, begins_[root]);
    while (!frames.empty()) {
      auto& [node, edge] = frames.back();
      if (edge == begins_[node + 1]) {
        const std::uint32_t done = node;
        frames.pop_back();
        if (!frames.empty()) {
          std::uint32_t& above = low_[frames.back().first];
          above = std::min(above, low_[done]);
        }
        if (low_[done] == order_[done]) complete(done);
        continue;
      }
      const std::uint32_t next = edges_[edge++];
      if (order_[next] == 0) {
        enter(next);
        frames.emplace_back(next, begins_[next]);
      } else if (order_[next] != kDone) {
        low_[node] = std::min(low_[node], order_[next]);
      }
    }
  }

  void enter(std::uint32_t node) {
    order_[node] = low_[node] = ++count_;
    waiting_.push_back(node);
  }

  void complete(std::uint32_t node) {
    found_.emplace_back();
    for (std::uint32_t member = kDone; member != node;) {
      member = waiting_.back();
      waiting_.pop_back();
      order_[member] = kDone;
      found_.back().push_back(within_[member]);
    }
  }

  const std::vector<NodeId>& within_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> edges_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::vector<NodeId>> found_;
  std::uint32_t count_ = 0;
};

struct Link {
  NodeId before = kNone;
  Turn turn;
};

// Breadth-first from some nodes; `follow` says whether an edge may be used, `wanted` whether it
// was looked for.
class Breadth {
 public:
  using Judge = std::function<bool(NodeId, const Label&, const Way&)>;

  explicit Breadth(Nodes& nodes) : nodes_(nodes) {}

  // Goes from `starts` to the first edge that is wanted; returns the first node of the way.
  NodeId go(const std::vector<NodeId>& starts, const Judge& follow, const Judge& wanted) {
    std::vector<NodeId> todo;
    for (const NodeId start : starts) {
      if (links_.try_emplace(start).second) todo.push_back(start);
    }
    for (std::size_t i = 0; i < todo.size(); ++i) {
      const NodeId here = todo[i];
      const bool found = nodes_.each(here, [&](NodeId target, const Label& label, const Way& way) {
        if (!follow(target, label, way)) return false;
        const Link link{here, {nodes_.state(target), label, way.kept | label.fair}};
        if (wanted(target, label, way)) {
          trace(link);
          end = target;
          return true;
        }
        if (links_.try_emplace(target, link).second) todo.push_back(target);
        return false;
      });
      if (found) return start_;
    }
    throw std::logic_error("a node that was found cannot be reached");
  }

  std::vector<Turn> turns;
  NodeId end = kNone;

 private:
  void trace(const Link& last) {
    turns.push_back(last.turn);
    NodeId at = last.before;
    for (const Link* link = &links_.at(at); link->before != kNone; link = &links_.at(at)) {
      turns.push_back(link->turn);
      at = link->before;
    }
    start_ = at;
    std::ranges::reverse(turns);
  }

  Nodes& nodes_;
  std::unordered_map<NodeId, Link> links_;
  NodeId start_ = kNone;
};

bool always(NodeId, const Label&, const Way&) {
  return true;
}

// A shortest path to a node for which `wanted` is true; the last node of it is returned as well.
std::pair<Lasso, NodeId> shortest(Nodes& nodes, const std::vector<NodeId>& starts,
                                  const std::function<bool(NodeId)>& wanted) {
  for (const NodeId start : starts) {
    if (wanted(start)) return {Lasso{nodes.state(start), {}}, start};
  }
  Breadth breadth(nodes);
  const NodeId start = breadth.go(
      starts, always, [&](NodeId target, const Label&, const Way&) { return wanted(target); });
  return {Lasso{nodes.state(start), std::move(breadth.turns)}, breadth.end};
}

}  // namespace

// E. A. Emerson, C.-L. Lei: Modalities for model checking, 1987: if an event could happen somewhere
// and does nowhere, the nodes where it could are left out, and the rest is looked at again.
std::vector<NodeId> fair_part(Nodes& nodes, std::vector<NodeId> component, std::uint64_t marks) {
  Members members(nodes);
  std::vector<std::vector<NodeId>> todo;
  todo.push_back(std::move(component));
  while (!todo.empty()) {
    const std::vector<NodeId> part = std::move(todo.back());
    todo.pop_back();
    members.set(part);
    const Inside found = inside(nodes, members);
    if (!found.any || found.marks != marks) continue;
    const std::uint64_t missing = found.enabled & ~found.taken;
    if (missing == 0) return part;
    std::vector<NodeId> rest;
    for (const NodeId id : part) {
      if ((nodes.enabled(id) & missing) == 0) rest.push_back(id);
    }
    members.set(rest);
    for (std::vector<NodeId>& smaller : Components(nodes, members).all()) {
      todo.push_back(std::move(smaller));
    }
  }
  return {};
}

Lasso way_to(Nodes& nodes, const std::vector<NodeId>& starts, NodeId end, bool open) {
  Lasso lasso = shortest(nodes, starts, [end](NodeId id) { return id == end; }).first;
  lasso.open = open;
  return lasso;
}

Lasso way_around(Nodes& nodes, const std::vector<NodeId>& starts, const std::vector<NodeId>& all,
                 std::uint64_t marks) {
  Members members(nodes);
  members.set(all);
  const auto member = [&](NodeId id) { return members.contains(id); };
  auto [lasso, entry] = shortest(nodes, starts, member);
  std::uint64_t events = inside(nodes, members).enabled;
  const auto within = [&](NodeId target, const Label&, const Way&) { return member(target); };
  NodeId here = entry;
  do {
    Breadth breadth(nodes);
    const bool due = marks != 0 || events != 0;
    breadth.go({here}, within, [&](NodeId target, const Label& label, const Way& way) {
      if (!due) return target == entry;
      return ((way.kept | label.fair) & marks) != 0 || (label.taken & events) != 0;
    });
    for (const Turn& turn : breadth.turns) {
      marks &= ~turn.marks;
      events &= ~turn.label.taken;
    }
    here = breadth.end;
    lasso.loop += breadth.turns.size();
    lasso.turns.insert(lasso.turns.end(), breadth.turns.begin(), breadth.turns.end());
  } while (marks != 0 || events != 0 || here != entry);
  return lasso;
}

}  // namespace secateur

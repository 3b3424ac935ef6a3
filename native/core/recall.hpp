// Closed sets that were found before, as decision trees: how a set grows depends on no more of a
// state than was asked while it did.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "here.hpp"
#include "members.hpp"

namespace secateur {

// Instances of a closed set that happen, in ascending order.
struct ClosedSet {
  std::vector<unsigned> actions;
  std::optional<bool> harmless;  // whether it never repairs anything, once somebody asked
  bool kept = false;             // whether it is remembered, and there only once
};

// For one thread.  The first queries of a set are always the same; what is asked next depends on
// the answers so far and on nothing else, so that a set is known as soon as the same was answered.
class Recall {
 public:
  // Nothing yet, nor ever, that none is small enough and lawful, or a set.
  enum class Known { kNothing, kUnclear, kRefused, kFound };
  struct Answer {
    Known known;
    ClosedSet* set;  // if it was found
  };

  // How queries end: with a set; with none, as one of them must not be a member; with too many of
  // them; or with too many members for the state at hand, so that nobody knows how they go on.
  enum class End : std::uint32_t { kSet = 3, kRefused, kLong, kOpen };

  explicit Recall(std::size_t roots) : roots_(roots) {}

  // The set of this root in a state, unless more than `most` of it happen.
  Answer find(std::size_t root, std::size_t most, const Here& here) {
    Root& tree = roots_[root];
    if (tree.idle) return {Known::kUnclear, nullptr};
    for (std::uint32_t at = tree.node; at != kNowhere;) {
      const Node& node = nodes_[at];
      if (node.count > most || node.kind == kRefused) return answered(tree, Known::kRefused);
      if (node.kind == kSet) return answered(tree, Known::kFound, &sets_[node.at]);
      if (node.kind == kLong) return {Known::kUnclear, nullptr};
      if (node.kind == kOpen) break;
      const std::uint64_t answer =
          node.kind == Query::kUntrue ? here.untrue(node.at) : here.happens()[node.at] & node.mask;
      if (answer == node.answer) {
        at = node.next;
        continue;
      }
      if (node.kind == Query::kJoining && node.count + count_of(answer) > most) {
        return answered(tree, Known::kRefused);
      }
      at = other(node.others, answer);
    }
    return {Known::kNothing, nullptr};
  }

  // Whether it is likely to be of use to remember more sets of a root.
  bool worth_while(std::size_t root) {
    Root& tree = roots_[root];
    tree.idle = ++tree.misses > kFirstMisses + tree.hits / 16;
    return !tree.idle && nodes_.size() < kMostNodes;
  }

  // Remembers what was asked, how many members that happen were known then, and what came of it;
  // the set, if there is one.
  void learn(std::size_t root, std::span<const Query> queries, std::size_t count, End end,
             const std::vector<unsigned>& actions) {
    std::uint32_t at = roots_[root].node;
    if (at == kNowhere) at = roots_[root].node = added();
    for (const Query& query : queries) {
      if (nodes_[at].kind == kOpen) {
        const std::uint32_t next = added();
        nodes_[at] = {query.mask, query.answer, next, kNowhere, query.kind, query.at, query.count};
      }
      at = step(at, query.answer);
      if (at == kNowhere) return;
    }
    nodes_[at].count = count;
    nodes_[at].kind = static_cast<std::uint32_t>(end);
    if (end != End::kSet) return;
    const auto fresh = static_cast<std::uint32_t>(sets_.size());
    const auto [known, added] = numbers_.try_emplace(actions, fresh);
    if (added) sets_.push_back({actions, std::nullopt, true});
    nodes_[at].at = known->second;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  static constexpr std::size_t kMostNodes = std::size_t{1} << 16;  // 3 MB
  static constexpr std::size_t kFirstMisses = 64;
  static constexpr std::size_t kMostAnswers = 16;
  // Nodes are queries or ends.
  static constexpr auto kSet = static_cast<std::uint32_t>(End::kSet);
  static constexpr auto kRefused = static_cast<std::uint32_t>(End::kRefused);
  static constexpr auto kLong = static_cast<std::uint32_t>(End::kLong);
  static constexpr auto kOpen = static_cast<std::uint32_t>(End::kOpen);

  struct Node {
    std::uint64_t mask = 0;
    std::uint64_t answer = 0;         // one of those known
    std::uint32_t next = kNowhere;    // after that
    std::uint32_t others = kNowhere;  // the first edge with another answer
    std::uint32_t kind = kOpen;
    std::uint32_t at = 0;
    std::size_t count = 0;  // of members that happen, so far
  };
  struct Edge {
    std::uint64_t answer;
    std::uint32_t to;
    std::uint32_t next;  // edge
  };
  struct Root {
    std::uint32_t node = kNowhere;
    std::size_t hits = 0;
    std::size_t misses = 0;
    bool idle = false;  // nobody looks at it any more, as the same hardly ever comes again
  };

  static Answer answered(Root& root, Known known, ClosedSet* set = nullptr) {
    ++root.hits;
    return {known, set};
  }

  std::uint32_t other(std::uint32_t edge, std::uint64_t answer) const {
    while (edge != kNowhere && edges_[edge].answer != answer) edge = edges_[edge].next;
    return edge == kNowhere ? kNowhere : edges_[edge].to;
  }

  std::uint32_t added() {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  // The node after an answer, which is made if there is none; unless there are too many of them
  // already, so that it is no use to go on here.
  std::uint32_t step(std::uint32_t at, std::uint64_t answer) {
    if (nodes_[at].answer == answer) return nodes_[at].next;
    const std::uint32_t known = other(nodes_[at].others, answer);
    if (known != kNowhere) return known;
    std::size_t others = 0;
    for (std::uint32_t e = nodes_[at].others; e != kNowhere; e = edges_[e].next) ++others;
    if (others == kMostAnswers) {
      nodes_[at].kind = kLong;
      return kNowhere;
    }
    const std::uint32_t fresh = added();
    edges_.push_back({answer, fresh, nodes_[at].others});
    nodes_[at].others = static_cast<std::uint32_t>(edges_.size() - 1);
    return fresh;
  }

  std::vector<Root> roots_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::deque<ClosedSet> sets_;
  std::map<std::vector<unsigned>, std::uint32_t> numbers_;  // of these
};

}  // namespace secateur

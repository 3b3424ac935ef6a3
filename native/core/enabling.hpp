// Paths of the enable graph, as A2 of ample sets asks for them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "members.hpp"
#include "reduction.hpp"

namespace secateur {

// The enable graph does not change, so what was found out about a set of one instance holds in
// every state.
class EnablingPaths {
 public:
  using Actions = std::vector<unsigned>;

  EnablingPaths(Reduction& reduction, const Instances& happens)
      : reduction_(reduction),
        happens_(happens),
        members_(reduction.size(), happens),
        seeds_(reduction.size()),
        belong_(reduction.size()),
        dependent_(reduction.size()),
        known_(reduction.size() <= kMostRemembered ? reduction.size() : 0) {}

  // Whether what happens and is none of these can lead to something that depends on one of them.
  bool lead_to_dependents(const Actions& actions) {
    if (actions.size() != 1 || known_.empty()) {
      return prepare(actions) && search_from_seeds();
    }
    const unsigned only = actions.front();
    if (known_[only] == nullptr) known_[only] = std::make_unique<Known>(reduction_.size());
    return lead_to_dependents(actions, *known_[only]);
  }

 private:
  static constexpr std::size_t kMostRemembered = 4096;  // instances; that is 4 MB

  // From which instances a dependent one can be reached, and from which it cannot.
  struct Known {
    explicit Known(std::size_t size) : lead(size), safe(size) {}

    Instances lead;
    Instances safe;
  };

  bool lead_to_dependents(const Actions& actions, Known& known) {
    known.safe.add(actions.front());  // it is no way to itself
    std::uint64_t unknown = 0;
    for (std::size_t word = 0; word < happens_.words(); ++word) {
      if ((happens_[word] & known.lead[word]) != 0) return true;
      unknown |= happens_[word] & ~known.safe[word];
    }
    return unknown != 0 && find_out(actions, known);
  }

  // Looks at each instance that happens and of which nothing is known, until one leads somewhere.
  bool find_out(const Actions& actions, Known& known) {
    const bool some = prepare(actions);
    for (std::size_t word = 0; word < happens_.words(); ++word) {
      for (std::uint64_t left = seeds_[word] & ~known.safe[word]; left != 0; left &= left - 1) {
        const auto seed =
            static_cast<unsigned>(64 * word) + static_cast<unsigned>(std::countr_zero(left));
        if (known.safe.has(seed)) continue;
        members_.begin(seed);
        if (some && search()) {
          known.lead.add(seed);
          return true;
        }
        known.safe.add(members_.all());
      }
    }
    return false;
  }

  // Returns whether there is anything that could be reached.
  bool prepare(const Actions& actions) {
    belong_.clear();
    dependent_.clear();
    for (const unsigned a : actions) {
      belong_.add(a);
      dependent_.add(reduction_.chunks(Relation::kDependents, a));
    }
    for (std::size_t word = 0; word < seeds_.words(); ++word) {
      dependent_[word] &= ~belong_[word];
      seeds_[word] = happens_[word] & ~belong_[word];
    }
    return !dependent_.empty();
  }

  bool search_from_seeds() {
    members_.begin(seeds_, reduction_.size());
    return search();
  }

  // Follows the graph from the present members; returns whether a dependent instance is reached.
  bool search() {
    bool found = false;
    members_.close(reduction_.size(), [&](unsigned a) -> std::span<const Chunk> {
      row_.clear();
      for (const auto [word, bits] : reduction_.chunks(Relation::kEnabled, a)) {
        found = found || (bits & dependent_[word]) != 0;
        row_.push_back({word, bits & ~belong_[word]});
      }
      if (!found) return row_;
      members_.stop();
      return {};
    });
    return found;
  }

  Reduction& reduction_;
  const Instances& happens_;
  Members members_;
  Instances seeds_;
  Instances belong_;
  Instances dependent_;
  Reduction::Chunks row_;
  std::vector<std::unique_ptr<Known>> known_;  // by instance
};

}  // namespace secateur

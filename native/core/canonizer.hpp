// Canonical forms of states: individualisation and refinement, as engine/symmetry/canonical.py has
// it.  One for each thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "symmetry.hpp"

namespace secateur {

class Canonizer {
 public:
  Canonizer(const Symmetry& symmetry, std::size_t words, Images* images);

  // Replaces a state by its canonical form.
  void canonize(std::uint64_t* state);
  // How many states have the canonical form that was found last, where the constants are those.
  double orbit(const Stabiliser& stabiliser) const;
  // A hash that symmetric states have in common; others may, too.
  std::uint64_t marker(const std::uint64_t* state);
  // Takes a state that is to be renamed, once or several times.
  void look(const std::uint64_t* state);
  // Writes what a renaming makes of it.
  void rename(const Renaming& renaming, std::uint64_t* to);

 private:
  using Colours = std::array<Element, kMostElements>;

  // A unit that is there and says something.
  struct Fact {
    std::uint32_t unit;
    std::uint64_t code;
  };

  std::span<const Fact> facts() const { return {facts_.data(), fact_count_}; }

  // Elements in the order of their colours.  The colour is the place of the first of a cell.
  struct Partition {
    Colours colour;
    Colours at;  // the element in each place
  };

  std::uint64_t marker(const std::uint64_t* state, const Stabiliser& stabiliser);
  void begin(const Stabiliser& stabiliser, Partition& partition) const;
  bool refine(Partition& partition);
  void sign(const Colours& colours);
  bool split(Partition& partition);
  std::uint64_t seen(unsigned space, std::uint64_t code, const Colours& colours) const;
  void mention(unsigned space, std::uint64_t code, std::uint64_t mark);
  std::uint64_t image(unsigned space, std::uint64_t code, const Renaming& renaming);
  std::uint64_t opaque_image(unsigned space, std::uint64_t code, const Renaming& renaming);

  void search(const std::uint64_t* state, const Stabiliser& stabiliser);
  void descend(Partition partition, std::size_t depth, bool leftmost);
  bool alike(Element one, Element other, std::size_t depth);
  bool in_orbit(Element one, Element other, std::size_t depth) const;
  void count_interchangeable(const Partition& partition);
  void arrive(const Partition& partition);
  void remember(const Renaming& other);

  const Symmetry& symmetry_;
  const std::size_t words_;
  Images* const images_;
  const std::size_t elements_;

  const std::uint64_t* state_ = nullptr;
  std::vector<Fact> facts_;  // the first of them count
  std::size_t fact_count_ = 0;
  bool related_ = false;  // some fact is about several elements
  std::array<std::uint64_t, kMostElements> signs_{};

  std::vector<std::uint64_t> start_;
  std::vector<std::uint64_t> candidate_;
  std::vector<std::uint64_t> best_;
  bool found_ = false;
  bool best_here_ = false;  // the best one so far is of this very state, not of a renamed one
  Renaming best_renaming_;
  std::vector<std::uint64_t> first_;  // what the first end of the tree leads to
  Renaming first_renaming_;
  bool arrived_ = false;
  bool reached_ = false;  // this tree has an end that is as good as the best
  double kept_ = 0;       // how many permutations keep the state
  double kept_here_ = 0;  // those of this tree
  Renaming renaming_;
  Renaming swap_;
  std::vector<Renaming> automorphisms_;
  Colours tried_{};
  std::map<std::pair<std::pair<unsigned, std::uint64_t>, Renaming>, std::uint64_t> images_known_;
};

// The canonical form of a state, and how many states have the same one.
inline std::pair<std::vector<std::uint64_t>, double> canonical_form(
    const Symmetry& symmetry, Images* images, std::vector<std::uint64_t> state) {
  if (symmetry.empty() || state.size() != symmetry.moved().size()) {
    throw std::invalid_argument("no state with canonical forms");
  }
  Canonizer canonizer(symmetry, state.size(), images);
  canonizer.canonize(state.data());
  const double orbit = canonizer.orbit(symmetry.stabiliser(state.data()));
  return {std::move(state), orbit};
}

}  // namespace secateur

// Which parts of a state permutations of elements move, and where to; the native twin of
// engine/symmetry works on these.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace secateur {

// Elements that may be exchanged, of all sets, are numbered one after the other.
using Element = std::uint8_t;
inline constexpr std::size_t kMostElements = 64;

// By element, the one that it becomes.
using Renaming = std::vector<Element>;

// The values that are stored as a number: its code.
struct ValueSpace {
  enum class Kind {
    kPlain,    // no element is in them
    kElement,  // elements of a set, some of which may be exchanged
    kPair,     // pairs: the code of the left part times `right_size`, and that of the right one
    kSubset,   // sets: a bit for each value of `left`
    kOpaque,   // whatever somebody else knows
  };
  static constexpr std::int16_t kFixed = -1;

  Kind kind = Kind::kPlain;
  std::vector<std::int16_t> elements;  // kElement: by code, or kFixed
  std::vector<std::uint16_t> codes;    // kElement: by element
  unsigned left = 0;                   // the number of a space
  unsigned right = 0;
  std::uint64_t right_size = 1;
};

// A coordinate of a unit among those of its variable that can move.
struct Coordinate {
  unsigned space;
  std::uint32_t code;
  std::uint32_t stride;
};

// An element that is part of where a unit is; those of one role are in no order.
struct Mention {
  Element element;
  std::uint8_t role;
};

// A number in a state that may move, or that may be replaced by another.
struct Unit {
  enum class Form : std::uint8_t {
    kLocal,   // it belongs to one element and says nothing of others: it moves with it
    kHolder,  // it says which element something is, and stays where it is
    kOther,
  };

  std::uint32_t word;
  std::uint8_t shift;
  std::uint8_t width;
  // It is there if the number in these bits is greater than `least`; always, if the width is 0.
  std::uint8_t presence_width;
  std::uint8_t presence_shift;
  std::uint32_t presence_word;
  std::uint32_t least;
  unsigned space;       // what its values are
  std::uint64_t place;  // what of its place no permutation changes, hashed
  std::uint32_t first_coordinate;
  std::uint32_t coordinates;
  std::uint32_t first_mention;
  std::uint32_t mentions;
  Form form = Form::kOther;
  bool plain = false;  // no element is in its values

  bool present(const std::uint64_t* state) const;
};

// The permutations under which the constants of a solution stay what they are: first one of the
// renamings, then any permutation within the cells.  For flooding, the renamings are all of them.
struct Stabiliser {
  std::vector<std::vector<Element>> cells;
  std::vector<Renaming> renamings;
  std::vector<Element> names;    // the elements, cell by cell
  std::vector<Element> colours;  // by element, the place of the first name of its cell
};

enum class Merge { kCanonical, kFlood, kMarkers };

class Symmetry {
 public:
  std::size_t elements = 0;
  Merge merge = Merge::kCanonical;
  std::vector<ValueSpace> spaces;
  std::vector<Unit> units;
  std::vector<Coordinate> coordinates;
  std::vector<Mention> mentions;
  std::vector<Stabiliser> stabilisers;  // by solution of the constants
  std::uint32_t solution_word = 0;
  std::uint8_t solution_shift = 0;
  std::uint8_t solution_width = 0;  // 0 if there is just one

  bool empty() const { return elements == 0; }

  // Called once, when everything is there.
  void prepare(std::size_t words);

  const Stabiliser& stabiliser(const std::uint64_t* state) const {
    if (solution_width == 0) return stabilisers[0];
    const std::uint64_t mask = (std::uint64_t{1} << solution_width) - 1;
    return stabilisers[state[solution_word] >> solution_shift & mask];
  }
  // The bits of the units, word by word.
  const std::vector<std::uint64_t>& moved() const { return moved_; }

 private:
  std::vector<std::uint64_t> moved_;
};

inline std::uint64_t low_bits(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

inline bool Unit::present(const std::uint64_t* state) const {
  return presence_width == 0 ||
         (state[presence_word] >> presence_shift & low_bits(presence_width)) > least;
}

inline void Symmetry::prepare(std::size_t words) {
  if (elements > kMostElements) throw std::invalid_argument("too many elements");
  if (!empty() && stabilisers.empty()) throw std::invalid_argument("no stabiliser");
  for (ValueSpace& space : spaces) {
    space.codes.assign(elements, 0);
    for (std::size_t code = 0; code < space.elements.size(); ++code) {
      const std::int16_t e = space.elements[code];
      if (e != ValueSpace::kFixed) {
        space.codes.at(static_cast<std::size_t>(e)) = static_cast<std::uint16_t>(code);
      }
    }
  }
  for (Stabiliser& each : stabilisers) {
    each.colours.assign(elements, 0);
    for (const std::vector<Element>& cell : each.cells) {
      const auto first = static_cast<Element>(each.names.size());
      for (const Element e : cell) {
        each.names.push_back(e);
        each.colours.at(e) = first;
      }
    }
    if (each.names.size() != elements) throw std::invalid_argument("cells are no partition");
  }
  moved_.assign(words, 0);
  for (Unit& unit : units) {
    if (unit.word >= words || unit.space >= spaces.size()) throw std::invalid_argument("no unit");
    moved_[unit.word] |= low_bits(unit.width) << unit.shift;
    const ValueSpace::Kind kind = spaces[unit.space].kind;
    unit.plain = kind == ValueSpace::Kind::kPlain;
    const bool one =
        unit.mentions == 1 && unit.coordinates == 1 &&
        spaces[coordinates[unit.first_coordinate].space].kind == ValueSpace::Kind::kElement;
    if (unit.plain && one) unit.form = Unit::Form::kLocal;
    if (kind == ValueSpace::Kind::kElement && unit.coordinates == 0) {
      unit.form = Unit::Form::kHolder;
    }
  }
}

// Whoever knows what becomes of a value that is known by its number only.
class Images {
 public:
  Images() = default;
  Images(const Images&) = delete;
  Images& operator=(const Images&) = delete;
  virtual ~Images() = default;

  virtual std::uint64_t image(unsigned space, std::uint64_t code, const Renaming& renaming) = 0;
};

}  // namespace secateur

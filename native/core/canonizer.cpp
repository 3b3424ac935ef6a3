#include "canonizer.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace secateur {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

// Enough where many of these are added up.
std::uint64_t quick_mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 29;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return mix(a * 0x9e3779b97f4a7c15u + b);
}

std::uint64_t number_at(const std::uint64_t* state, std::uint32_t word, unsigned shift,
                        unsigned width) {
  return state[word] >> shift & low_bits(width);
}

// Beyond the roles of the coordinates.
constexpr std::uint64_t kValueRole = 1u << 16;

}  // namespace

Canonizer::Canonizer(const Symmetry& symmetry, std::size_t words, Images* images)
    : symmetry_(symmetry),
      words_(words),
      images_(images),
      elements_(symmetry.elements),
      start_(words),
      candidate_(words),
      best_(words),
      best_renaming_(elements_),
      renaming_(elements_),
      swap_(elements_) {
  facts_.resize(symmetry.units.size());
  std::iota(swap_.begin(), swap_.end(), Element{0});
}

// Finds what is to be known of a state: what is 0 and of no element, or not there, says nothing
// that the rest does not.
void Canonizer::look(const std::uint64_t* state) {
  state_ = state;
  fact_count_ = 0;
  related_ = false;
  const Unit* const units = symmetry_.units.data();
  const auto count = static_cast<std::uint32_t>(symmetry_.units.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Unit& unit = units[i];
    const std::uint64_t code = number_at(state, unit.word, unit.shift, unit.width);
    if (code == 0 && unit.plain) continue;
    if (!unit.present(state)) continue;
    facts_[fact_count_++] = {i, code};
    related_ = related_ || unit.form == Unit::Form::kOther;
  }
}

void Canonizer::begin(const Stabiliser& stabiliser, Partition& partition) const {
  std::copy(stabiliser.names.begin(), stabiliser.names.end(), partition.at.begin());
  std::copy(stabiliser.colours.begin(), stabiliser.colours.end(), partition.colour.begin());
}

// What a value looks like if of elements only the colours are seen.
std::uint64_t Canonizer::seen(unsigned space, std::uint64_t code, const Colours& colours) const {
  const ValueSpace& here = symmetry_.spaces[space];
  switch (here.kind) {
    case ValueSpace::Kind::kPlain:
      return code;
    case ValueSpace::Kind::kElement: {
      const std::int16_t e = here.elements[code];
      return e == ValueSpace::kFixed ? code
                                     : (std::uint64_t{1} << 32) + colours[static_cast<Element>(e)];
    }
    case ValueSpace::Kind::kPair:
      return mix(seen(here.left, code / here.right_size, colours),
                 seen(here.right, code % here.right_size, colours));
    case ValueSpace::Kind::kSubset: {
      std::uint64_t sum = 0;
      for (std::uint64_t rest = code; rest != 0; rest &= rest - 1) {
        sum += mix(seen(here.left, static_cast<std::uint64_t>(std::countr_zero(rest)), colours));
      }
      return sum;
    }
    case ValueSpace::Kind::kOpaque:
      return 0;
  }
  return 0;
}

// Lets the elements in a value know that they are in it, and in which place of it.
void Canonizer::mention(unsigned space, std::uint64_t code, std::uint64_t mark) {
  const ValueSpace& here = symmetry_.spaces[space];
  switch (here.kind) {
    case ValueSpace::Kind::kElement:
      if (const std::int16_t e = here.elements[code]; e != ValueSpace::kFixed) {
        signs_[static_cast<std::size_t>(e)] += mix(mark);
      }
      break;
    case ValueSpace::Kind::kPair:
      mention(here.left, code / here.right_size, mix(mark, 1));
      mention(here.right, code % here.right_size, mix(mark, 2));
      break;
    case ValueSpace::Kind::kSubset:
      for (std::uint64_t rest = code; rest != 0; rest &= rest - 1) {
        mention(here.left, static_cast<std::uint64_t>(std::countr_zero(rest)), mix(mark, 3));
      }
      break;
    default:
      break;
  }
}

// Signs each element with all facts that mention it.
void Canonizer::sign(const Colours& colours) {
  std::fill_n(signs_.begin(), elements_, 0);
  for (const Fact& fact : facts()) {
    const Unit& unit = symmetry_.units[fact.unit];
    if (unit.form == Unit::Form::kLocal) {
      signs_[symmetry_.mentions[unit.first_mention].element] +=
          quick_mix(unit.place + fact.code * 0x9e3779b97f4a7c15u);
      continue;
    }
    if (unit.form == Unit::Form::kHolder) {
      const std::int16_t e = symmetry_.spaces[unit.space].elements[fact.code];
      if (e != ValueSpace::kFixed) signs_[static_cast<std::size_t>(e)] += quick_mix(~unit.place);
      continue;
    }
    const Mention* const mentions = symmetry_.mentions.data() + unit.first_mention;
    std::uint64_t look = mix(unit.place, seen(unit.space, fact.code, colours));
    if (unit.mentions == 1) {
      look += colours[mentions[0].element];
      signs_[mentions[0].element] += mix(look);
    } else if (unit.mentions > 1) {
      std::uint64_t together = 0;
      for (std::uint32_t i = 0; i < unit.mentions; ++i) {
        together += mix(mentions[i].role, colours[mentions[i].element]);
      }
      look = mix(look, together);
      for (std::uint32_t i = 0; i < unit.mentions; ++i) {
        signs_[mentions[i].element] += mix(look, mentions[i].role);
      }
    }
    if (symmetry_.spaces[unit.space].kind != ValueSpace::Kind::kPlain) {
      mention(unit.space, fact.code, look + kValueRole);
    }
  }
}

// Splits the cells by signs; returns whether there are more of them now.
bool Canonizer::split(Partition& partition) {
  bool more = false;
  for (std::size_t begin = 0; begin < elements_;) {
    const Element colour = partition.colour[partition.at[begin]];
    std::size_t end = begin + 1;
    while (end < elements_ && partition.colour[partition.at[end]] == colour) ++end;
    if (end - begin > 1) {
      Element* const at = partition.at.data();
      // The cells are small: this is insertion sort.
      for (std::size_t i = begin + 1; i < end; ++i) {
        const Element e = at[i];
        std::size_t j = i;
        for (; j > begin && signs_[at[j - 1]] > signs_[e]; --j) at[j] = at[j - 1];
        at[j] = e;
      }
      std::size_t first = begin;
      for (std::size_t i = begin + 1; i < end; ++i) {
        if (signs_[at[i]] != signs_[at[i - 1]]) {
          first = i;
          more = true;
        }
        partition.colour[at[i]] = static_cast<Element>(first);
      }
    }
    begin = end;
  }
  return more;
}

// Returns whether each element has a colour of its own.
bool Canonizer::refine(Partition& partition) {
  for (;;) {
    sign(partition.colour);
    const bool more = split(partition);
    bool discrete = true;
    for (std::size_t place = 0; place < elements_ && discrete; ++place) {
      discrete = partition.colour[partition.at[place]] == place;
    }
    if (discrete) return true;
    if (!more || !related_) return false;
  }
}

std::uint64_t Canonizer::opaque_image(unsigned space, std::uint64_t code,
                                      const Renaming& renaming) {
  const std::pair key{std::pair{space, code}, renaming};
  const auto known = images_known_.find(key);
  if (known != images_known_.end()) return known->second;
  if (images_ == nullptr) throw std::logic_error("nobody knows the images");
  const std::uint64_t image = images_->image(space, code, renaming);
  images_known_.emplace(key, image);
  return image;
}

std::uint64_t Canonizer::image(unsigned space, std::uint64_t code, const Renaming& renaming) {
  const ValueSpace& here = symmetry_.spaces[space];
  switch (here.kind) {
    case ValueSpace::Kind::kPlain:
      return code;
    case ValueSpace::Kind::kElement: {
      const std::int16_t e = here.elements[code];
      if (e == ValueSpace::kFixed) return code;
      return here.codes[renaming[static_cast<std::size_t>(e)]];
    }
    case ValueSpace::Kind::kPair:
      return image(here.left, code / here.right_size, renaming) * here.right_size +
             image(here.right, code % here.right_size, renaming);
    case ValueSpace::Kind::kSubset: {
      std::uint64_t bits = 0;
      for (std::uint64_t rest = code; rest != 0; rest &= rest - 1) {
        const auto member = static_cast<std::uint64_t>(std::countr_zero(rest));
        bits |= std::uint64_t{1} << image(here.left, member, renaming);
      }
      return bits;
    }
    case ValueSpace::Kind::kOpaque:
      return opaque_image(space, code, renaming);
  }
  return code;
}

void Canonizer::rename(const Renaming& renaming, std::uint64_t* to) {
  for (std::size_t i = 0; i < words_; ++i) to[i] = state_[i] & ~symmetry_.moved()[i];
  for (const Fact& fact : facts()) {
    const Unit& unit = symmetry_.units[fact.unit];
    if (unit.form == Unit::Form::kLocal) {
      const Coordinate& only = symmetry_.coordinates[unit.first_coordinate];
      const Element to_whom = renaming[symmetry_.mentions[unit.first_mention].element];
      const std::uint32_t code = symmetry_.spaces[only.space].codes[to_whom];
      const Unit& there = symmetry_.units[fact.unit + (code - only.code) * only.stride];
      to[there.word] |= fact.code << there.shift;
      continue;
    }
    std::uint64_t target = fact.unit;
    for (std::uint32_t i = 0; i < unit.coordinates; ++i) {
      const Coordinate& each = symmetry_.coordinates[unit.first_coordinate + i];
      target += (image(each.space, each.code, renaming) - each.code) * each.stride;
    }
    const Unit& there = symmetry_.units[static_cast<std::size_t>(target)];
    to[there.word] |= image(unit.space, fact.code, renaming) << there.shift;
  }
}

void Canonizer::canonize(std::uint64_t* state) {
  const Stabiliser& stabiliser = symmetry_.stabiliser(state);
  found_ = false;
  kept_ = 0;
  if (stabiliser.renamings.size() > 1) {
    for (const Renaming& first : stabiliser.renamings) {
      look(state);
      rename(first, start_.data());
      search(start_.data(), stabiliser);
    }
  } else {
    search(state, stabiliser);
  }
  std::copy(best_.begin(), best_.end(), state);
}

// Looks for the best end of a tree.  Where it is as good as the best before, there are as many
// more permutations that keep the state; where it is better, those before do not count.
void Canonizer::search(const std::uint64_t* state, const Stabiliser& stabiliser) {
  look(state);
  automorphisms_.clear();
  best_here_ = arrived_ = reached_ = false;
  const bool before = found_;
  kept_here_ = 1;
  Partition partition;
  begin(stabiliser, partition);
  descend(partition, 0, true);
  if (best_here_) kept_ = 0;
  if (best_here_ || (before && reached_)) kept_ += kept_here_;
}

double Canonizer::orbit(const Stabiliser& stabiliser) const {
  double group = static_cast<double>(stabiliser.renamings.size());
  for (const std::vector<Element>& cell : stabiliser.cells) {
    for (std::size_t i = 2; i <= cell.size(); ++i) group *= static_cast<double>(i);
  }
  return group / kept_;
}

std::uint64_t Canonizer::marker(const std::uint64_t* state) {
  const Stabiliser& stabiliser = symmetry_.stabiliser(state);
  if (stabiliser.renamings.size() == 1) return marker(state, stabiliser);
  std::uint64_t sum = 0;
  for (const Renaming& first : stabiliser.renamings) {
    look(state);
    rename(first, start_.data());
    sum += marker(start_.data(), stabiliser);
  }
  return mix(sum);
}

std::uint64_t Canonizer::marker(const std::uint64_t* state, const Stabiliser& stabiliser) {
  look(state);
  Partition partition;
  begin(stabiliser, partition);
  refine(partition);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    sum = mix(sum, state[i] & ~symmetry_.moved()[i]);
  }
  sign(partition.colour);
  std::uint64_t looks = 0;
  for (std::size_t e = 0; e < elements_; ++e) looks += mix(partition.colour[e], signs_[e]);
  for (const Fact& fact : facts()) {
    const Unit& unit = symmetry_.units[fact.unit];
    if (unit.mentions == 0) looks += mix(unit.place, seen(unit.space, fact.code, partition.colour));
  }
  return mix(sum, looks);
}

void Canonizer::descend(Partition partition, std::size_t depth, bool leftmost) {
  if (refine(partition) || !related_) {
    if (leftmost) count_interchangeable(partition);
    return arrive(partition);
  }
  std::size_t begin = 0;
  while (partition.colour[partition.at[begin + 1]] != partition.colour[partition.at[begin]]) {
    ++begin;
  }
  const Element colour = partition.colour[partition.at[begin]];
  std::size_t end = begin + 1;
  while (end < elements_ && partition.colour[partition.at[end]] == colour) ++end;
  for (std::size_t i = begin; i < end; ++i) {
    const Element element = partition.at[i];
    bool known = false;
    for (std::size_t j = begin; j < i && !known; ++j) {
      known = alike(element, partition.at[j], depth);
    }
    if (known) continue;
    Partition finer = partition;
    std::swap(finer.at[begin], finer.at[i]);
    for (std::size_t j = begin + 1; j < end; ++j) {
      finer.colour[finer.at[j]] = static_cast<Element>(begin + 1);
    }
    tried_[depth] = element;
    descend(finer, depth + 1, leftmost && i == begin);
  }
  if (!leftmost) return;
  // Of all permutations that keep what was tried before, as many move the first one here as there
  // are elements to which it can be moved.
  std::size_t images = 1;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (alike(partition.at[i], partition.at[begin], depth)) ++images;
  }
  kept_here_ *= static_cast<double>(images);
}

// Elements that still have one colour at the end of a tree can be exchanged.
void Canonizer::count_interchangeable(const Partition& partition) {
  std::size_t first = 0;
  for (std::size_t place = 0; place < elements_; ++place) {
    if (partition.colour[partition.at[place]] == place) first = place;
    kept_here_ *= static_cast<double>(place - first + 1);
  }
}

bool Canonizer::alike(Element one, Element other, std::size_t depth) {
  swap_[one] = other;
  swap_[other] = one;
  rename(swap_, candidate_.data());
  swap_[one] = one;
  swap_[other] = other;
  if (std::equal(candidate_.begin(), candidate_.end(), state_)) return true;
  return in_orbit(one, other, depth);
}

bool Canonizer::in_orbit(Element one, Element other, std::size_t depth) const {
  std::uint64_t orbit = std::uint64_t{1} << one;
  std::uint64_t todo = orbit;
  while (todo != 0) {
    const int here = std::countr_zero(todo);
    todo &= todo - 1;
    for (const Renaming& automorphism : automorphisms_) {
      const bool keeps =
          std::all_of(tried_.begin(), tried_.begin() + static_cast<std::ptrdiff_t>(depth),
                      [&](Element t) { return automorphism[t] == t; });
      if (!keeps) continue;
      const std::uint64_t there = std::uint64_t{1} << automorphism[static_cast<std::size_t>(here)];
      if ((orbit & there) == 0) {
        orbit |= there;
        todo |= there;
      }
    }
  }
  return (orbit >> other & 1) != 0;
}

// Each element gets the name whose place it has.
void Canonizer::arrive(const Partition& partition) {
  const std::vector<Element>& names = symmetry_.stabiliser(state_).names;
  bool same = true;
  for (std::size_t place = 0; place < elements_; ++place) {
    renaming_[partition.at[place]] = names[place];
    same = same && partition.at[place] == names[place];
  }
  if (same) {
    std::copy_n(state_, words_, candidate_.begin());
  } else {
    rename(renaming_, candidate_.data());
  }
  if (!arrived_) {
    arrived_ = true;
    first_ = candidate_;
    first_renaming_ = renaming_;
  } else if (candidate_ == first_) {
    remember(first_renaming_);
  } else if (candidate_ == best_ && best_here_) {
    remember(best_renaming_);
  }
  reached_ = reached_ || (found_ && candidate_ == best_);
  if (!found_ || candidate_ < best_) {
    found_ = true;
    best_here_ = reached_ = true;
    best_ = candidate_;
    best_renaming_ = renaming_;
  }
}

// Two renamings that lead to the same: one, and the other undone, keep the state.
void Canonizer::remember(const Renaming& other) {
  if (!related_) return;
  Renaming automorphism(elements_);
  for (std::size_t e = 0; e < elements_; ++e) {
    const auto old = std::find(other.begin(), other.end(), renaming_[e]);
    automorphism[e] = static_cast<Element>(old - other.begin());
  }
  automorphisms_.push_back(std::move(automorphism));
}

}  // namespace secateur

// Symmetry, as Python tells it.
#pragma once

#include <memory>

#include "canonizer.hpp"
#include "python.hpp"

namespace secateur {

// Asks a Python function.
class PythonImages final : public Images {
 public:
  explicit PythonImages(nb::object image) : image_(std::move(image)) {}

  std::uint64_t image(unsigned space, std::uint64_t code, const Renaming& renaming) override {
    const nb::gil_scoped_acquire lock;
    nb::list names;
    for (const Element e : renaming) names.append(static_cast<unsigned>(e));
    return nb::cast<std::uint64_t>(image_(space, code, names));
  }

 private:
  nb::object image_;
};

inline ValueSpace::Kind kind_of(const std::string& name) {
  using Kind = ValueSpace::Kind;
  constexpr std::pair<const char*, Kind> kKinds[] = {{"plain", Kind::kPlain},
                                                     {"element", Kind::kElement},
                                                     {"pair", Kind::kPair},
                                                     {"subset", Kind::kSubset},
                                                     {"opaque", Kind::kOpaque}};
  for (const auto& [known, kind] : kKinds) {
    if (name == known) return kind;
  }
  throw std::invalid_argument("unknown space: " + name);
}

inline Merge merge_of(const std::string& name) {
  constexpr std::pair<const char*, Merge> kMerges[] = {
      {"canonical", Merge::kCanonical}, {"flood", Merge::kFlood}, {"markers", Merge::kMarkers}};
  for (const auto& [known, merge] : kMerges) {
    if (name == known) return merge;
  }
  throw std::invalid_argument("unknown strategy: " + name);
}

// Whoever has a symmetry, and images of what is opaque.
template <class X>
void bind_symmetry(nb::class_<X>& c) {
  c.def(
      "set_symmetry",
      [](X& x, const std::string& merge, std::size_t elements, nb::object image) {
        x.symmetry().merge = merge_of(merge);
        x.symmetry().elements = elements;
        x.images = std::make_unique<PythonImages>(std::move(image));
        x.set_images(x.images.get());
      },
      nb::arg("merge"), nb::arg("elements"), nb::arg("image"));
  c.def(
      "add_space",
      [](X& x, const std::string& kind, std::vector<std::int16_t> members, unsigned left,
         unsigned right, std::uint64_t right_size) {
        ValueSpace space{kind_of(kind), std::move(members), {}, left, right, right_size};
        x.symmetry().spaces.push_back(std::move(space));
      },
      nb::arg("kind"), nb::arg("members"), nb::arg("left"), nb::arg("right"),
      nb::arg("right_size"));
  using Place = std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>;
  c.def(
      "add_unit",
      [](X& x, const Place& bits, const Place& presence, std::uint32_t least, unsigned space,
         std::uint64_t place,
         const std::vector<std::tuple<unsigned, std::uint32_t, std::uint32_t>>& coordinates,
         const std::vector<std::pair<Element, std::uint8_t>>& mentions) {
        Symmetry& all = x.symmetry();
        Unit unit{};
        std::tie(unit.word, unit.shift, unit.width) = bits;
        std::tie(unit.presence_word, unit.presence_shift, unit.presence_width) = presence;
        unit.least = least;
        unit.space = space;
        unit.place = place;
        unit.first_coordinate = static_cast<std::uint32_t>(all.coordinates.size());
        unit.coordinates = static_cast<std::uint32_t>(coordinates.size());
        for (const auto& [of, code, stride] : coordinates) {
          all.coordinates.push_back({of, code, stride});
        }
        unit.first_mention = static_cast<std::uint32_t>(all.mentions.size());
        unit.mentions = static_cast<std::uint32_t>(mentions.size());
        for (const auto& [element, role] : mentions) all.mentions.push_back({element, role});
        all.units.push_back(unit);
      },
      nb::arg("bits"), nb::arg("presence"), nb::arg("least"), nb::arg("space"), nb::arg("place"),
      nb::arg("coordinates"), nb::arg("mentions"));
  c.def(
      "set_solutions",
      [](X& x, const Place& bits) {
        Symmetry& all = x.symmetry();
        std::tie(all.solution_word, all.solution_shift, all.solution_width) = bits;
      },
      nb::arg("bits"));
  c.def(
      "add_stabiliser",
      [](X& x, std::vector<std::vector<Element>> cells, std::vector<Renaming> renamings) {
        x.symmetry().stabilisers.push_back({std::move(cells), std::move(renamings), {}, {}});
      },
      nb::arg("cells"), nb::arg("renamings"));
  c.def(
      "canonical",
      [](X& x, const Words& state) {
        return canonical_form(x.symmetry(), x.images.get(), state).first;
      },
      nb::arg("state"));
  c.def(
      "orbit",
      [](X& x, const Words& state) {
        return canonical_form(x.symmetry(), x.images.get(), state).second;
      },
      nb::arg("state"));
}

}  // namespace secateur

// What the classes that Python sees have in common if they can leave something out.
#pragma once

#include "python.hpp"
#include "reduction.hpp"

namespace secateur {

// Asks a Python function for rows of relations.
class PythonRelations final : public Relations {
 public:
  explicit PythonRelations(nb::object row) : row_(std::move(row)) {}

  std::vector<unsigned> row(Relation relation, unsigned of, unsigned conjunct) override {
    static constexpr const char* kNames[] = {"dependents", "enablers", "enabled", "violators",
                                             "provokers",  "repaired", "healed",  "disablers",
                                             "stranders",  "excluded"};
    const nb::gil_scoped_acquire lock;
    const char* const name = kNames[static_cast<unsigned>(relation)];
    return nb::cast<std::vector<unsigned>>(row_(name, of, conjunct));
  }

 private:
  nb::object row_;
};

inline constexpr std::pair<const char*, Method> kMethods[] = {
    {"stubborn", Method::kStubborn},
    {"upset", Method::kUpSet},
    {"best", Method::kBest},
    {"ample", Method::kAmple},
    {"process-ample", Method::kProcessAmple}};
inline constexpr std::pair<const char*, Proviso> kProvisos[] = {
    {"none", Proviso::kNone},       {"reliance", Proviso::kReliance},
    {"open", Proviso::kOpen},       {"open-liveness", Proviso::kOpenLiveness},
    {"visited", Proviso::kVisited}, {"static", Proviso::kStatic},
    {"stack", Proviso::kStack}};

template <class Kind, std::size_t N>
Kind known_as(const std::pair<const char*, Kind> (&all)[N], const std::string& name) {
  for (const auto& [known, kind] : all) {
    if (name == known) return kind;
  }
  throw std::invalid_argument("unknown: " + name);
}

// Whoever has a model and a reduction.
template <class X>
void bind_reduction(nb::class_<X>& c) {
  c.def(
      "add_instance",
      [](X& x, std::uintptr_t guard, std::uintptr_t perform, std::vector<std::int64_t> parameters,
         unsigned action, unsigned conjuncts, unsigned ordered, bool total) {
        x.model().steps.at(action);
        if (parameters.empty()) parameters.push_back(0);
        x.reduction().add({reinterpret_cast<GuardFunction>(guard),
                           reinterpret_cast<PerformFunction>(perform), std::move(parameters),
                           action, conjuncts, ordered, total});
      },
      nb::arg("guard"), nb::arg("perform"), nb::arg("parameters"), nb::arg("action"),
      nb::arg("conjuncts"), nb::arg("ordered"), nb::arg("total"));
  c.def(
      "set_process",
      [](X& x, unsigned instance, unsigned process) {
        x.reduction().instance(instance).process = process;
      },
      nb::arg("instance"), nb::arg("process"));
  c.def(
      "set_reads",
      [](X& x, unsigned instance, std::vector<std::uint64_t> mask) {
        x.reduction().instance(instance).reads = std::move(mask);
      },
      nb::arg("instance"), nb::arg("mask"));
  c.def(
      "set_sticky", [](X& x, unsigned instance) { x.reduction().instance(instance).sticky = true; },
      nb::arg("instance"));
  c.def(
      "reduce",
      [](X& x, const std::string& method, const std::string& proviso, bool deadlocks,
         std::vector<unsigned> properties, std::vector<unsigned> faults,
         std::optional<std::vector<unsigned>> visible) {
        for (const unsigned p : properties) x.model().checks.at(p);
        x.reduction().method = known_as(kMethods, method);
        x.reduction().proviso = known_as(kProvisos, proviso);
        x.reduction().question = {deadlocks, std::move(properties), std::move(faults),
                                  std::move(visible)};
      },
      nb::arg("method"), nb::arg("proviso"), nb::arg("deadlocks"), nb::arg("properties"),
      nb::arg("faults"), nb::arg("visible").none() = nb::none());
  c.def_prop_ro("pruned", [](const X& x) {
    const Pruned& p = x.pruned();
    return std::tuple(p.expanded, p.reduced, p.refused, p.trapped, p.happening, p.taken);
  });
}

}  // namespace secateur

// What all classes that Python sees have in common.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "evaluator.hpp"
#include "model.hpp"
#include "notes.hpp"
#include "watch.hpp"

namespace secateur {

namespace nb = nanobind;

void bind_explorer(nb::module_& m);
void bind_product(nb::module_& m);

inline const char* name(Ending ending) {
  switch (ending) {
    case Ending::kComplete:
      return "complete";
    case Ending::kViolation:
      return "violation";
    case Ending::kStates:
      return "states";
    case Ending::kSeconds:
      return "seconds";
    case Ending::kMemory:
      return "memory";
    case Ending::kInterrupted:
      return "interrupted";
    default:
      return "error";
  }
}

// Asks two Python functions; takes the interpreter's lock only for that.
class PythonEvaluator final : public Evaluator {
 public:
  PythonEvaluator(const Model& model, nb::object step, nb::object check, nb::object poll)
      : words_(model.words),
        successor_words_(model.words + model.marks),
        step_(std::move(step)),
        check_(std::move(check)),
        poll_(std::move(poll)) {}

  Answer step(unsigned action, const std::uint64_t* state) override {
    const nb::gil_scoped_acquire lock;
    const nb::object said = step_(action, state_of(state));
    auto [successors, notes] = nb::cast<std::pair<std::vector<Words>, std::vector<Note>>>(said);
    Answer answer;
    for (const Words& successor : successors) {
      if (successor.size() != successor_words_)
        throw std::invalid_argument("wrong number of words");
      answer.successors.insert(answer.successors.end(), successor.begin(), successor.end());
    }
    answer.notes = std::move(notes);
    return answer;
  }

  Answer check(unsigned property, const std::uint64_t* state) override {
    const nb::gil_scoped_acquire lock;
    const nb::object said = check_(property, state_of(state));
    auto [holds, notes] = nb::cast<std::pair<bool, std::vector<Note>>>(said);
    Answer answer;
    answer.holds = holds;
    answer.notes = std::move(notes);
    return answer;
  }

  void poll(const std::uint64_t* state) override {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!poll_.is_none()) poll_(state == nullptr ? nb::object(nb::none()) : state_of(state));
  }

 private:
  nb::object state_of(const std::uint64_t* state) const {
    nb::list words;
    for (std::size_t i = 0; i < words_; ++i) words.append(state[i]);
    return nb::tuple(words);
  }

  std::size_t words_;
  std::size_t successor_words_;
  nb::object step_;
  nb::object check_;
  nb::object poll_;
};

inline void require_words(const Model& model, const Words& mask) {
  if (mask.size() != model.words) throw std::invalid_argument("wrong number of words");
}

// Whoever has a model, notes and initial states.
template <class X>
void bind_model(nb::class_<X>& c) {
  c.def(
      "add_group",
      [](X& x, std::uintptr_t address, std::vector<unsigned> actions,
         std::vector<std::uint8_t> distinct) {
        const auto function = reinterpret_cast<GroupFunction>(address);
        x.model().add_group({function, std::move(actions), std::move(distinct)});
      },
      nb::arg("address"), nb::arg("actions"), nb::arg("distinct"));
  c.def(
      "add_checks",
      [](X& x, std::uintptr_t address, std::vector<unsigned> properties) {
        const auto function = reinterpret_cast<CheckFunction>(address);
        x.model().add_checks({function, std::move(properties)});
      },
      nb::arg("address"), nb::arg("properties"));
  c.def(
      "replace_group",
      [](X& x, std::size_t group, std::uintptr_t address) {
        x.model().groups.at(group).function.set(reinterpret_cast<GroupFunction>(address));
      },
      nb::arg("group"), nb::arg("address"));
  c.def(
      "replace_checks",
      [](X& x, std::size_t group, std::uintptr_t address) {
        x.model().check_groups.at(group).function.set(reinterpret_cast<CheckFunction>(address));
      },
      nb::arg("group"), nb::arg("address"));
  c.def(
      "set_masks",
      [](X& x, unsigned action, Words read, Words write) {
        require_words(x.model(), read);
        require_words(x.model(), write);
        x.model().steps.at(action) = {std::move(read), std::move(write)};
      },
      nb::arg("action"), nb::arg("read"), nb::arg("write"));
  c.def(
      "set_check_mask",
      [](X& x, unsigned property, Words read) {
        require_words(x.model(), read);
        x.model().checks.at(property).read = std::move(read);
      },
      nb::arg("property"), nb::arg("read"));
  c.def(
      "set_affected",
      [](X& x, unsigned action, std::vector<unsigned> properties) {
        x.model().set_affected(action, std::move(properties));
      },
      nb::arg("action"), nb::arg("properties"));
  c.def("add_note", [](X& x, bool stops) { return x.notes().add(stops); }, nb::arg("stops"));
  c.def("add_initial", &X::add_initial, nb::arg("state"));
}

template <class T>
std::optional<T> unless_unlimited(T value, T unlimited) {
  return value == unlimited ? std::nullopt : std::optional(value);
}

// Whoever has limits.
template <class X>
void bind_limits(nb::class_<X>& c) {
  c.def_prop_rw(
      "max_states", [](const X& x) { return unless_unlimited(x.limits().states, Limits().states); },
      [](X& x, std::optional<std::uint64_t> most) {
        x.limits().states = most.value_or(Limits().states);
      },
      nb::for_setter(nb::arg("most").none()));
  c.def_prop_rw(
      "max_seconds",
      [](const X& x) { return unless_unlimited(x.limits().seconds, Limits().seconds); },
      [](X& x, std::optional<double> most) {
        x.limits().seconds = most.value_or(Limits().seconds);
      },
      nb::for_setter(nb::arg("most").none()));
  c.def_prop_rw(
      "max_memory", [](const X& x) { return unless_unlimited(x.limits().memory, Limits().memory); },
      [](X& x, std::optional<std::size_t> most) {
        x.limits().memory = most.value_or(Limits().memory);
      },
      nb::for_setter(nb::arg("most").none()));
}

}  // namespace secateur

// The Python class secateur._native.Solver: a network that is handed over, and its search.
#include "solver.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "solve/search.hpp"

namespace nb = nanobind;

namespace secateur {

namespace {

using namespace solve;

// Whether it is a truth, its number, and the truths under which it is needed.
using Wanted = std::tuple<bool, std::int32_t, std::vector<Literal>>;

std::vector<Needed> needed(const std::vector<Wanted>& wanted) {
  std::vector<Needed> found;
  found.reserve(wanted.size());
  for (const auto& [is_truth, variable, guards] : wanted) {
    found.push_back({is_truth, variable, guards});
  }
  return found;
}

class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  Literal truth(std::optional<bool> value) {
    const Literal found = net_.add_truth();
    if (value) net_.set(found, *value);
    return found;
  }
  Scalar scalar(Number low, Number high, const std::vector<Number>& values) {
    return net_.add_scalar(low, high, values);
  }
  void watch_truth(Literal truth, std::int32_t propagator) { net_.watch_truth(truth, propagator); }
  void watch_scalar(Scalar scalar, std::int32_t propagator, bool on_fix) {
    net_.watch_scalar(scalar, propagator, on_fix);
  }

  std::int32_t all_of(Literal result, std::vector<Literal> parts) {
    return net_.add(std::make_unique<AllOf>(result, std::move(parts)));
  }
  std::int32_t same(Literal result, Literal left, Literal right) {
    return net_.add(std::make_unique<Same>(result, left, right));
  }
  std::int32_t count(Scalar total, std::vector<Literal> parts, Number certain) {
    return net_.add(std::make_unique<Count>(total, std::move(parts), certain));
  }
  std::int32_t value_truths(Scalar scalar, std::vector<std::pair<Number, Literal>> truths) {
    return net_.add(std::make_unique<ValueTruths>(scalar, std::move(truths)));
  }
  std::int32_t among(Literal truth, Scalar scalar, std::vector<Number> values) {
    return net_.add(std::make_unique<Among>(truth, scalar, std::move(values)));
  }
  std::int32_t select(Scalar result, Scalar index,
                      const std::vector<std::tuple<Number, Scalar, Number>>& options) {
    std::vector<Select::Option> listed;
    listed.reserve(options.size());
    for (const auto& [at, scalar, number] : options) listed.push_back({at, scalar, number});
    return net_.add(std::make_unique<Select>(result, index, std::move(listed)));
  }
  std::int32_t extreme(Scalar result, std::vector<Scalar> numbers, int sign) {
    return net_.add(std::make_unique<Extreme>(result, std::move(numbers), sign));
  }
  std::int32_t different(const std::vector<std::pair<std::optional<Literal>, Scalar>>& parts,
                         Literal truth) {
    std::vector<Different::Part> listed;
    listed.reserve(parts.size());
    for (const auto& [present, scalar] : parts) listed.push_back({present, scalar});
    return net_.add(std::make_unique<Different>(std::move(listed), truth));
  }
  std::int32_t linear(Linear::Terms terms, Number constant, int relation,
                      std::optional<Literal> truth) {
    if (relation < 0 || relation > static_cast<int>(Relation::kPositive)) {
      throw std::invalid_argument("unknown relation");
    }
    return net_.add(std::make_unique<Linear>(std::move(terms), constant,
                                             static_cast<Relation>(relation), truth));
  }
  std::int32_t product(Scalar result, Scalar left, Scalar right) {
    return net_.add(std::make_unique<Product>(result, left, right));
  }
  std::int32_t ask(bool is_truth, std::int32_t result, const std::vector<Wanted>& wanted,
                   nb::callable answer) {
    const nb::handle asked = answer;
    answers_.push_back(std::move(answer));
    const auto call = [asked](const std::vector<Number>& values) {
      const nb::gil_scoped_acquire python;
      return nb::cast<std::optional<Number>>(asked(values));
    };
    return net_.add(std::make_unique<Ask>(is_truth, result, needed(wanted), call));
  }

  void begin(const std::vector<Wanted>& cells, const std::vector<Wanted>& told) {
    search_.emplace(net_, needed(cells));
    told_ = needed(told);
  }
  // The values of what is to be told; none if there is no other way, or if it has settled `most`
  // times: then `paused` says so.
  std::optional<std::vector<Number>> next(std::uint64_t most) {
    if (!search_) throw std::logic_error("a search that has not begun");
    Search::Stop stop;
    {
      const nb::gil_scoped_release others;
      stop = search_->next(most);
    }
    paused_ = stop == Search::Stop::kPaused;
    if (stop != Search::Stop::kFound) return std::nullopt;
    std::vector<Number> values;
    values.reserve(told_.size());
    for (const Needed& each : told_) values.push_back(each.value(net_));
    return values;
  }
  bool paused() const { return paused_; }
  std::uint64_t settled() const { return search_ ? search_->settled() : 0; }

  // What answers may, by an error that it keeps, keep this solver: Python must see that circle.
  int visit(visitproc visitor, void* arg) const {
    for (const nb::object& answer : answers_) {
      const int result = visitor(answer.ptr(), arg);
      if (result != 0) return result;
    }
    return 0;
  }
  void forget() { std::exchange(answers_, {}); }

 private:
  Network net_;
  std::optional<Search> search_;
  std::vector<Needed> told_;
  bool paused_ = false;
  std::vector<nb::object> answers_;
};

int traverse(PyObject* self, visitproc visitor, void* arg) {
  const int result = visitor(reinterpret_cast<PyObject*>(Py_TYPE(self)), arg);
  if (result != 0 || !nb::inst_ready(self)) return result;
  return nb::inst_ptr<Solver>(self)->visit(visitor, arg);
}

int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<Solver>(self)->forget();
  return 0;
}

const PyType_Slot kSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear)},
                              {0, nullptr}};

}  // namespace

void bind_solver(nb::module_& module) {
  nb::class_<Solver>(module, "Solver", nb::type_slots(kSlots))
      .def(nb::init<>())
      .def("truth", &Solver::truth, nb::arg("value").none())
      .def("scalar", &Solver::scalar, nb::arg("low"), nb::arg("high"), nb::arg("values"))
      .def("watch_truth", &Solver::watch_truth, nb::arg("truth"), nb::arg("propagator"))
      .def("watch_scalar", &Solver::watch_scalar, nb::arg("scalar"), nb::arg("propagator"),
           nb::arg("on_fix"))
      .def("all_of", &Solver::all_of, nb::arg("result"), nb::arg("parts"))
      .def("same", &Solver::same, nb::arg("result"), nb::arg("left"), nb::arg("right"))
      .def("count", &Solver::count, nb::arg("total"), nb::arg("parts"), nb::arg("certain"))
      .def("value_truths", &Solver::value_truths, nb::arg("scalar"), nb::arg("truths"))
      .def("among", &Solver::among, nb::arg("truth"), nb::arg("scalar"), nb::arg("values"))
      .def("select", &Solver::select, nb::arg("result"), nb::arg("index"), nb::arg("options"))
      .def("extreme", &Solver::extreme, nb::arg("result"), nb::arg("numbers"), nb::arg("sign"))
      .def("different", &Solver::different, nb::arg("parts"), nb::arg("truth"))
      .def("linear", &Solver::linear, nb::arg("terms"), nb::arg("constant"), nb::arg("relation"),
           nb::arg("truth").none())
      .def("product", &Solver::product, nb::arg("result"), nb::arg("left"), nb::arg("right"))
      .def("ask", &Solver::ask, nb::arg("is_truth"), nb::arg("result"), nb::arg("needed"),
           nb::arg("answer"))
      .def("begin", &Solver::begin, nb::arg("cells"), nb::arg("told"))
      .def("next", &Solver::next, nb::arg("most"))
      .def_prop_ro("paused", &Solver::paused)
      .def_prop_ro("settled", &Solver::settled);
}

}  // namespace secateur

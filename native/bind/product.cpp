// The product of a model and an automaton, as Python sees it.
#include "product.hpp"

#include "python.hpp"
#include "reduction_python.hpp"
#include "symmetry_python.hpp"

namespace secateur {

namespace {

// Asks three Python functions.
class PythonAutomaton final : public Automaton {
 public:
  PythonAutomaton(nb::object ways, nb::object ends, nb::object done)
      : ways_(std::move(ways)), ends_(std::move(ends)), done_(std::move(done)) {}

  std::vector<Way> ways(Place place, Letter letter) override {
    const nb::gil_scoped_acquire lock;
    std::vector<Way> found;
    using Said = std::vector<std::pair<Place, std::uint64_t>>;
    for (const auto& [next, kept] : nb::cast<Said>(ways_(place, letter))) {
      found.push_back({next, kept});
    }
    return found;
  }

  bool ends(Place place, Letter letter) override {
    const nb::gil_scoped_acquire lock;
    return nb::cast<bool>(ends_(place, letter));
  }

  bool done(Place place) override {
    const nb::gil_scoped_acquire lock;
    return nb::cast<bool>(done_(place));
  }

 private:
  nb::object ways_;
  nb::object ends_;
  nb::object done_;
};

// A Product with the options of its run, as Python sees it.
class BoundProduct : public Product {
 public:
  using Product::Product;

  std::string run_python(nb::object step, nb::object check, nb::object automaton, nb::object row) {
    PythonEvaluator evaluator(model(), std::move(step), std::move(check), nb::none());
    PythonAutomaton asked(automaton.attr("ways"), automaton.attr("ends"), automaton.attr("done"));
    PythonRelations relations(std::move(row));
    const nb::gil_scoped_release unlock;
    return name(run(limits(), evaluator, asked, &relations));
  }

  std::unique_ptr<PythonImages> images;

  Limits& limits() { return limits_; }
  const Limits& limits() const { return limits_; }

 private:
  Limits limits_;
};

using X = BoundProduct;

void add_atom(X& x, Atom atom) {
  x.watched().atoms.push_back(atom);
}

void bind_watched(nb::class_<X>& c) {
  c.def(
      "add_property",
      [](X& x, unsigned property) {
        x.model().checks.at(property);
        add_atom(x, {Atom::Kind::kProperty, property});
      },
      nb::arg("property"));
  c.def(
      "add_event", [](X& x, unsigned event) { add_atom(x, {Atom::Kind::kEvent, event}); },
      nb::arg("event"));
  c.def(
      "add_count",
      [](X& x, Events events, unsigned least, unsigned most) {
        add_atom(x, {Atom::Kind::kCount, 0, events, least, most});
      },
      nb::arg("events"), nb::arg("least"), nb::arg("most"));
  c.def("add_deadlock", [](X& x) { add_atom(x, {Atom::Kind::kDeadlock}); });
  c.def("add_sink", [](X& x) { add_atom(x, {Atom::Kind::kSink}); });
  c.def(
      "set_events",
      [](X& x, unsigned action, Events always, Events marked) {
        x.watched().always.at(action) = always;
        x.watched().marked.at(action) = marked;
        if (marked != 0) x.model().marks = 1;
        if (x.model().words + x.model().marks > x.model().stride) {
          throw std::invalid_argument("there is no room for marks");
        }
      },
      nb::arg("action"), nb::arg("always"), nb::arg("marked"));
  c.def(
      "assume",
      [](X& x, unsigned untils, std::vector<unsigned> weak, std::vector<unsigned> strong) {
        x.watched().untils = untils;
        x.watched().weak = std::move(weak);
        x.watched().strong = std::move(strong);
        x.watched().require_room();
      },
      nb::arg("untils"), nb::arg("weak"), nb::arg("strong"));
}

void bind_search(nb::class_<X>& c) {
  c.def("run", &X::run_python, nb::arg("step").none(), nb::arg("check").none(),
        nb::arg("automaton"), nb::arg("row").none() = nb::none());
  c.def("interrupt", &X::interrupt);
  c.def_prop_ro("states", &X::states);
  c.def_prop_ro("transitions", &X::transitions);
  c.def_prop_ro("nodes", &X::nodes);
  c.def_prop_ro("memory", &X::memory);
  c.def("state", &X::state, nb::arg("index"));
  c.def_prop_ro("lasso", [](X& x) {
    using Step = std::tuple<Index, Letter, std::uint64_t, std::uint64_t>;
    using Said = std::tuple<Index, std::vector<Step>, std::size_t, bool>;
    std::optional<Said> said;
    if (!x.lasso()) return said;
    std::vector<Step> steps;
    for (const Turn& turn : x.lasso()->turns) {
      const Label& label = turn.label;
      const unsigned untils = x.watched().untils;
      steps.emplace_back(turn.target, label.letter, untils == 64 ? 0 : label.fair >> untils,
                         label.taken);
    }
    said.emplace(x.lasso()->start, std::move(steps), x.lasso()->loop, x.lasso()->open);
    return said;
  });
}

}  // namespace

void bind_product(nb::module_& m) {
  nb::class_<X> product(m, "Product");
  product.def(nb::init<const std::vector<unsigned>&, std::size_t, unsigned, unsigned>(),
              nb::arg("bits"), nb::arg("label_words"), nb::arg("actions"), nb::arg("properties"));
  bind_model(product);
  bind_limits(product);
  bind_reduction(product);
  bind_symmetry(product);
  product.def_prop_rw(
      "patience", [](X& x) { return x.reduction().patience; },
      [](X& x, std::optional<std::uint64_t> states) { x.reduction().patience = states; },
      nb::for_setter(nb::arg("states").none()));
  bind_watched(product);
  bind_search(product);
}

}  // namespace secateur

// The Python module secateur._native; nothing else knows Python.
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

#include "explorer.hpp"
#include "solver.hpp"

namespace nb = nanobind;

namespace secateur {

namespace {

using Seen = std::pair<std::uint64_t, std::optional<Index>>;

Seen seen(const Sighting& s) {
  return {s.count, s.count == 0 ? std::nullopt : std::optional(s.first)};
}

const char* name(Ending ending) {
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

constexpr std::pair<const char*, Order> kOrders[] = {{"bf", Order::kBreadthFirst},
                                                     {"df", Order::kDepthFirst},
                                                     {"mixed", Order::kMixed},
                                                     {"random", Order::kRandom},
                                                     {"priority", Order::kPriority}};

Order order_of(const std::string& name) {
  for (const auto& [known, order] : kOrders) {
    if (name == known) return order;
  }
  throw std::invalid_argument("unknown search: " + name);
}

const char* name(Order wanted) {
  for (const auto& [name, order] : kOrders) {
    if (order == wanted) return name;
  }
  return "";
}

// Asks two Python functions; takes the interpreter's lock only for that.
class PythonEvaluator final : public Evaluator {
 public:
  PythonEvaluator(std::size_t words, nb::object step, nb::object check, nb::object poll)
      : words_(words), step_(std::move(step)), check_(std::move(check)), poll_(std::move(poll)) {}

  Answer step(unsigned action, const std::uint64_t* state) override {
    const nb::gil_scoped_acquire lock;
    const nb::object said = step_(action, state_of(state));
    auto [successors, notes] = nb::cast<std::pair<std::vector<Words>, std::vector<Note>>>(said);
    Answer answer;
    for (const Words& successor : successors) {
      if (successor.size() != words_) throw std::invalid_argument("wrong number of words");
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

  void poll() override {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!poll_.is_none()) poll_();
  }

 private:
  nb::object state_of(const std::uint64_t* state) const {
    nb::list words;
    for (std::size_t i = 0; i < words_; ++i) words.append(state[i]);
    return nb::tuple(words);
  }

  std::size_t words_;
  nb::object step_;
  nb::object check_;
  nb::object poll_;
};

// Asks a Python function for rows of relations.
class PythonRelations final : public Relations {
 public:
  explicit PythonRelations(nb::object row) : row_(std::move(row)) {}

  std::vector<unsigned> row(Relation relation, unsigned of, unsigned conjunct) override {
    static constexpr const char* kNames[] = {"dependents", "enablers",  "enabled",
                                             "violators",  "provokers", "repaired",
                                             "healed",     "disablers", "stranders"};
    const nb::gil_scoped_acquire lock;
    const char* const name = kNames[static_cast<unsigned>(relation)];
    return nb::cast<std::vector<unsigned>>(row_(name, of, conjunct));
  }

 private:
  nb::object row_;
};

constexpr std::pair<const char*, Method> kMethods[] = {{"stubborn", Method::kStubborn},
                                                       {"upset", Method::kUpSet},
                                                       {"best", Method::kBest},
                                                       {"ample", Method::kAmple},
                                                       {"process-ample", Method::kProcessAmple}};
constexpr std::pair<const char*, Proviso> kProvisos[] = {{"none", Proviso::kNone},
                                                         {"open", Proviso::kOpen},
                                                         {"open-liveness", Proviso::kOpenLiveness},
                                                         {"visited", Proviso::kVisited},
                                                         {"static", Proviso::kStatic}};

template <class Kind, std::size_t N>
Kind known_as(const std::pair<const char*, Kind> (&all)[N], const std::string& name) {
  for (const auto& [known, kind] : all) {
    if (name == known) return kind;
  }
  throw std::invalid_argument("unknown: " + name);
}

// An Explorer with the options of its run, as Python sees it.
class BoundExplorer : public Explorer {
 public:
  using Explorer::Explorer;

  std::string run_python(nb::object step, nb::object check, nb::object row, nb::object poll) {
    PythonEvaluator evaluator(model().words, std::move(step), std::move(check), std::move(poll));
    PythonRelations relations(std::move(row));
    const nb::gil_scoped_release unlock;
    return name(run(options, evaluator, &relations));
  }

  bool retrace_python(nb::object step, nb::object check) {
    PythonEvaluator evaluator(model().words, std::move(step), std::move(check), nb::none());
    const nb::gil_scoped_release unlock;
    return retrace(evaluator);
  }

  void set_storage(Storage storage, bool on) {
    if (on) {
      options.storage = storage;
    } else if (options.storage == storage) {
      options.storage = Storage::kWhole;
    }
  }

  void set_masks(unsigned action, Words read, Words write) {
    require_words(read);
    require_words(write);
    model().steps.at(action) = {std::move(read), std::move(write)};
  }

  void set_check_mask(unsigned property, Words read) {
    require_words(read);
    model().checks.at(property).read = std::move(read);
  }

  Options options;

 private:
  void require_words(const Words& mask) {
    if (mask.size() != model().words) throw std::invalid_argument("wrong number of words");
  }
};

using X = BoundExplorer;

template <class T>
std::optional<T> unless_unlimited(T value, T unlimited) {
  return value == unlimited ? std::nullopt : std::optional(value);
}

void bind_model(nb::class_<X>& c) {
  c.def(nb::init<const std::vector<unsigned>&, std::size_t, unsigned, unsigned>(), nb::arg("bits"),
        nb::arg("label_words"), nb::arg("actions"), nb::arg("properties"));
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
  c.def("set_masks", &X::set_masks, nb::arg("action"), nb::arg("read"), nb::arg("write"));
  c.def("set_check_mask", &X::set_check_mask, nb::arg("property"), nb::arg("read"));
  c.def(
      "set_affected",
      [](X& x, unsigned action, std::vector<unsigned> properties) {
        x.model().set_affected(action, std::move(properties));
      },
      nb::arg("action"), nb::arg("properties"));
  c.def(
      "stop_at",
      [](X& x, const std::vector<unsigned>& properties, bool deadlock) {
        for (const unsigned p : properties) x.model().stops.at(p) = true;
        x.model().deadlock_stops = deadlock;
      },
      nb::arg("properties"), nb::arg("deadlock"));
  c.def(
      "add_note", [](X& x, bool stops) { return x.notes().add(stops); }, nb::arg("stops"));
  c.def("add_initial", &X::add_initial, nb::arg("state"));
}

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
      [](X& x, unsigned instance, unsigned process, std::uint64_t own) {
        x.reduction().instance(instance).process = process;
        x.reduction().instance(instance).own = own;
      },
      nb::arg("instance"), nb::arg("process"), nb::arg("own"));
  c.def(
      "set_sticky", [](X& x, unsigned instance) { x.reduction().instance(instance).sticky = true; },
      nb::arg("instance"));
  c.def(
      "reduce",
      [](X& x, const std::string& method, const std::string& proviso, bool deadlocks,
         std::vector<unsigned> properties, std::vector<unsigned> faults) {
        for (const unsigned p : properties) x.model().checks.at(p);
        x.reduction().method = known_as(kMethods, method);
        x.reduction().proviso = known_as(kProvisos, proviso);
        x.reduction().question = {deadlocks, std::move(properties), std::move(faults)};
      },
      nb::arg("method"), nb::arg("proviso"), nb::arg("deadlocks"), nb::arg("properties"),
      nb::arg("faults"));
  c.def_prop_ro("pruned", [](const X& x) {
    const Pruned& p = x.pruned();
    return std::tuple(p.expanded, p.reduced, p.refused, p.trapped, p.happening, p.taken);
  });
}

void bind_options(nb::class_<X>& c) {
  c.def_prop_rw(
      "search", [](const X& x) { return name(x.options.order); },
      [](X& x, const std::string& search) { x.options.order = order_of(search); });
  c.def_prop_rw(
      "threads", [](const X& x) { return x.options.threads; },
      [](X& x, unsigned threads) { x.options.threads = threads; });
  c.def_prop_rw(
      "seed", [](const X& x) { return x.options.seed; },
      [](X& x, std::uint64_t seed) { x.options.seed = seed; });
  c.def_prop_rw(
      "ratio", [](const X& x) { return x.options.ratio; },
      [](X& x, double ratio) { x.options.ratio = ratio; });
  c.def(
      "set_rank",
      [](X& x, std::uintptr_t address) {
        x.options.rank = reinterpret_cast<RankFunction>(address);
      },
      nb::arg("address"));
  c.def_prop_rw(
      "keep_edges", [](const X& x) { return x.options.keep_edges; },
      [](X& x, bool keep) { x.options.keep_edges = keep; });
  c.def_prop_rw(
      "lean", [](const X& x) { return x.options.lean; },
      [](X& x, bool lean) { x.options.lean = lean; });
  c.def_prop_rw(
      "compress", [](const X& x) { return x.options.storage == Storage::kCompressed; },
      [](X& x, bool on) { x.set_storage(Storage::kCompressed, on); });
  c.def_prop_rw(
      "fingerprint", [](const X& x) { return x.options.storage == Storage::kFingerprints; },
      [](X& x, bool on) { x.set_storage(Storage::kFingerprints, on); });
  c.def_prop_rw(
      "max_states",
      [](const X& x) { return unless_unlimited(x.options.limits.states, Limits().states); },
      [](X& x, std::optional<std::uint64_t> most) {
        x.options.limits.states = most.value_or(Limits().states);
      },
      nb::for_setter(nb::arg("most").none()));
  c.def_prop_rw(
      "max_seconds",
      [](const X& x) { return unless_unlimited(x.options.limits.seconds, Limits().seconds); },
      [](X& x, std::optional<double> most) {
        x.options.limits.seconds = most.value_or(Limits().seconds);
      },
      nb::for_setter(nb::arg("most").none()));
  c.def_prop_rw(
      "max_memory",
      [](const X& x) { return unless_unlimited(x.options.limits.memory, Limits().memory); },
      [](X& x, std::optional<std::size_t> most) {
        x.options.limits.memory = most.value_or(Limits().memory);
      },
      nb::for_setter(nb::arg("most").none()));
}

void bind_results(nb::class_<X>& c) {
  c.def("run", &X::run_python, nb::arg("step").none(), nb::arg("check").none(),
        nb::arg("row").none() = nb::none(), nb::arg("poll").none() = nb::none());
  c.def("interrupt", &X::interrupt);
  c.def_prop_ro("states", [](const X& x) { return x.counts().states; });
  c.def_prop_ro("transitions", [](const X& x) { return x.counts().transitions; });
  c.def_prop_ro("waiting", [](const X& x) { return x.counts().waiting; });
  c.def_prop_ro("depth", [](const X& x) { return x.counts().depth; });
  c.def_prop_ro("memory", [](const X& x) { return x.memory(); });
  c.def_prop_ro("asked", [](const X& x) { return x.asked(); });
  c.def_prop_ro("transitions_by_action", [](const X& x) { return x.tally().transitions; });
  c.def_prop_ro("violations", [](const X& x) {
    std::vector<Seen> all;
    for (const Sighting& s : x.tally().violations) all.push_back(seen(s));
    return all;
  });
  c.def_prop_ro("notes", [](X& x) {
    std::vector<Seen> all;
    for (const Sighting& s : x.tally().notes) all.push_back(seen(s));
    all.resize(x.notes().size());
    return all;
  });
  c.def_prop_ro("deadlocks", [](const X& x) { return seen(x.tally().deadlocks); });
  c.def("state", &X::state, nb::arg("index"));
  c.def("retrace", &X::retrace_python, nb::arg("step").none(), nb::arg("check").none());
  c.def(
      "path", [](const X& x, Index index) { return x.path(index); }, nb::arg("index"));
  c.def("distinct_values", &X::distinct_values, nb::arg("mask"), nb::arg("most"));
  c.def("edges", [](const X& x) {
    std::vector<std::tuple<Index, unsigned, Index>> all;
    for (const Edge& e : x.edges()) all.emplace_back(e.source, e.action, e.target);
    return all;
  });
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The native explorer and solver.";
  nb::class_<X> explorer(m, "Explorer");
  bind_solver(m);
  bind_model(explorer);
  bind_reduction(explorer);
  bind_options(explorer);
  bind_results(explorer);
}

}  // namespace secateur

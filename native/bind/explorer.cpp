// The explorer, as Python sees it.
#include "explorer.hpp"

#include "python.hpp"

namespace secateur {

namespace {

using Seen = std::pair<std::uint64_t, std::optional<Index>>;

Seen seen(const Sighting& s) {
  return {s.count, s.count == 0 ? std::nullopt : std::optional(s.first)};
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
    PythonEvaluator evaluator(model(), std::move(step), std::move(check), std::move(poll));
    PythonRelations relations(std::move(row));
    const nb::gil_scoped_release unlock;
    return name(run(options, evaluator, &relations));
  }

  bool retrace_python(nb::object step, nb::object check) {
    PythonEvaluator evaluator(model(), std::move(step), std::move(check), nb::none());
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

  Limits& limits() { return options.limits; }
  const Limits& limits() const { return options.limits; }

  Options options;
};

using X = BoundExplorer;

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
  c.def(
      "stop_at",
      [](X& x, const std::vector<unsigned>& properties, bool deadlock) {
        for (const unsigned p : properties) x.model().stops.at(p) = true;
        x.model().deadlock_stops = deadlock;
      },
      nb::arg("properties"), nb::arg("deadlock"));
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
  bind_limits(c);
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

void bind_explorer(nb::module_& m) {
  nb::class_<X> explorer(m, "Explorer");
  bind_model(explorer);
  explorer.def(nb::init<const std::vector<unsigned>&, std::size_t, unsigned, unsigned>(),
               nb::arg("bits"), nb::arg("label_words"), nb::arg("actions"), nb::arg("properties"));
  bind_reduction(explorer);
  bind_options(explorer);
  bind_results(explorer);
}

}  // namespace secateur

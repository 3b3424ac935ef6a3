// The explorer, as Python sees it.
#include "explorer.hpp"

#include "python.hpp"
#include "reduction_python.hpp"
#include "symmetry_python.hpp"

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

  bool retrace_python(nb::object step, nb::object check, bool sparing) {
    PythonEvaluator evaluator(model(), std::move(step), std::move(check), nb::none());
    const nb::gil_scoped_release unlock;
    return retrace(evaluator, sparing);
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
  std::unique_ptr<PythonImages> images;
};

using X = BoundExplorer;

void bind_options(nb::class_<X>& c) {
  c.def(
      "stop_at",
      [](X& x, const std::vector<unsigned>& properties, bool deadlock) {
        for (const unsigned p : properties) x.model().stops.at(p) = true;
        x.model().deadlock_stops = deadlock;
      },
      nb::arg("properties"), nb::arg("deadlock"));
  c.def(
      "set_end", [](X& x, unsigned property) { x.model().set_end(property); }, nb::arg("property"));
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
  c.def_prop_ro("code_seconds",
                [](const X& x) { return static_cast<double>(x.counts().code) * 1e-9; });
  c.def_prop_ro("waiting", [](const X& x) { return x.counts().waiting; });
  c.def_prop_ro("flooded", [](const X& x) { return x.counts().flooded; });
  c.def_prop_ro("depth", [](const X& x) { return x.counts().depth; });
  c.def_prop_ro("memory", [](const X& x) { return x.memory(); });
  c.def_prop_ro("asked", [](const X& x) { return x.asked(); });
  c.def_prop_ro("transitions_by_action", [](const X& x) { return x.tally().transitions; });
  c.def_prop_ro("fresh_by_action", [](const X& x) { return x.tally().fresh; });
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
  c.def("retrace", &X::retrace_python, nb::arg("step").none(), nb::arg("check").none(),
        nb::arg("sparing") = false);
  c.def("path", [](const X& x, Index index) { return x.path(index); }, nb::arg("index"));
  c.def("sample", &X::sample, nb::arg("most"));
  c.def("distinct_values", &X::distinct_values, nb::arg("masks"), nb::arg("most"));
  c.def("count_distinct", &X::count_distinct, nb::arg("mask"), nb::arg("most"));
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
  bind_symmetry(explorer);
  bind_options(explorer);
  bind_results(explorer);
}

}  // namespace secateur

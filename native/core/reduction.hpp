// What a reduced search knows of a model: event instances, what is asked, and relations between
// instances, which are found out when they are first needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace secateur {

using GuardFunction = void (*)(const std::uint64_t* state, const std::int64_t* parameters,
                               std::uint64_t* found);
using PerformFunction = std::int64_t (*)(const std::uint64_t* state, const std::int64_t* parameters,
                                         std::uint64_t* records, std::int64_t capacity);

// An event with its parameters bound; or, without functions, an action that is not compiled.
struct Instance {
  GuardFunction guard = nullptr;
  PerformFunction perform = nullptr;
  std::vector<std::int64_t> parameters;
  unsigned action = 0;     // the action of the model that it belongs to
  unsigned conjuncts = 0;  // one more, that it has a result, if it is not total
  unsigned ordered = 0;    // those at the beginning that are evaluated in order
  bool total = false;
  unsigned process = 0;
  std::uint64_t own = 0;  // the conjuncts over what no other process writes
  bool sticky = false;    // it may be part of a cycle
};

enum class Method { kStubborn, kUpSet, kBest, kAmple, kProcessAmple };
enum class Proviso { kNone, kOpen, kOpenLiveness, kVisited, kStatic };

// Whether a proviso asks what has been found, and what was expanded.
inline bool asks_for_states(Proviso proviso) {
  return proviso != Proviso::kNone && proviso != Proviso::kStatic;
}

// The rows that are asked for: other instances, by number.
enum class Relation {
  kDependents,  // of an instance
  kEnablers,    // of a conjunct of an instance
  kEnabled,     // by an instance
  kViolators,   // of a property
  kProvokers,   // of a fault of an instance
  kRepaired,    // properties that an instance may repair
  kHealed,      // instances whose faults an instance may end
  kDisablers,   // of an instance
  kStranders,   // whatever leads to a deadlock; of nothing, that is 0
};

// Whoever knows the relations; may be asked from several threads, one after the other.
class Relations {
 public:
  Relations() = default;
  Relations(const Relations&) = delete;
  Relations& operator=(const Relations&) = delete;
  virtual ~Relations() = default;

  virtual std::vector<unsigned> row(Relation relation, unsigned of, unsigned conjunct) = 0;
};

// What must be found: deadlocks, states that violate these properties, faults of these instances.
struct Question {
  bool deadlocks = false;
  std::vector<unsigned> properties;
  std::vector<unsigned> faults;

  bool reach() const { return !properties.empty() || !faults.empty(); }
};

class Reduction {
 public:
  using Row = std::vector<unsigned>;

  void add(Instance instance) {
    if (instance.conjuncts > 63) throw std::invalid_argument("a guard has at most 63 conjuncts");
    instances_.push_back(std::move(instance));
  }

  const std::vector<Instance>& instances() const { return instances_; }
  Instance& instance(unsigned number) { return instances_.at(number); }
  const std::vector<Row>& processes() const { return processes_; }
  std::size_t size() const { return instances_.size(); }

  // Called once, before the run.
  void prepare(std::size_t properties, Relations* relations) {
    relations_ = relations;
    first_conjunct_.assign(1, 0);
    for (const Instance& i : instances_) {
      first_conjunct_.push_back(first_conjunct_.back() + i.conjuncts + 1);
    }
    for (unsigned r = 0; r < kRelations; ++r) {
      const bool by_conjunct = static_cast<Relation>(r) == Relation::kEnablers;
      const bool by_property = static_cast<Relation>(r) == Relation::kViolators;
      rows_[r] = std::deque<std::atomic<const Row*>>(by_conjunct   ? first_conjunct_.back()
                                                     : by_property ? properties
                                                                   : size());
    }
    processes_.clear();
    for (unsigned i = 0; i < size(); ++i) {
      const unsigned process = instances_[i].process;
      if (process >= processes_.size()) processes_.resize(process + 1);
      processes_[process].push_back(i);
    }
    faulty_.assign(size(), false);
    for (const unsigned f : question.faults) faulty_.at(f) = true;
  }

  const Row& row(Relation relation, unsigned of, unsigned conjunct = 0) {
    const std::size_t place = relation == Relation::kEnablers ? first_conjunct_[of] + conjunct : of;
    std::atomic<const Row*>& known = rows_[static_cast<unsigned>(relation)][place];
    const Row* found = known.load(std::memory_order_acquire);
    return found != nullptr ? *found : ask(known, relation, of, conjunct);
  }

  // Whether an instance may be at fault.
  bool faulty(unsigned instance) const { return faulty_[instance]; }

  Method method = Method::kStubborn;
  Proviso proviso = Proviso::kNone;
  Question question;

 private:
  static constexpr unsigned kRelations = 9;

  const Row& ask(std::atomic<const Row*>& known, Relation relation, unsigned of,
                 unsigned conjunct) {
    const std::lock_guard lock(mutex_);
    if (const Row* found = known.load(std::memory_order_relaxed)) return *found;
    if (relations_ == nullptr) throw std::logic_error("nobody knows the relations");
    answers_.push_back(relations_->row(relation, of, conjunct));
    known.store(&answers_.back(), std::memory_order_release);
    return answers_.back();
  }

  std::vector<Instance> instances_;
  std::vector<Row> processes_;
  Relations* relations_ = nullptr;
  std::vector<std::size_t> first_conjunct_;
  std::deque<std::atomic<const Row*>> rows_[kRelations];
  std::vector<bool> faulty_;
  std::mutex mutex_;
  std::deque<Row> answers_;
};

// What a reduction has done.
struct Pruned {
  std::uint64_t expanded = 0;
  std::uint64_t reduced = 0;    // states in which something that happens was left out
  std::uint64_t refused = 0;    // sets that the proviso did not allow
  std::uint64_t trapped = 0;    // states expanded in full because of a fault in them
  std::uint64_t happening = 0;  // instances that could happen
  std::uint64_t taken = 0;      // those of them that did

  void absorb(const Pruned& other) {
    expanded += other.expanded;
    reduced += other.reduced;
    refused += other.refused;
    trapped += other.trapped;
    happening += other.happening;
    taken += other.taken;
  }
};

}  // namespace secateur

// What a reduced search knows of a model: event instances, what is asked, and relations between
// instances, which are found out when they are first needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
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
  bool sticky = false;                    // it may be part of a cycle
  std::vector<std::uint64_t> reads = {};  // the bits that its guard looks at, if that is known
};

enum class Method { kStubborn, kUpSet, kBest, kAmple, kProcessAmple };
enum class Proviso { kNone, kOpen, kOpenLiveness, kVisited, kStatic, kStack, kReliance };

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
  kExcluded,    // instances that cannot happen where an instance can
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

// What must be found: deadlocks, states that violate these properties, faults of these instances;
// and, if there is a temporal formula, in their order those instances that it can see.
struct Question {
  bool deadlocks = false;
  std::vector<unsigned> properties;
  std::vector<unsigned> faults;
  std::optional<std::vector<unsigned>> visible;

  bool reach() const { return !properties.empty() || !faults.empty() || visible; }
};

// Some of 64 instances that follow each other.
struct Chunk {
  unsigned word;
  std::uint64_t bits;
};

// Instances as chunks, so that one look tells about many.
inline std::vector<Chunk> in_chunks(const std::vector<unsigned>& ascending) {
  std::vector<Chunk> chunks;
  for (const unsigned i : ascending) {
    if (chunks.empty() || chunks.back().word != i / 64) chunks.push_back({i / 64, 0});
    chunks.back().bits |= std::uint64_t{1} << i % 64;
  }
  return chunks;
}

class Reduction {
 public:
  using Row = std::vector<unsigned>;
  using Chunks = std::vector<Chunk>;

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
      rows_[r] = std::make_unique<std::atomic<const Answer*>[]>(by_conjunct ? first_conjunct_.back()
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
    is_visible_.assign(size(), false);
    if (!question.visible) return;
    for (const unsigned v : *question.visible) is_visible_.at(v) = true;
    visible_ = in_chunks(*question.visible);
  }

  const Row& row(Relation relation, unsigned of, unsigned conjunct = 0) {
    return answer(relation, of, conjunct).numbers;
  }

  const Chunks& chunks(Relation relation, unsigned of, unsigned conjunct = 0) {
    return answer(relation, of, conjunct).chunks;
  }

  // Whether an instance may be at fault.
  bool faulty(unsigned instance) const { return faulty_[instance]; }

  // Whether a formula can see an instance; and all that it can see.
  bool is_visible(unsigned instance) const { return is_visible_[instance]; }
  const Chunks& visible() const { return visible_; }

  Method method = Method::kStubborn;
  Proviso proviso = Proviso::kNone;
  Question question;
  // Where a graph is reduced: after so many states without success nobody tries any more.
  std::optional<std::uint64_t> patience;

 private:
  static constexpr unsigned kRelations = 10;

  // A row in both forms.
  struct Answer {
    Row numbers;
    Chunks chunks;
  };

  const Answer& answer(Relation relation, unsigned of, unsigned conjunct) {
    const std::size_t place = relation == Relation::kEnablers ? first_conjunct_[of] + conjunct : of;
    std::atomic<const Answer*>& known = rows_[static_cast<unsigned>(relation)][place];
    const Answer* found = known.load(std::memory_order_acquire);
    return found != nullptr ? *found : ask(known, relation, of, conjunct);
  }

  const Answer& ask(std::atomic<const Answer*>& known, Relation relation, unsigned of,
                    unsigned conjunct) {
    const std::lock_guard lock(mutex_);
    if (const Answer* found = known.load(std::memory_order_relaxed)) return *found;
    if (relations_ == nullptr) throw std::logic_error("nobody knows the relations");
    Row numbers = relations_->row(relation, of, conjunct);
    Chunks chunks = in_chunks(numbers);
    answers_.push_back({std::move(numbers), std::move(chunks)});
    known.store(&answers_.back(), std::memory_order_release);
    return answers_.back();
  }

  std::vector<Instance> instances_;
  std::vector<Row> processes_;
  Relations* relations_ = nullptr;
  std::vector<std::size_t> first_conjunct_;
  std::unique_ptr<std::atomic<const Answer*>[]> rows_[kRelations];
  std::vector<bool> faulty_;
  std::vector<bool> is_visible_;
  Chunks visible_;
  std::mutex mutex_;
  std::deque<Answer> answers_;
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

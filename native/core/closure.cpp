#include "closure.hpp"

#include <bit>

namespace secateur {

namespace {

constexpr std::uint64_t kDearer = 1000;   // as in engine/reduce/closure.py
constexpr std::size_t kMostQueries = 64;  // for a set that is remembered

bool one_bit(std::uint64_t bits) {
  return (bits & (bits - 1)) == 0;
}

}  // namespace

Closure::Closure(Reduction& reduction, const Here& here, Recall& recall)
    : reduction_(reduction),
      here_(here),
      recall_(recall),
      members_(reduction.size(), here.happens()),
      observed_(reduction.size(), here.happens()),
      begun_(reduction.size()),
      fresh_(reduction.size()) {
  observed_.give_up(reduction.visible());
  observed_.tell(queries_);
}

// A set with something that is seen would not be harmless.
void Closure::forget() {
  members_.forget();
  members_.give_up(reduction_.visible());
}

ClosedSet* Closure::around(unsigned instance, std::size_t most) {
  first_ = instance;
  row_ = nullptr;
  seeds_ = nullptr;
  return find(instance, most);
}

ClosedSet* Closure::around_row(Relation relation, unsigned of, std::size_t most) {
  row_ = &reduction_.chunks(relation, of);
  seeds_ = nullptr;
  std::size_t count = 0;
  for (const auto [word, bits] : *row_) count += count_of(bits & here_.happens()[word]);
  if (count > most) return nullptr;
  return find(reduction_.size() * (relation == Relation::kStranders ? 2 : 1) + of, most);
}

ClosedSet* Closure::around_all(const Instances& seeds, std::size_t most) {
  row_ = nullptr;
  seeds_ = &seeds;
  if (!begin(members_, most) || !close(members_, most)) return nullptr;
  members_.chosen(found_.actions);
  found_.harmless.reset();
  return &found_;
}

// Looks whether the set is known before it is closed.
ClosedSet* Closure::find(std::size_t root, std::size_t most) {
  Recall::Answer answer = recall_.find(root, most, here_);
  if (answer.known == Recall::Known::kNothing && recall_.worth_while(root)) {
    learn(root, most);
    answer = recall_.find(root, most, here_);
  }
  if (answer.known == Recall::Known::kFound) return answer.set;
  if (answer.known == Recall::Known::kRefused) return nullptr;
  if (!begin(members_, most)) return nullptr;
  if (!close(members_, most)) {
    if (row_ == nullptr && !chose_) members_.give_up(first_);
    return nullptr;
  }
  members_.chosen(found_.actions);
  found_.harmless.reset();
  return &found_;
}

// Asks for no more than is needed to know that a set has too many members here: relations that
// nobody has asked for are dear.
void Closure::learn(std::size_t root, std::size_t most) {
  queries_.clear();
  const bool closed = begin(observed_, most) && close(observed_, most);
  if (closed) observed_.chosen(found_.actions);
  Recall::End end = closed                     ? Recall::End::kSet
                    : observed_.count() > most ? Recall::End::kOpen
                                               : Recall::End::kRefused;
  std::size_t count = observed_.count();
  if (queries_.size() > kMostQueries) {
    queries_.resize(kMostQueries);
    end = Recall::End::kLong;
    count = queries_.back().count;
  }
  recall_.learn(root, queries_, count, end, found_.actions);
}

bool Closure::begin(Members& members, std::size_t most) {
  if (seeds_ != nullptr) return members.begin(*seeds_, most);
  if (row_ != nullptr) {
    begun_.clear();
    begun_.add(*row_);
    return members.begin(begun_, most);
  }
  members.begin(first_);
  return true;
}

bool Closure::close(Members& members, std::size_t most) {
  chose_ = false;
  return members.close(most, [&](unsigned a) -> std::span<const Chunk> {
    if (queries_.size() > kMostQueries && &members == &observed_) {
      members.stop();
      return {};
    }
    return here_.happens().has(a) ? reduction_.chunks(Relation::kDependents, a)
                                  : cheapest(members, a);
  });
}

const Reduction::Chunks& Closure::cheapest(const Members& members, unsigned instance) {
  std::uint64_t left = here_.untrue(instance);
  members.note_untrue(instance, left);
  const auto enablers = [&] {
    const auto conjunct = static_cast<unsigned>(std::countr_zero(left));
    return &reduction_.chunks(Relation::kEnablers, instance, conjunct);
  };
  if (one_bit(left)) return *enablers();
  if (&members == &observed_) ask_for(members, instance);
  const Reduction::Chunks* best = nullptr;
  std::uint64_t least = ~std::uint64_t{0};
  for (; left != 0 && least != 0; left &= left - 1) {
    const Reduction::Chunks* const candidate = enablers();
    const std::uint64_t cost = members.cost(*candidate, kDearer);
    if (cost >= least) continue;
    least = cost;
    best = candidate;
  }
  chose_ = chose_ || least != 0;
  return *best;
}

// Asks which of those happen of which it depends what enabling sets cost.
void Closure::ask_for(const Members& members, unsigned instance) {
  fresh_.clear();
  for (std::uint64_t left = here_.untrue(instance); left != 0; left &= left - 1) {
    const auto conjunct = static_cast<unsigned>(std::countr_zero(left));
    fresh_.add(reduction_.chunks(Relation::kEnablers, instance, conjunct));
  }
  for (std::size_t word = 0; word < fresh_.words(); ++word) {
    const std::uint64_t fresh = fresh_[word] & ~members.all()[word];
    if (fresh != 0) members.note_happening(word, fresh);
  }
}

}  // namespace secateur

// What narrows: twins of the propagators in secateur.maths.solve, by the same names.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "network.hpp"

namespace secateur::solve {

// `result` is true if and only if all of `parts` are.
class AllOf final : public Propagator {
 public:
  AllOf(Literal result, std::vector<Literal> parts) : result_(result), parts_(std::move(parts)) {}
  bool run(Network& net) override;

 private:
  Literal result_;
  std::vector<Literal> parts_;
};

// `result` is true if and only if `left` and `right` agree.
class Same final : public Propagator {
 public:
  Same(Literal result, Literal left, Literal right) : result_(result), left_(left), right_(right) {}
  bool run(Network& net) override;

 private:
  Literal result_, left_, right_;
};

// `total` is the number of `parts` that are true, plus `certain`.
class Count final : public Propagator {
 public:
  Count(Scalar total, std::vector<Literal> parts, Number certain)
      : total_(total), parts_(std::move(parts)), certain_(certain) {}
  bool run(Network& net) override;

 private:
  Scalar total_;
  std::vector<Literal> parts_;
  Number certain_;
};

// Each truth says whether the number is that value.
class ValueTruths final : public Propagator {
 public:
  ValueTruths(Scalar scalar, std::vector<std::pair<Number, Literal>> truths)
      : scalar_(scalar), truths_(std::move(truths)) {}
  bool run(Network& net) override;

 private:
  Scalar scalar_;
  std::vector<std::pair<Number, Literal>> truths_;
};

// `truth` is true if and only if the number is one of `values`, which are in order.
class Among final : public Propagator {
 public:
  Among(Literal truth, Scalar scalar, std::vector<Number> values)
      : truth_(truth), scalar_(scalar), values_(std::move(values)) {}
  bool run(Network& net) override;

 private:
  bool has(Number x) const;

  Literal truth_;
  Scalar scalar_;
  std::vector<Number> values_;
};

// `result` is what `index` selects: a number that is known or to be found.
class Select final : public Propagator {
 public:
  struct Option {
    Number index;
    Scalar scalar;  // -1 if the number is known
    Number number;
  };
  Select(Scalar result, Scalar index, std::vector<Option> options)
      : result_(result), index_(index), options_(std::move(options)) {}
  bool run(Network& net) override;

 private:
  const Option* find(Number index) const;
  bool overlap(const Network& net, const Option& option) const;
  bool same(Network& net, const Option& option);

  Scalar result_, index_;
  std::vector<Option> options_;  // in order
};

// `result` is the greatest of `numbers`, the least if `sign` is -1.
class Extreme final : public Propagator {
 public:
  Extreme(Scalar result, std::vector<Scalar> numbers, int sign)
      : result_(result), numbers_(std::move(numbers)), sign_(sign) {}
  bool run(Network& net) override;

 private:
  Scalar result_;
  std::vector<Scalar> numbers_;
  int sign_;
};

// `truth` is true if and only if no two scalars that are present are equal.  What is not present
// may have any value.
class Different final : public Propagator {
 public:
  struct Part {
    std::optional<Literal> present;
    Scalar scalar;
  };
  Different(std::vector<Part> parts, Literal truth)
      : Propagator(true), parts_(std::move(parts)), truth_(truth) {
    for (const Part& part : parts_) all_present_ = all_present_ && !part.present;
  }
  bool run(Network& net) override;

 private:
  bool is_absent(const Network& net, const Part& p) const {
    return p.present && net.is_false(*p.present);
  }
  bool is_present(const Network& net, const Part& p) const {
    return !p.present || net.is_true(*p.present);
  }
  bool keep_apart(Network& net);
  bool place_single(Network& net);
  bool find_out(Network& net);

  std::vector<Part> parts_;
  Literal truth_;
  bool all_present_ = true;
  std::vector<Number> taken_;
  std::vector<const Part*> open_;
  std::vector<std::pair<Number, Scalar>> homes_;
};

enum class Relation : std::uint8_t { kEqual, kDifferent, kAtMost, kPositive };

// `truth` is true if and only if the sum of `terms` and `constant` stands so to zero.
class Linear final : public Propagator {
 public:
  using Terms = std::vector<std::pair<Number, Scalar>>;
  Linear(Terms terms, Number constant, Relation relation, std::optional<Literal> truth)
      : terms_(std::move(terms)), constant_(constant), relation_(relation), truth_(truth) {}
  bool run(Network& net) override;

 private:
  bool enforce(Network& net, Relation relation);
  std::optional<bool> entailed(const Network& net) const;
  bool disjoint(const Network& net) const;
  bool at_most(Network& net, Number sign, Number slack);
  bool same_values(Network& net);
  bool differ(Network& net);

  Terms terms_;
  Number constant_;
  Relation relation_;
  std::optional<Literal> truth_;
};

// `result` is `left` times `right`, on the bounds.
class Product final : public Propagator {
 public:
  Product(Scalar result, Scalar left, Scalar right) : result_(result), left_(left), right_(right) {}
  bool run(Network& net) override;

 private:
  bool keep_divisors(Network& net, Scalar factor);
  bool divide(Network& net, Scalar target, Scalar other);

  Scalar result_, left_, right_;
};

// A variable, needed only if all of these truths hold.
struct Needed {
  bool is_truth;
  std::int32_t variable;
  std::vector<Literal> guards;

  bool is_open(const Network& net) const {
    if (is_truth ? net.is_known(variable) : net.is_fixed(variable)) return false;
    for (Literal guard : guards) {
      if (net.is_false(guard)) return false;
    }
    return true;
  }
  Number value(const Network& net) const {
    return is_truth ? net.is_true(variable) : net.low(variable);
  }
};

// `result` is what somebody says once everything needed is known.
class Ask final : public Propagator {
 public:
  // Given the values of what is needed: the result, or nothing if there is none to be told.
  using Answer = std::function<std::optional<Number>(const std::vector<Number>&)>;
  Ask(bool is_truth, std::int32_t result, std::vector<Needed> needed, Answer answer)
      : Propagator(true),
        is_truth_(is_truth),
        result_(result),
        needed_(std::move(needed)),
        answer_(std::move(answer)) {}
  bool run(Network& net) override;

 private:
  bool is_truth_;
  std::int32_t result_;
  std::vector<Needed> needed_;
  Answer answer_;
  std::size_t at_ = 0;  // what was open the last time is probably open still
};

}  // namespace secateur::solve

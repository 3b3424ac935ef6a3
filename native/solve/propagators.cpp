#include "propagators.hpp"

#include <algorithm>
#include <cmath>

namespace secateur::solve {

namespace {

constexpr Number kFar = Number{1} << 62;

Number floor_divide(Number a, Number b) {
  const Number quotient = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? quotient - 1 : quotient;
}

}  // namespace

bool AllOf::run(Network& net) {
  if (net.is_true(result_)) {
    for (Literal part : parts_) {
      if (!net.set(part, true)) return false;
    }
    return true;
  }
  const bool refuted = net.is_false(result_);
  std::optional<Literal> open;
  bool several = false;
  for (Literal part : parts_) {
    if (net.is_false(part)) return net.set(result_, false);
    if (!net.is_known(part)) {
      several = several || open.has_value();
      open = part;
      if (several && refuted) return true;
    }
  }
  if (!open) return net.set(result_, true);
  return !refuted || several || net.set(*open, false);
}

bool Same::run(Network& net) {
  const bool left = net.is_known(left_), right = net.is_known(right_);
  if (left && right) return net.set(result_, net.is_true(left_) == net.is_true(right_));
  if (!net.is_known(result_)) return true;
  const bool result = net.is_true(result_);
  if (left) return net.set(right_, net.is_true(left_) == result);
  return !right || net.set(left_, net.is_true(right_) == result);
}

bool Count::run(Network& net) {
  Number least = certain_, open = 0;
  for (Literal part : parts_) {
    if (net.is_true(part)) {
      ++least;
    } else if (!net.is_known(part)) {
      ++open;
    }
  }
  if (!net.narrow(total_, least, least + open)) return false;
  const bool none = net.high(total_) == least;
  if (!none && net.low(total_) != least + open) return true;
  for (Literal part : parts_) {
    if (!net.is_known(part) && !net.set(part, !none)) return false;
  }
  return true;
}

bool ValueTruths::run(Network& net) {
  for (const auto& [x, truth] : truths_) {
    if (net.is_true(truth)) {
      if (!net.assign(scalar_, x)) return false;
    } else if (net.is_false(truth)) {
      if (!net.remove(scalar_, x)) return false;
    } else if (!net.is_possible(scalar_, x)) {
      if (!net.set(truth, false)) return false;
    } else if (net.is_fixed(scalar_)) {
      if (!net.set(truth, true)) return false;
    }
  }
  return true;
}

bool Among::has(Number x) const {
  return std::binary_search(values_.begin(), values_.end(), x);
}

bool Among::run(Network& net) {
  if (net.is_true(truth_)) return net.keep_among(scalar_, values_);
  Number inside = 0;
  for (Number x : values_) inside += net.is_possible(scalar_, x);
  if (!net.is_known(truth_)) {
    if (inside == 0) return net.set(truth_, false);
    return inside < net.size(scalar_) || net.set(truth_, true);
  }
  for (Number x : values_) {
    if (inside > 0 && !net.remove(scalar_, x)) return false;
  }
  return true;
}

const Select::Option* Select::find(Number index) const {
  const auto found =
      std::lower_bound(options_.begin(), options_.end(), index,
                       [](const Option& option, Number wanted) { return option.index < wanted; });
  return found != options_.end() && found->index == index ? &*found : nullptr;
}

bool Select::overlap(const Network& net, const Option& option) const {
  if (option.scalar < 0) return net.is_possible(result_, option.number);
  const Number low = std::max(net.low(option.scalar), net.low(result_));
  const Number high = std::min(net.high(option.scalar), net.high(result_));
  if (low > high) return false;
  if (!net.has_holes(option.scalar) || !net.has_holes(result_)) return true;
  for (Number x = net.from(result_, low); x <= high; x = net.from(result_, x + 1)) {
    if (net.is_possible(option.scalar, x)) return true;
    if (x >= net.high(result_)) break;
  }
  return false;
}

bool Select::same(Network& net, const Option& option) {
  if (option.scalar < 0) return net.assign(result_, option.number);
  const Scalar other = option.scalar;
  if (!net.narrow(result_, net.low(other), net.high(other))) return false;
  if (!net.narrow(other, net.low(result_), net.high(result_))) return false;
  if (net.has_holes(other) &&
      !net.keep(result_, [&](Number x) { return net.is_possible(other, x); })) {
    return false;
  }
  return !net.has_holes(result_) ||
         net.keep(other, [&](Number x) { return net.is_possible(result_, x); });
}

bool Select::run(Network& net) {
  Number low = kFar, high = -kFar;
  std::vector<Number> impossible;
  Number found = 0;
  for (const Option& option : options_) {
    if (!net.is_possible(index_, option.index)) continue;
    ++found;
    if (!overlap(net, option)) {
      impossible.push_back(option.index);
    } else {
      low = std::min(low, option.scalar < 0 ? option.number : net.low(option.scalar));
      high = std::max(high, option.scalar < 0 ? option.number : net.high(option.scalar));
    }
  }
  // An index without an option leaves the result open.
  const bool total = found == net.size(index_);
  for (Number index : impossible) {
    if (!net.remove(index_, index)) return false;
  }
  if (total && !net.narrow(result_, low, high)) return false;
  if (!net.is_fixed(index_)) return true;
  const Option* chosen = find(net.low(index_));
  return chosen == nullptr || same(net, *chosen);
}

bool Extreme::run(Network& net) {
  const bool greatest = sign_ > 0;
  Number low = net.low(numbers_.front()), high = net.high(numbers_.front());
  for (Scalar v : numbers_) {
    low = greatest ? std::max(low, net.low(v)) : std::min(low, net.low(v));
    high = greatest ? std::max(high, net.high(v)) : std::min(high, net.high(v));
  }
  if (!net.narrow(result_, low, high)) return false;
  std::optional<Scalar> able;
  bool several = false;
  for (Scalar v : numbers_) {
    const bool kept = greatest ? net.narrow(v, net.low(v), net.high(result_))
                               : net.narrow(v, net.low(result_), net.high(v));
    if (!kept) return false;
    if (net.low(v) <= net.high(result_) && net.high(v) >= net.low(result_)) {
      several = several || able.has_value();
      able = v;
    }
  }
  return several || !able || net.narrow(*able, net.low(result_), net.high(result_));
}

bool Different::run(Network& net) {
  if (!net.is_true(truth_)) return find_out(net);
  if (!keep_apart(net)) return false;
  return !all_present_ || place_single(net);
}

bool Different::find_out(Network& net) {
  taken_.clear();
  std::size_t possible = 0;
  for (const Part& part : parts_) {
    if (is_absent(net, part)) continue;
    ++possible;
    if (is_present(net, part) && net.is_fixed(part.scalar)) taken_.push_back(net.low(part.scalar));
  }
  const std::size_t fixed = taken_.size();
  std::sort(taken_.begin(), taken_.end());
  if (std::adjacent_find(taken_.begin(), taken_.end()) != taken_.end()) {
    return net.set(truth_, false);
  }
  return fixed < possible || net.set(truth_, true);
}

bool Different::keep_apart(Network& net) {
  taken_.clear();
  open_.clear();
  for (const Part& part : parts_) {
    if (!is_absent(net, part)) open_.push_back(&part);
  }
  while (true) {
    std::vector<const Part*> others;
    const std::size_t before = taken_.size();
    for (const Part* part : open_) {
      if (is_present(net, *part) && net.is_fixed(part->scalar)) {
        taken_.push_back(net.low(part->scalar));
      } else if (!is_absent(net, *part)) {
        others.push_back(part);
      }
    }
    if (taken_.size() == before) return true;
    std::vector<Number> sorted = taken_;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return false;
    for (const Part* part : others) {
      if (is_present(net, *part)) {
        for (std::size_t i = before; i < taken_.size(); ++i) {
          if (!net.remove(part->scalar, taken_[i])) return false;
        }
      } else if (net.size(part->scalar) <= static_cast<Number>(sorted.size())) {
        bool free = false;
        for (Number x = net.low(part->scalar);; x = net.from(part->scalar, x + 1)) {
          free = free || !std::binary_search(sorted.begin(), sorted.end(), x);
          if (free || x == net.high(part->scalar)) break;
        }
        if (!free && !net.set(*part->present, false)) return false;
      }
    }
    open_ = std::move(others);
  }
}

// If there are no more values than places, one that fits in a single place goes there.
bool Different::place_single(Network& net) {
  const auto places = static_cast<Number>(parts_.size());
  homes_.clear();
  for (const Part& part : parts_) {
    if (net.size(part.scalar) > 4 * places) return true;
    for (Number x = net.low(part.scalar);; x = net.from(part.scalar, x + 1)) {
      homes_.emplace_back(x, part.scalar);
      if (x == net.high(part.scalar)) break;
    }
  }
  std::sort(homes_.begin(), homes_.end());
  std::vector<std::pair<Number, Scalar>> single;
  Number values = 0;
  for (std::size_t i = 0; i < homes_.size();) {
    std::size_t end = i + 1;
    while (end < homes_.size() && homes_[end].first == homes_[i].first) ++end;
    if (end == i + 1) single.push_back(homes_[i]);
    ++values;
    i = end;
  }
  if (values < places) return false;
  if (values > places) return true;
  for (const auto& [x, home] : single) {
    if (!net.assign(home, x)) return false;
  }
  return true;
}

bool Linear::run(Network& net) {
  if (!truth_ || net.is_true(*truth_)) return enforce(net, relation_);
  if (net.is_false(*truth_)) {
    static constexpr Relation kOpposite[] = {Relation::kDifferent, Relation::kEqual,
                                             Relation::kPositive, Relation::kAtMost};
    return enforce(net, kOpposite[static_cast<std::size_t>(relation_)]);
  }
  const std::optional<bool> known = entailed(net);
  return !known || net.set(*truth_, *known);
}

bool Linear::enforce(Network& net, Relation relation) {
  switch (relation) {
    case Relation::kDifferent:
      return differ(net);
    case Relation::kEqual:
      return at_most(net, 1, 0) && at_most(net, -1, 0) && same_values(net);
    case Relation::kAtMost:
      return at_most(net, 1, 0);
    default:
      return at_most(net, -1, 1);
  }
}

std::optional<bool> Linear::entailed(const Network& net) const {
  Number low = constant_, high = constant_;
  for (const auto& [c, v] : terms_) {
    low += c * (c > 0 ? net.low(v) : net.high(v));
    high += c * (c > 0 ? net.high(v) : net.low(v));
  }
  if (relation_ == Relation::kAtMost || relation_ == Relation::kPositive) {
    const bool at_most = relation_ == Relation::kAtMost;
    if (high <= 0) return at_most;
    if (low > 0) return !at_most;
    return std::nullopt;
  }
  const bool equal = relation_ == Relation::kEqual;
  if (low > 0 || high < 0 || disjoint(net)) return !equal;
  if (low == high) return equal;
  return std::nullopt;
}

bool Linear::disjoint(const Network& net) const {
  if (terms_.size() != 2) return false;
  auto [a, v] = terms_[0];
  auto [b, w] = terms_[1];
  if (std::abs(a) != 1 || std::abs(b) != 1) return false;
  if (!net.has_holes(v)) {
    std::swap(a, b);
    std::swap(v, w);
  }
  if (!net.has_holes(v)) return false;
  const Number factor = -a * b, shift = -constant_ * b;
  for (Number x = net.low(v);; x = net.from(v, x + 1)) {
    if (net.is_possible(w, factor * x + shift)) return false;
    if (x == net.high(v)) return true;
  }
}

// Enforces `sign * sum + slack <= 0` on the bounds.
bool Linear::at_most(Network& net, Number sign, Number slack) {
  Number least = sign * constant_ + slack;
  for (const auto& [c, v] : terms_) {
    const Number step = sign * c;
    least += step * (step > 0 ? net.low(v) : net.high(v));
  }
  if (least > 0) return false;
  for (const auto& [c, v] : terms_) {
    if (net.is_fixed(v)) continue;
    const Number step = sign * c;
    const bool kept = step > 0
                          ? net.narrow(v, -kFar, floor_divide(step * net.low(v) - least, step))
                          : net.narrow(v, -floor_divide(step * net.high(v) - least, -step), kFar);
    if (!kept) return false;
  }
  return true;
}

bool Linear::same_values(Network& net) {
  if (terms_.size() != 2) return true;
  for (const bool swapped : {false, true}) {
    const auto& [a, v] = terms_[swapped];
    const auto& [b, w] = terms_[!swapped];
    if (std::abs(a) != 1 || std::abs(b) != 1) return true;
    if (!net.has_holes(v)) continue;
    // w is factor * v + shift, and the other way round.
    const Number factor = -a * b, shift = -constant_ * b;
    const Scalar from = v;
    const auto wanted = [&](Number x) { return net.is_possible(from, factor * (x - shift)); };
    if (!net.keep(w, wanted)) return false;
  }
  return true;
}

bool Linear::differ(Network& net) {
  Number rest = constant_, factor = 0;
  Scalar open = -1;
  for (const auto& [c, v] : terms_) {
    if (net.is_fixed(v)) {
      rest += c * net.low(v);
    } else if (open < 0) {
      factor = c;
      open = v;
    } else {
      return true;
    }
  }
  if (open < 0) return rest != 0;
  return rest % factor != 0 || net.remove(open, -rest / factor);
}

namespace {

Number root_above(Number n) {
  auto root = static_cast<Number>(std::sqrt(static_cast<double>(n)));
  while (root * root >= n && root > 0) --root;
  while (root * root < n) ++root;
  return root;
}

}  // namespace

bool Product::run(Network& net) {
  const Number corners[] = {net.low(left_) * net.low(right_), net.low(left_) * net.high(right_),
                            net.high(left_) * net.low(right_), net.high(left_) * net.high(right_)};
  Number least = *std::min_element(std::begin(corners), std::end(corners));
  if (left_ == right_ && least < 0) least = 0;
  if (!net.narrow(result_, least, *std::max_element(std::begin(corners), std::end(corners)))) {
    return false;
  }
  if (!divide(net, left_, right_) || !divide(net, right_, left_)) return false;
  if (!net.is_fixed(result_) || net.low(result_) == 0) return true;
  return keep_divisors(net, left_) && keep_divisors(net, right_);
}

bool Product::keep_divisors(Network& net, Scalar factor) {
  if (net.is_fixed(factor) || net.size(factor) > 1024) return true;
  const Number number = net.low(result_);
  return net.keep(factor, [&](Number x) { return x != 0 && number % x == 0; });
}

// Bounds `target` by the magnitudes of the product and of the other factor.
bool Product::divide(Network& net, Scalar target, Scalar other) {
  const auto around_zero = [&](Scalar v) { return net.low(v) <= 0 && 0 <= net.high(v); };
  if (around_zero(result_)) {
    if (target == other) {
      const Number root = root_above(std::max(net.high(result_), Number{0}));
      if (!net.narrow(target, -root, root)) return false;
    }
    if (around_zero(other)) return true;
  }
  // Where the product is not zero, neither is the factor: its least size is 1.
  const Number smallest =
      around_zero(other) ? 1 : std::min(std::abs(net.low(other)), std::abs(net.high(other)));
  const Number largest = std::max(std::abs(net.low(result_)), std::abs(net.high(result_)));
  const Number limit = target == other ? root_above(largest) : largest / smallest;
  if (!net.narrow(target, -limit, limit)) return false;
  const Number low = net.low(result_);
  if (low > 0 && net.low(target) >= 0 && net.low(other) >= 0 && net.high(other) > 0 &&
      !net.narrow(target, -floor_divide(-low, net.high(other)), kFar)) {
    return false;
  }
  if (net.low(result_) <= 0 && net.high(result_) >= 0) return true;
  const bool positive = net.low(result_) > 0;
  if (net.low(other) >= 0) {
    return positive ? net.narrow(target, 1, kFar) : net.narrow(target, -kFar, -1);
  }
  if (net.high(other) <= 0) {
    return positive ? net.narrow(target, -kFar, -1) : net.narrow(target, 1, kFar);
  }
  return true;
}

bool Ask::run(Network& net) {
  if (at_ < needed_.size() && needed_[at_].is_open(net)) return true;
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    if (needed_[i].is_open(net)) {
      at_ = i;
      return true;
    }
  }
  std::vector<Number> values;
  values.reserve(needed_.size());
  for (const Needed& each : needed_) values.push_back(each.value(net));
  const std::optional<Number> found = answer_(values);
  if (!found) return true;
  return is_truth_ ? net.set(result_, *found != 0) : net.assign(result_, *found);
}

}  // namespace secateur::solve

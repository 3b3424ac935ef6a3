// Unknown truths and numbers, what is still possible for them, and a trail to undo by: the twin
// of secateur.maths.solve.network.  Whatever narrows returns false if nothing is possible any more.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace secateur::solve {

using Number = std::int64_t;

// A truth or its negation: twice the number of the truth, and 1 more if it is negated.
using Literal = std::int32_t;
using Scalar = std::int32_t;

constexpr Literal opposite(Literal literal) {
  return literal ^ 1;
}

class Network;

// Something that narrows; subclasses say what and how in `run`.
class Propagator {
 public:
  explicit Propagator(bool slow = false) : slow(slow) {}
  Propagator(const Propagator&) = delete;
  Propagator& operator=(const Propagator&) = delete;
  virtual ~Propagator() = default;

  virtual bool run(Network& net) = 0;

  const bool slow;  // waits until the quick ones have settled
  bool queued = false;
};

class Network {
 public:
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // -- making it -------------------------------------------------------------------------------

  Literal add_truth() {
    truths_.emplace_back();
    return static_cast<Literal>(2 * truths_.size() - 2);
  }
  // The numbers from `low` to `high`; of these only `values`, which are in order, if there are any.
  Scalar add_scalar(Number low, Number high, const std::vector<Number>& values);
  std::int32_t add(std::unique_ptr<Propagator> propagator);
  void watch_truth(Literal literal, std::int32_t propagator) {
    truths_[static_cast<std::size_t>(literal) / 2].watchers.push_back(propagator);
  }
  void watch_scalar(Scalar v, std::int32_t propagator, bool on_fix) {
    Range& range = ranges_[static_cast<std::size_t>(v)];
    (on_fix ? range.on_fix : range.watchers).push_back(propagator);
  }

  // -- what is known ---------------------------------------------------------------------------

  bool is_known(Literal literal) const { return truth(literal).value != kOpen; }
  bool is_true(Literal literal) const { return truth(literal).value == !(literal & 1); }
  bool is_false(Literal literal) const { return truth(literal).value == (literal & 1); }

  Number low(Scalar v) const { return range(v).low; }
  Number high(Scalar v) const { return range(v).high; }
  bool is_fixed(Scalar v) const { return range(v).low == range(v).high; }
  Number size(Scalar v) const { return range(v).size; }
  bool has_holes(Scalar v) const { return range(v).size != range(v).high - range(v).low + 1; }
  bool is_possible(Scalar v, Number x) const {
    const Range& r = range(v);
    return r.low <= x && x <= r.high && (r.words == 0 || bit(r, x));
  }
  // The least possible value that is not below `x`, which is not above the greatest.
  Number from(Scalar v, Number x) const {
    const Range& r = range(v);
    return x <= r.low ? r.low : r.words == 0 ? x : next_bit(r, x);
  }

  // -- narrowing -------------------------------------------------------------------------------

  bool set(Literal literal, bool value);
  bool narrow(Scalar v, Number low, Number high);
  bool remove(Scalar v, Number x);
  bool assign(Scalar v, Number x);
  // Keeps the values that `wanted` accepts; very wide ranges stay as they are.
  template <typename Wanted>
  bool keep(Scalar v, Wanted wanted) {
    if (size(v) > kListed) return true;
    std::vector<Number> kept;
    const Number last = high(v);
    for (Number x = low(v);; x = from(v, x + 1)) {
      if (wanted(x)) kept.push_back(x);
      if (x == last) break;
    }
    return keep_only(v, kept);
  }
  // Keeps the values that are in `values`, which are in order.
  bool keep_among(Scalar v, const std::vector<Number>& values);

  // -- propagation -----------------------------------------------------------------------------

  void wake(std::int32_t propagator);
  bool propagate();

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

 private:
  static constexpr std::int8_t kOpen = -1;
  // An interval of at most so many numbers may get holes; wider ones keep their bounds only.
  static constexpr Number kHolesUpTo = 4096;
  // Of listed values, the least and the greatest may be so far apart to be kept one by one.
  static constexpr Number kListed = 65536;
  // Between two choices, a wide interval may be narrowed by a little only so many times:
  // x < y & y < x would take very long otherwise.  Narrowing less is always right.
  static constexpr Number kWide = 64;
  static constexpr int kCreeps = 100;

  struct Truth {
    std::int8_t value = kOpen;
    std::vector<std::int32_t> watchers;
  };

  struct Range {
    Number low;
    Number high;
    Number size;
    Number base = 0;        // the number of the first bit
    std::size_t first = 0;  // the first word of bits
    std::size_t words = 0;  // none if there are no holes to keep
    std::vector<std::int32_t> watchers;
    std::vector<std::int32_t> on_fix;
  };

  struct Change {
    enum class Kind : std::uint8_t { kTruth, kRange, kWord } kind;
    std::size_t place;
    Number low;
    Number high;
    Number size;
    std::uint64_t word;
  };

  const Truth& truth(Literal literal) const {
    return truths_[static_cast<std::size_t>(literal) / 2];
  }
  const Range& range(Scalar v) const { return ranges_[static_cast<std::size_t>(v)]; }
  bool bit(const Range& r, Number x) const {
    const auto place = static_cast<std::uint64_t>(x - r.base);
    return bits_[r.first + place / 64] >> (place % 64) & 1;
  }
  Number next_bit(const Range& r, Number x) const;
  Number previous_bit(const Range& r, Number x) const;
  Number count(const Range& r, Number low, Number high) const;
  bool keep_only(Scalar v, const std::vector<Number>& kept);
  void save(std::size_t place);
  void changed(const Range& r);
  void forget_queue();

  std::vector<Truth> truths_;
  std::vector<Range> ranges_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::unique_ptr<Propagator>> propagators_;
  std::vector<std::int32_t> quick_;
  std::vector<std::int32_t> slow_;
  std::size_t next_quick_ = 0;
  std::size_t next_slow_ = 0;
  std::vector<Change> trail_;
  int creeps_ = 0;
};

}  // namespace secateur::solve

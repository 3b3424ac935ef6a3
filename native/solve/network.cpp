#include "network.hpp"

#include <algorithm>

namespace secateur::solve {

Scalar Network::add_scalar(Number low, Number high, const std::vector<Number>& values) {
  Range r{.low = low, .high = high, .size = high - low + 1, .watchers = {}, .on_fix = {}};
  const bool listed = !values.empty();
  if (high - low < (listed ? kListed : kHolesUpTo)) {
    r.base = low;
    r.first = bits_.size();
    r.words = static_cast<std::size_t>((high - low) / 64 + 1);
    bits_.resize(bits_.size() + r.words, listed ? 0 : ~std::uint64_t{0});
    for (Number x : values) {
      const auto place = static_cast<std::uint64_t>(x - low);
      bits_[r.first + place / 64] |= std::uint64_t{1} << (place % 64);
    }
    if (listed) r.size = static_cast<Number>(values.size());
  }
  ranges_.push_back(std::move(r));
  return static_cast<Scalar>(ranges_.size() - 1);
}

std::int32_t Network::add(std::unique_ptr<Propagator> propagator) {
  propagators_.push_back(std::move(propagator));
  return static_cast<std::int32_t>(propagators_.size() - 1);
}

Number Network::next_bit(const Range& r, Number x) const {
  const auto place = static_cast<std::uint64_t>(x - r.base);
  std::size_t word = place / 64;
  std::uint64_t left = bits_[r.first + word] & (~std::uint64_t{0} << (place % 64));
  while (left == 0) left = bits_[r.first + ++word];
  return r.base + static_cast<Number>(word * 64) + std::countr_zero(left);
}

Number Network::previous_bit(const Range& r, Number x) const {
  const auto place = static_cast<std::uint64_t>(x - r.base);
  std::size_t word = place / 64;
  std::uint64_t left = bits_[r.first + word] & (~std::uint64_t{0} >> (63 - place % 64));
  while (left == 0) left = bits_[r.first + --word];
  return r.base + static_cast<Number>(word * 64) + 63 - std::countl_zero(left);
}

Number Network::count(const Range& r, Number low, Number high) const {
  const auto from = static_cast<std::uint64_t>(low - r.base);
  const auto to = static_cast<std::uint64_t>(high - r.base);
  Number total = 0;
  for (std::size_t word = from / 64; word <= to / 64; ++word) {
    std::uint64_t here = bits_[r.first + word];
    if (word == from / 64) here &= ~std::uint64_t{0} << (from % 64);
    if (word == to / 64) here &= ~std::uint64_t{0} >> (63 - to % 64);
    total += std::popcount(here);
  }
  return total;
}

bool Network::set(Literal literal, bool value) {
  Truth& truth = truths_[static_cast<std::size_t>(literal) / 2];
  const std::int8_t wanted = value == !(literal & 1);
  if (truth.value != kOpen) return truth.value == wanted;
  trail_.push_back({Change::Kind::kTruth, static_cast<std::size_t>(literal) / 2, 0, 0, 0, 0});
  truth.value = wanted;
  for (std::int32_t each : truth.watchers) wake(each);
  return true;
}

void Network::save(std::size_t place) {
  const Range& r = ranges_[place];
  trail_.push_back({Change::Kind::kRange, place, r.low, r.high, r.size, 0});
}

void Network::changed(const Range& r) {
  for (std::int32_t each : r.watchers) wake(each);
  if (r.low == r.high) {
    for (std::int32_t each : r.on_fix) wake(each);
  }
}

bool Network::narrow(Scalar v, Number low, Number high) {
  const auto place = static_cast<std::size_t>(v);
  Range& r = ranges_[place];
  if (low <= r.low && high >= r.high) return true;
  low = std::max(low, r.low);
  high = std::min(high, r.high);
  if (low > high) return false;
  if (r.words == 0) {
    if (high - low > kWide && (high - low) >= (r.high - r.low) / 10 * 9 && ++creeps_ > kCreeps) {
      return true;
    }
    save(place);
    r.low = low;
    r.high = high;
    r.size = high - low + 1;
  } else {
    low = next_bit(r, low);
    if (low > high) return false;
    high = previous_bit(r, high);
    save(place);
    r.size = count(r, low, high);
    r.low = low;
    r.high = high;
  }
  changed(r);
  return true;
}

bool Network::remove(Scalar v, Number x) {
  if (!is_possible(v, x)) return true;
  const auto place = static_cast<std::size_t>(v);
  Range& r = ranges_[place];
  if (x == r.low) return r.low < r.high && narrow(v, x + 1, r.high);
  if (x == r.high) return narrow(v, r.low, x - 1);
  if (r.words == 0) return true;
  const auto number = static_cast<std::uint64_t>(x - r.base);
  const std::size_t word = r.first + number / 64;
  save(place);
  trail_.push_back({Change::Kind::kWord, word, 0, 0, 0, bits_[word]});
  bits_[word] &= ~(std::uint64_t{1} << (number % 64));
  --r.size;
  changed(r);
  return true;
}

bool Network::assign(Scalar v, Number x) {
  return is_possible(v, x) && narrow(v, x, x);
}

bool Network::keep_among(Scalar v, const std::vector<Number>& values) {
  std::vector<Number> kept;
  for (Number x : values) {
    if (is_possible(v, x)) kept.push_back(x);
  }
  return keep_only(v, kept);
}

// Of possible values, which are in order, those between the first and the last are kept; without
// bits, all between these.
bool Network::keep_only(Scalar v, const std::vector<Number>& kept) {
  if (kept.empty()) return false;
  const auto place = static_cast<std::size_t>(v);
  Range& r = ranges_[place];
  if (static_cast<Number>(kept.size()) == r.size) return true;
  if (r.words == 0) return narrow(v, kept.front(), kept.back());
  save(place);
  std::size_t next = 0;
  for (std::size_t word = 0; word < r.words; ++word) {
    std::uint64_t bits = 0;
    const Number end = r.base + static_cast<Number>(word + 1) * 64;
    for (; next < kept.size() && kept[next] < end; ++next) {
      bits |= std::uint64_t{1} << (static_cast<std::uint64_t>(kept[next] - r.base) % 64);
    }
    std::uint64_t& here = bits_[r.first + word];
    if (here != bits) {
      trail_.push_back({Change::Kind::kWord, r.first + word, 0, 0, 0, here});
      here = bits;
    }
  }
  r.low = kept.front();
  r.high = kept.back();
  r.size = static_cast<Number>(kept.size());
  changed(r);
  return true;
}

void Network::wake(std::int32_t propagator) {
  Propagator& each = *propagators_[static_cast<std::size_t>(propagator)];
  if (each.queued) return;
  each.queued = true;
  (each.slow ? slow_ : quick_).push_back(propagator);
}

bool Network::propagate() {
  creeps_ = 0;
  while (next_quick_ < quick_.size() || next_slow_ < slow_.size()) {
    const bool quick = next_quick_ < quick_.size();
    const std::int32_t number = quick ? quick_[next_quick_++] : slow_[next_slow_++];
    if (next_quick_ == quick_.size()) {
      quick_.clear();
      next_quick_ = 0;
    }
    if (next_slow_ == slow_.size()) {
      slow_.clear();
      next_slow_ = 0;
    }
    Propagator& each = *propagators_[static_cast<std::size_t>(number)];
    each.queued = false;
    if (!each.run(*this)) {
      forget_queue();
      return false;
    }
  }
  return true;
}

void Network::forget_queue() {
  for (std::size_t i = next_quick_; i < quick_.size(); ++i) {
    propagators_[static_cast<std::size_t>(quick_[i])]->queued = false;
  }
  for (std::size_t i = next_slow_; i < slow_.size(); ++i) {
    propagators_[static_cast<std::size_t>(slow_[i])]->queued = false;
  }
  quick_.clear();
  slow_.clear();
  next_quick_ = next_slow_ = 0;
}

void Network::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Change& last = trail_.back();
    switch (last.kind) {
      case Change::Kind::kTruth:
        truths_[last.place].value = kOpen;
        break;
      case Change::Kind::kRange: {
        Range& r = ranges_[last.place];
        r.low = last.low;
        r.high = last.high;
        r.size = last.size;
        break;
      }
      case Change::Kind::kWord:
        bits_[last.place] = last.word;
        break;
    }
    trail_.pop_back();
  }
  forget_queue();
}

}  // namespace secateur::solve

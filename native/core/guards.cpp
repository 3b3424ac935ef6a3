#include "guards.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace secateur {

namespace {

using Bits = std::vector<std::uint64_t>;

constexpr unsigned kMostBits = 8;                        // that the guards of a cluster look at
constexpr unsigned kFewBits = 6;                         // the same, if they have no bit in common
constexpr std::size_t kMostRows = std::size_t{1} << 17;  // of all clusters

// The members of a cluster that is being made.
struct Group {
  std::vector<unsigned> instances;
  Bits reads;
};

unsigned size_of(const Bits& bits) {
  unsigned size = 0;
  for (const std::uint64_t word : bits) size += static_cast<unsigned>(std::popcount(word));
  return size;
}

// How many bits a group looks at with another instance; nothing if these are too many.
std::optional<unsigned> joined(const Group& group, const Bits& reads) {
  unsigned size = 0;
  bool meet = false;
  for (std::size_t word = 0; word < reads.size(); ++word) {
    size += static_cast<unsigned>(std::popcount(group.reads[word] | reads[word]));
    meet = meet || (group.reads[word] & reads[word]) != 0;
  }
  return size <= (meet ? kMostBits : kFewBits) ? std::optional(size) : std::nullopt;
}

// The group that looks at the fewest more bits with an instance.
Group* best_for(std::vector<Group>& groups, const Bits& reads) {
  Group* best = nullptr;
  unsigned least = kMostBits + 1;
  for (Group& group : groups) {
    const std::optional<unsigned> size = joined(group, reads);
    if (!size || *size - size_of(group.reads) >= least) continue;
    least = *size - size_of(group.reads);
    best = &group;
  }
  return best;
}

}  // namespace

GuardCluster::GuardCluster(std::vector<unsigned> instances, const Bits& reads)
    : instances_(std::move(instances)) {
  for (const unsigned i : instances_) {
    if (words_.empty() || words_.back() != i / 64) words_.push_back(i / 64);
  }
  unsigned to = 0;
  for (unsigned word = 0; word < reads.size(); ++word) {
    for (std::uint64_t left = reads[word]; left != 0;) {
      const auto shift = static_cast<unsigned>(std::countr_zero(left));
      const auto length = static_cast<unsigned>(std::countr_one(left >> shift));
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - length);
      runs_.push_back({word, shift, mask, to});
      left &= ~(mask << shift);
      to += length;
    }
  }
  rows_.assign(std::size_t{1} << to, nullptr);
}

const std::uint64_t* GuardCluster::evaluated(const std::uint64_t* state,
                                             const Reduction& reduction) {
  std::vector<std::uint64_t> row(fault_at() + 1);
  std::size_t word = 0;
  for (std::size_t place = 0; place < instances_.size(); ++place) {
    const unsigned i = instances_[place];
    const Instance& instance = reduction.instances()[i];
    std::uint64_t found[2] = {0, 0};
    instance.guard(state, instance.parameters.data(), found);
    const std::uint64_t untrue = found[0] | found[1];
    row[2 * place] = untrue;
    row[2 * place + 1] = found[0];
    while (words_[word] != i / 64) ++word;
    if (untrue == 0) row[happening_at() + word] |= std::uint64_t{1} << i % 64;
    if (found[1] != 0 && !surely_disabled(instance, untrue, found[0])) row[fault_at()] = 1;
  }
  const auto same = std::ranges::find(different_, row);
  return (same != different_.end() ? *same : different_.emplace_back(std::move(row))).data();
}

Guards::Guards(const Reduction& reduction, std::size_t words) {
  std::vector<Group> groups;
  for (unsigned i = 0; i < reduction.size(); ++i) {
    const Instance& instance = reduction.instances()[i];
    const bool certain = instance.total && !reduction.faulty(i);
    const bool known = instance.guard != nullptr && instance.reads.size() == words;
    if (!certain || !known || size_of(instance.reads) > kMostBits ||
        groups.size() << kMostBits > kMostRows) {
      others_.push_back(i);
      continue;
    }
    Group* group = best_for(groups, instance.reads);
    if (group == nullptr) group = &groups.emplace_back(Group{{}, Bits(words)});
    group->instances.push_back(i);
    for (std::size_t word = 0; word < words; ++word) group->reads[word] |= instance.reads[word];
  }
  for (Group& group : groups) clusters_.emplace_back(std::move(group.instances), group.reads);
}

}  // namespace secateur

// A strong 64-bit hash of the words of a state.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace secateur {

// Every bit of `h` decides about every bit of the result.
inline std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0x9fb21c651e98df25u;
  h ^= h >> 29;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return h;
}

// The product of two words, its halves put together.
inline std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_on(std::uint64_t h, std::uint64_t word) {
  return (std::rotl(h, 23) ^ word) * 0xff51afd7ed558ccdu;
}

// The hash of `count` words; W is their number where it is known when this is compiled, else 0.
template <unsigned W>
[[gnu::always_inline]] inline std::uint64_t hash_of(const std::uint64_t* words, std::size_t count) {
  if constexpr (W == 1) return mixed(words[0] + 0x9e3779b97f4a7c15u);
  if constexpr (W != 0) count = W;
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  std::size_t i = 0;
  if constexpr (W == 0 || W > 2) {
    // Pairs of words need not wait for each other.  What they are mixed with depends on where they
    // are, so that their order matters.
    std::uint64_t key = 0xa0761d6478bd642fu;
    for (; i + 2 <= count; i += 2, key += 0x9e3779b97f4a7c15u) {
      h += folded(words[i] ^ key, words[i + 1] ^ (key ^ 0xe7037ed1a0b428dbu));
    }
  }
  for (; i < count; ++i) h = hash_on(h, words[i]);
  return mixed(h);
}

// A hash for tables that keep nothing else of a state: there, no pattern in the states may make two
// of them alike, so every word is mixed for itself.
template <unsigned W>
std::uint64_t fingerprint_of(const std::uint64_t* words, std::size_t count, std::uint64_t seed) {
  if constexpr (W != 0) count = W;
  std::uint64_t h = mixed(seed + 0x9e3779b97f4a7c15u);
  for (std::size_t i = 0; i < count; ++i) {
    h = mixed((std::rotl(h, 23) ^ words[i]) + 0x9e3779b97f4a7c15u);
  }
  return h;
}

}  // namespace secateur

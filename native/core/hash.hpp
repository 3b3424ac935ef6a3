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

inline std::uint64_t hash_on(std::uint64_t h, std::uint64_t word) {
  return (std::rotl(h, 23) ^ word) * 0xff51afd7ed558ccdu;
}

// The hash of `count` words; W is their number where it is known when this is compiled, else 0.
template <unsigned W>
std::uint64_t hash_of(const std::uint64_t* words, std::size_t count) {
  if constexpr (W == 1) return mixed(words[0] + 0x9e3779b97f4a7c15u);
  if constexpr (W != 0) count = W;
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  std::size_t i = 0;
  if (W == 0 && count >= 8) {
    // Four hashes that need not wait for each other.
    std::uint64_t all[4] = {h, ~h, h >> 1, h << 1};
    for (; i + 4 <= count; i += 4) {
      for (unsigned k = 0; k < 4; ++k) all[k] = hash_on(all[k], words[i + k]);
    }
    h = all[0];
    for (unsigned k = 1; k < 4; ++k) h = hash_on(h, all[k]);
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

// How the words of a state are packed into bits, where most bits never vary.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "layout.hpp"

namespace secateur {

// Whether this processor gathers and scatters bits by one instruction, in no time.
inline bool squeezes_well() {
#if defined(__x86_64__)
  // Two generations have the instructions and take long for them.
  return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
         !__builtin_cpu_is("znver2");
#else
  return false;
#endif
}

// A packed state has, for each word in turn, the bits that vary; all others are those of `base`.
class Squeezed {
 public:
  // `varying` and `base` have a word for each word of a state.
  Squeezed(const std::vector<std::uint64_t>& varying, const std::vector<std::uint64_t>& base) {
    std::size_t bit = 0;
    for (std::size_t i = 0; i < varying.size(); ++i) {
      const auto width = static_cast<unsigned>(std::popcount(varying[i]));
      if (bit % 8 + width > 64) bit = (bit + 7) / 8 * 8;  // to be loaded at once
      fields_.push_back({varying[i], base[i] & ~varying[i], low_bits(width),
                         static_cast<std::uint32_t>(bit / 8), static_cast<std::uint16_t>(bit % 8),
                         static_cast<std::uint16_t>((bit % 8 + width + 7) / 8)});
      bit += width;
    }
    bytes_ = (bit + 7) / 8;
  }

  std::size_t bytes() const { return bytes_; }

  // Packs a state and returns true; or returns false if a bit has changed that never did.
  bool pack(const std::uint64_t* words, std::byte* to) const {
    std::uint64_t different = 0;
    std::uint64_t begun = 0;  // the bits of the byte that the field before has ended in
    for (const Field& f : fields_) {
      const std::uint64_t word = *words++;
      different |= (word ^ f.base) & ~f.mask;
      const std::uint64_t bits = gathered(word, f.mask) << f.shift | (f.shift != 0 ? begun : 0);
      Layout::store(bits, to + f.offset, f.bytes);
      begun = f.bytes == 0 ? 0 : bits >> (8 * (f.bytes - 1));
    }
    return different == 0;
  }

  // May load up to `Layout::kSlack` bytes after the state, as `same` may.
  void unpack(const std::byte* from, std::uint64_t* words) const {
    for (const Field& f : fields_) *words++ = scattered(load(from, f), f.mask) | f.base;
  }

  // Whether the packed state is the one of `words`.
  bool same(const std::byte* packed, const std::uint64_t* words) const {
    std::uint64_t different = 0;
    for (const Field& f : fields_) {
      const std::uint64_t word = *words++;
      different |= (word ^ f.base) & ~f.mask;
      different |= gathered(word, f.mask) ^ load(packed, f);
    }
    return different == 0;
  }

 private:
  struct Field {
    std::uint64_t mask;
    std::uint64_t base;
    std::uint64_t low;     // as many ones as the mask has
    std::uint32_t offset;  // in bytes
    std::uint16_t shift;   // of the first bit in its byte
    std::uint16_t bytes;   // that it has bits of
  };

  static std::uint64_t low_bits(unsigned count) {
    return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
  }

  // The bits that a mask names, side by side; what is compiled is for older processors, too.
  static std::uint64_t gathered(std::uint64_t word, std::uint64_t mask) {
#if defined(__x86_64__)
    std::uint64_t bits = 0;
    asm("pextq %2, %1, %0" : "=r"(bits) : "r"(word), "r"(mask));
    return bits;
#else
    std::uint64_t bits = 0;
    for (unsigned to = 0; mask != 0; mask &= mask - 1, ++to) {
      bits |= (word >> std::countr_zero(mask) & 1) << to;
    }
    return bits;
#endif
  }

  // And back to where they were.
  static std::uint64_t scattered(std::uint64_t bits, std::uint64_t mask) {
#if defined(__x86_64__)
    std::uint64_t word = 0;
    asm("pdepq %2, %1, %0" : "=r"(word) : "r"(bits), "r"(mask));
    return word;
#else
    std::uint64_t word = 0;
    for (; mask != 0; mask &= mask - 1, bits >>= 1) word |= (bits & 1) << std::countr_zero(mask);
    return word;
#endif
  }

  // Other threads may be writing what comes after the state, as `Layout` says.
  static std::uint64_t load(const std::byte* from, const Field& f) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + f.offset, SECATEUR_EXACT_LOADS ? f.bytes : sizeof word);
    return word >> f.shift & f.low;
  }

  std::vector<Field> fields_;
  std::size_t bytes_ = 0;
};

}  // namespace secateur

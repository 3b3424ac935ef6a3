// How the words of a state are packed into bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define SECATEUR_EXACT_LOADS 1
#else
#define SECATEUR_EXACT_LOADS 0
#endif

namespace secateur {

// A packed state has, for each word in turn, the bytes that its used bits need; or all of its words
// as they are, if there are many and that saves little: they are copied at once.  W is the number
// of words where it is known when this is compiled, else 0.
class Layout {
 public:
  // A load of the last word may touch this many bytes after the state.
  static constexpr std::size_t kSlack = 8;

  // `bits[i]` is the number of low bits that word i uses.
  explicit Layout(const std::vector<unsigned>& bits) {
    for (const unsigned used : bits) {
      if (used > 64) throw std::invalid_argument("a word has 64 bits");
      const unsigned bytes = (used + 7) / 8;
      parts_.push_back({bytes_, bytes, low_bits(8 * bytes), low_bits(used)});
      forbidden_.push_back(~low_bits(used));
      bytes_ += bytes;
    }
    const std::size_t whole = bits.size() * sizeof(std::uint64_t);
    plain_ = bits.size() > kFew && whole - bytes_ <= whole / 8;
    if (plain_) bytes_ = whole;
    if (parts_.empty()) throw std::invalid_argument("a state has at least one word");
    if (bytes_ == 0) bytes_ = 1;
    for (std::size_t i = 0; i < kFew; ++i) few_[i] = parts_[std::min(i, parts_.size() - 1)];
  }

  // How many bits word i uses.
  unsigned bits(std::size_t i) const {
    return static_cast<unsigned>(std::bit_width(parts_[i].allowed));
  }
  void require_right_bits(const std::uint64_t* words) const {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < forbidden_.size(); ++i) wrong |= words[i] & forbidden_[i];
    if (wrong != 0) throw_wrong_bits();
  }

  std::size_t words() const { return parts_.size(); }
  std::size_t bytes() const { return bytes_; }
  // The bits that states may have, by word.
  std::vector<std::uint64_t> all_bits() const {
    std::vector<std::uint64_t> all;
    for (const Part& part : parts_) all.push_back(part.allowed);
    return all;
  }
  // Those in their first word.
  std::uint64_t first_word() const { return parts_[0].allowed; }

  template <unsigned W>
  void pack(const std::uint64_t* words, std::byte* to) const {
    if (W == 0 && plain_) {
      require_right_bits(words);
      std::memcpy(to, words, bytes_);
      return;
    }
    for (std::size_t i = 0; i < count<W>(); ++i) {
      const Part& part = at<W>(i);
      if ((words[i] & ~part.allowed) != 0) throw_wrong_bits();
      store(words[i], to + part.offset, part.bytes);
    }
  }

  template <unsigned W>
  void unpack(const std::byte* from, std::uint64_t* words) const {
    if (W == 0 && plain_) {
      std::memcpy(words, from, bytes_);
      return;
    }
    for (std::size_t i = 0; i < count<W>(); ++i) words[i] = load(from, at<W>(i));
  }

  // Whether the packed state is the one of `words`.
  template <unsigned W>
  bool same(const std::byte* packed, const std::uint64_t* words) const {
    if (W == 0 && plain_) return std::memcmp(packed, words, bytes_) == 0;
    for (std::size_t i = 0; i < count<W>(); ++i) {
      if (load(packed, at<W>(i)) != words[i]) return false;
    }
    return true;
  }

  [[noreturn]] static void throw_wrong_bits() {
    throw std::logic_error("a state has bits that it must not have");
  }

  // Stores the `bytes` low bytes and no others: those after them may be another thread's.
  static void store(std::uint64_t word, std::byte* to, std::size_t bytes) {
    if (bytes >= 4) {
      const auto low = static_cast<std::uint32_t>(word);
      const auto high = static_cast<std::uint32_t>(word >> (8 * (bytes - 4)));
      std::memcpy(to, &low, 4);
      std::memcpy(to + bytes - 4, &high, 4);  // they may overlap
    } else {
      for (; bytes != 0; --bytes, word >>= 8) *to++ = static_cast<std::byte>(word);
    }
  }

 private:
  struct Part {
    std::size_t offset;
    std::size_t bytes;
    std::uint64_t mask;     // of its bytes
    std::uint64_t allowed;  // of its bits
  };

  static std::uint64_t low_bits(unsigned count) {
    return count == 64 ? ~0ull : (1ull << count) - 1;
  }

  template <unsigned W>
  std::size_t count() const {
    return W == 0 ? parts_.size() : W;
  }

  template <unsigned W>
  const Part& at(std::size_t i) const {
    return W == 0 ? parts_[i] : few_[i];
  }

  // The bytes after the part are masked away.  Another thread may be writing them, which does
  // no harm, but which a race detector cannot know.
  static std::uint64_t load(const std::byte* from, const Part& part) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + part.offset, SECATEUR_EXACT_LOADS ? part.bytes : sizeof word);
    return word & part.mask;
  }

  static constexpr std::size_t kFew = 4;

  std::array<Part, kFew> few_{};  // the first of `parts_`, one step nearer
  std::vector<Part> parts_;
  std::vector<std::uint64_t> forbidden_;  // bits, by word
  std::size_t bytes_ = 0;
  bool plain_ = false;  // whether words are stored as they are
};

}  // namespace secateur

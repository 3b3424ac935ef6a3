// Which pages to ask the system for: large ones or small ones.
//
// Who looks at memory here and there waits less where pages are large.  But what it takes to get
// them differs: a machine that has them at hand clears one as fast as as many small ones; a virtual
// machine may have given them back to its host, and getting them again takes ten times as long as
// getting small ones, which were in use shortly before.  So both are tried, and what they take is
// measured; now and then, and less and less often, the dearer ones are tried again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace secateur {

enum class Pages : int { kLarge, kSmall };

class PageChoice {
 public:
  // Which pages the next piece of memory should have.
  Pages next() {
    ++pieces_;
    if (cost_[0] == kUnknown) return Pages::kLarge;
    if (cost_[1] == kUnknown) return Pages::kSmall;
    const bool large = cost_[0] <= cost_[1] + kWorth;
    if (pieces_ < again_) return large ? Pages::kLarge : Pages::kSmall;
    again_ = 2 * pieces_;
    return large ? Pages::kSmall : Pages::kLarge;
  }

  // Says how many nanoseconds it took to get a piece.
  void paid(Pages pages, std::uint64_t nanoseconds) {
    std::uint64_t& cost = cost_[static_cast<std::size_t>(pages)];
    cost = cost == kUnknown ? nanoseconds : (3 * cost + nanoseconds) / 4;
  }

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  static constexpr std::uint64_t kFirst = 16;
  // Nanoseconds that two megabytes may take longer if their pages are large: looking at a state a
  // few times takes a dozen less then.
  static constexpr std::uint64_t kWorth = 500'000;

  std::uint64_t cost_[2] = {kUnknown, kUnknown};
  std::uint64_t pieces_ = 0;
  std::uint64_t again_ = kFirst;  // the piece that is for the dearer pages
};

}  // namespace secateur

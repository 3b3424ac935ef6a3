#include "arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace secateur {

namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLargestSlab = std::size_t{64} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

// Maps `bytes` (a multiple of a huge page) at a multiple of a huge page.
std::byte* map_aligned(std::size_t bytes) {
  const std::size_t all = bytes + kHugePage;
  void* mapped = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const start = static_cast<std::byte*>(mapped);
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t before = rounded_up(address, kHugePage) - address;
  if (before != 0) munmap(start, before);
  munmap(start + before + bytes, kHugePage - before);
  return start + before;
}

}  // namespace

Arena::~Arena() {
  clear();
}

void Arena::clear() {
  for (const Slab& slab : slabs_) munmap(slab.start, slab.bytes);
  slabs_.clear();
  next_ = end_ = nullptr;
  used_.store(0, std::memory_order_relaxed);
}

void Arena::add_slab(std::size_t at_least) {
  const std::size_t share = std::clamp(used() / 8, kHugePage, kLargestSlab);
  const std::size_t bytes = rounded_up(std::max(at_least, share), kHugePage);
  slabs_.reserve(slabs_.size() + 1);
  next_ = map_aligned(bytes);
  end_ = next_ + bytes;
  slabs_.push_back({next_, bytes});
#ifdef MADV_HUGEPAGE
  // A small run should not have to clear a huge page for a few hundred states.
  if (slabs_.size() > 1) madvise(next_, bytes, MADV_HUGEPAGE);
#endif
}

void* Arena::take(std::size_t bytes) {
  const std::size_t rounded = rounded_up(bytes, kLine);
  const std::lock_guard lock(mutex_);
  if (static_cast<std::size_t>(end_ - next_) < rounded) add_slab(rounded);
  void* const taken = next_;
  next_ += rounded;
  used_.fetch_add(rounded, std::memory_order_relaxed);
  return taken;
}

}  // namespace secateur

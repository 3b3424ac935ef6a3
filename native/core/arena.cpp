#include "arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <new>

#if defined(__linux__) && !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23  // since Linux 5.14; an older one says that it does not know it
#endif

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

void prefer_large([[maybe_unused]] std::byte* start, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(start, bytes, MADV_HUGEPAGE);
#endif
}

#ifdef MADV_POPULATE_WRITE
// The nanoseconds that this thread has had the processor: others do not count.
std::uint64_t thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::uint64_t{1'000'000'000} * static_cast<std::uint64_t>(now.tv_sec) +
         static_cast<std::uint64_t>(now.tv_nsec);
}
#endif

}  // namespace

Arena::~Arena() {
  clear();
}

void Arena::clear() {
  for (const Slab& slab : slabs_) munmap(slab.start, slab.bytes);
  slabs_.clear();
  next_ = end_ = ready_ = nullptr;
  used_.store(0, std::memory_order_relaxed);
}

void Arena::add_slab(std::size_t at_least) {
  const std::size_t share = std::clamp(used() / 8, kHugePage, kLargestSlab);
  const std::size_t bytes = rounded_up(std::max(at_least, share), kHugePage);
  slabs_.reserve(slabs_.size() + 1);
  next_ = map_aligned(bytes);
  end_ = next_ + bytes;
  slabs_.push_back({next_, bytes});
  ready_ = end_;
  if (slabs_.size() == 1) return;  // a small run should not have to clear two megabytes
  if (access_ == Access::kInTurn) {
    ready_ = next_;
  } else {
    prefer_large(next_, bytes);
  }
}

// Gets pages for the next two megabytes of the slab; where the system cannot do that, all of its
// memory gets them when it is used.
void Arena::get_pages() {
#ifdef MADV_POPULATE_WRITE
  const Pages pages = choice_.next();
  madvise(ready_, kHugePage, pages == Pages::kLarge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  const std::uint64_t began = thread_time();
  if (madvise(ready_, kHugePage, MADV_POPULATE_WRITE) == 0) {
    choice_.paid(pages, thread_time() - began);
    ready_ += kHugePage;
    return;
  }
#endif
  prefer_large(ready_, static_cast<std::size_t>(end_ - ready_));
  ready_ = end_;
}

void* Arena::take(std::size_t bytes) {
  const std::size_t rounded = rounded_up(bytes, kLine);
  const std::lock_guard lock(mutex_);
  if (static_cast<std::size_t>(end_ - next_) < rounded) add_slab(rounded);
  void* const taken = next_;
  next_ += rounded;
  while (next_ > ready_) get_pages();
  used_.fetch_add(rounded, std::memory_order_relaxed);
  return taken;
}

}  // namespace secateur

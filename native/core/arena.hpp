// Memory that is only ever given back as a whole.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "pages.hpp"

namespace secateur {

// How memory will be used.
enum class Access : int {
  kAnywhere,  // each part is as likely as any other to be looked at next
  kInTurn,    // mostly one part after the other
};

// Hands out zeroed memory from large slabs, on large pages where the system has them.  For what is
// used in turn, these matter less than what they cost: there it gets pages two megabytes at a time,
// which takes less time than one by one, and those that the system has at hand.
class Arena {
 public:
  explicit Arena(Access access = Access::kAnywhere) : access_(access) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // Returns `bytes` zeroed bytes, aligned to 64; throws std::bad_alloc when there are none left.
  // May be called from several threads.
  void* take(std::size_t bytes);

  template <class T>
  T* take_array(std::size_t count) {
    return static_cast<T*>(take(count * sizeof(T)));
  }

  // Gives everything back; nothing that was taken may be used any more, nor be in use by others.
  void clear();

  // The bytes handed out so far.
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  struct Slab {
    void* start;
    std::size_t bytes;
  };

  void add_slab(std::size_t at_least);
  void get_pages();

  const Access access_;
  std::mutex mutex_;
  std::vector<Slab> slabs_;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* ready_ = nullptr;  // where the memory that has pages ends
  PageChoice choice_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace secateur

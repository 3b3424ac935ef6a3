// A lock for very short times.
#pragma once

#include <atomic>
#include <thread>

namespace secateur {

class SpinLock {
 public:
  void lock() {
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries) {
      // Its owner may have lost the processor: give ours away.
      if (tries > 100) std::this_thread::yield();
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

// Holds the lock as long as it lives, where there are several threads.
template <bool Threads>
class MaybeLock {
 public:
  explicit MaybeLock(SpinLock& lock) : lock_(lock) {
    if constexpr (Threads) lock_.lock();
  }
  ~MaybeLock() {
    if constexpr (Threads) lock_.unlock();
  }
  MaybeLock(const MaybeLock&) = delete;
  MaybeLock& operator=(const MaybeLock&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace secateur

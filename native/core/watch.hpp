// When to stop, and how far the search has come.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <limits>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "evaluator.hpp"

namespace secateur {

enum class Ending : int {
  kGoing,
  kComplete,
  kViolation,
  kStates,
  kSeconds,
  kMemory,
  kInterrupted,
  kError,  // something was thrown
};

struct Limits {
  std::uint64_t states = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t memory = std::numeric_limits<std::size_t>::max();
};

// Seconds on a clock that only goes forward, some milliseconds late, but read in no time.
inline double clock_seconds() {
#ifdef CLOCK_MONOTONIC_COARSE
  constexpr clockid_t kClock = CLOCK_MONOTONIC_COARSE;
#else
  constexpr clockid_t kClock = CLOCK_MONOTONIC;
#endif
  timespec now{};
  clock_gettime(kClock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Compares a run with its limits.  `stopped` may be asked by any thread and costs nothing.
class Watch {
 public:
  // `arenas` is what the limit on memory is about.
  void start(const Limits& limits, std::vector<const Arena*> arenas) {
    limits_ = limits;
    arenas_ = std::move(arenas);
    started_ = clock_seconds();
    polled_ = started_;
  }

  // Begins anew, without limits.
  void start_again() {
    start({}, {});
    ending_.store(Ending::kGoing, std::memory_order_relaxed);
  }

  // Goes on after an end that did not come from outside, within the same limits.
  void go_on() {
    const Ending now = ending();
    if (now == Ending::kInterrupted || now == Ending::kSeconds || now == Ending::kMemory) return;
    ending_.store(Ending::kGoing, std::memory_order_relaxed);
  }

  bool stopped() const { return ending() != Ending::kGoing; }
  Ending ending() const { return ending_.load(std::memory_order_relaxed); }

  // The first reason counts.
  void stop(Ending why) {
    Ending going = Ending::kGoing;
    ending_.compare_exchange_strong(going, why, std::memory_order_relaxed);
  }

  // Looks at the clock and at the memory; `more` is memory that is not the arenas'.
  void look(std::size_t more) {
    if (seconds() >= limits_.seconds) stop(Ending::kSeconds);
    for (const Arena* arena : arenas_) more += arena->used();
    if (more >= limits_.memory) stop(Ending::kMemory);
  }

  // Lets the evaluator have a word, every now and then, on the state expanded last, if there is
  // one; for one thread only.
  void poll(Evaluator& evaluator, const std::uint64_t* state) {
    const double now = clock_seconds();
    if (now - polled_ < kPollInterval) return;
    polled_ = now;
    evaluator.poll(state);
  }

  const Limits& limits() const { return limits_; }
  double seconds() const { return clock_seconds() - started_; }

 private:
  static constexpr double kPollInterval = 0.04;

  Limits limits_;
  std::vector<const Arena*> arenas_;
  double started_ = 0;
  double polled_ = 0;
  std::atomic<Ending> ending_{Ending::kGoing};
};

// Counters of one worker, for others to read while it runs.
struct alignas(64) Progress {
  std::atomic<std::uint64_t> states{0};
  std::atomic<std::uint64_t> transitions{0};
  std::atomic<std::uint64_t> expanded{0};
  std::atomic<std::uint64_t> flooded{0};  // states that need not be expanded
  std::atomic<std::uint64_t> code{0};     // nanoseconds in compiled code, about

  // For the one writer: no other thread writes in between.
  static void add(std::atomic<std::uint64_t>& counter, std::uint64_t more) {
    counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
};

}  // namespace secateur

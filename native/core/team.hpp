// Threads that do one thing together, again and again.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace secateur {

class Team {
 public:
  // The caller is one of the `size` members, the first.
  explicit Team(unsigned size) {
    for (unsigned i = 1; i < size; ++i) threads_.emplace_back([this, i] { serve(i); });
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    announce(nullptr);
    for (std::thread& thread : threads_) thread.join();
  }

  // Calls `task(member)` in every thread, and returns when all are done; then throws the first
  // thing that one of them threw.
  void together(const std::function<void(unsigned)>& task) {
    announce(&task);
    attempt(task, 0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return working_ == 0; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void announce(const std::function<void(unsigned)>* task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = task;
      working_ = threads_.size();
      ++round_;
    }
    begin_.notify_all();
  }

  void serve(unsigned member) {
    for (std::uint64_t round = 0;;) {
      const std::function<void(unsigned)>* task = nullptr;
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [&] { return round_ != round; });
        round = round_;
        task = task_;
      }
      if (task == nullptr) return;
      attempt(*task, member);
      const std::lock_guard lock(mutex_);
      if (--working_ == 0) done_.notify_one();
    }
  }

  void attempt(const std::function<void(unsigned)>& task, unsigned member) {
    try {
      task(member);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable done_;
  const std::function<void(unsigned)>* task_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t working_ = 0;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace secateur

// What the evaluator said, remembered under the part of the state that it depends on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "arena.hpp"
#include "evaluator.hpp"
#include "model.hpp"

namespace secateur {

// One remembered answer: the count of successors (or whether a property holds), the count of
// notes, the words written for each successor, the notes.
class Remembered {
 public:
  explicit Remembered(const std::uint64_t* data) : data_(data) {}

  explicit operator bool() const { return data_ != nullptr; }
  std::size_t successors() const { return data_[0]; }
  bool holds() const { return data_[0] != 0; }
  std::size_t notes() const { return data_[1]; }
  const std::uint64_t* written() const { return data_ + 2; }
  Note note(std::size_t i, std::size_t words_written) const {
    return static_cast<Note>(data_[2 + successors() * words_written + i]);
  }

 private:
  const std::uint64_t* data_;
};

// The answers about one action or property.  Finding needs no lock; one thread at a time adds.
class Memo {
 public:
  // Each successor of an answer is followed by so many `marks`.
  Memo(const Masks& masks, Arena& arena, std::size_t marks = 0);

  Remembered find(const std::uint64_t* state) const;

  // Remembers an answer, unless that has not been worth while, `hits` being what was found so
  // far; what is returned is valid until `scratch` changes.
  Remembered add(const std::uint64_t* state, const Answer& answer, std::uint64_t hits,
                 Words& scratch);

  // Writes successor `i` of `state`, and its marks after it.
  void apply(Remembered step, std::size_t i, const std::uint64_t* state, std::uint64_t* to) const;

  std::size_t words_written() const { return written_.size() + marks_; }
  std::uint64_t asked() const { return asked_.load(std::memory_order_relaxed); }

 private:
  using Slot = std::atomic<const std::uint64_t*>;
  struct Slots {
    std::size_t mask;
    Slot* slots;
  };
  struct Part {
    std::size_t word;
    std::uint64_t mask;
  };

  std::uint64_t hash(const std::uint64_t* state) const;
  bool matches(const std::uint64_t* key, const std::uint64_t* state) const;
  void encode(const std::uint64_t* state, const Answer& answer, Words& to) const;
  void encode_successors(const std::uint64_t* state, const Words& successors, Words& to) const;
  void enter(const std::uint64_t* entry);
  Slots* new_slots(std::size_t count);
  static void enter(const Slots& slots, const std::uint64_t* entry);

  const Masks& masks_;
  Arena& arena_;
  const std::size_t marks_;
  std::vector<Part> read_;
  std::vector<Part> written_;
  std::mutex mutex_;
  std::atomic<const Slots*> slots_{nullptr};
  std::size_t count_ = 0;
  std::atomic<std::uint64_t> asked_{0};
};

}  // namespace secateur

// In which form states are in the table and in the store.
//
// A form that is keyed makes one word of a state, its key, which is in the table instead.  Each
// worker has a form of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "canonizer.hpp"
#include "hash.hpp"
#include "store.hpp"
#include "tree.hpp"
#include "word_bucket.hpp"

namespace secateur {

// What forms are made of.
struct FormParts {
  std::size_t words;         // of a state
  Tree* tree;                // for trees
  std::uint64_t seed;        // for fingerprints
  const Symmetry* symmetry;  // or null; for markers
  Images* images;            // or null
};

// States as they are.  W is the number of their words where it is known when this is compiled,
// else 0.
template <unsigned W>
class Whole {
 public:
  static constexpr bool kKeyed = false;
  static constexpr unsigned kWords = W;   // of a state
  static constexpr unsigned kEntry = W;   // of what is in the table
  static constexpr unsigned kStored = W;  // of what is in the store

  explicit Whole(const FormParts&) {}

  // Reads a state, which is to be the i-th source of a batch.
  void get(const Store& store, Index index, std::size_t, std::uint64_t* state) {
    store.template get<W>(index, state);
  }
  // What of a state goes to the store.
  static const std::uint64_t* stored(const std::uint64_t* state, const std::uint64_t*) {
    return state;
  }
};

// States as they are, too, but the store keeps no more of them than what varies.
class Tight : public Whole<0> {
 public:
  static constexpr unsigned kStored = kTight;

  explicit Tight(const FormParts& parts) : Whole(parts) {}

  void get(const Store& store, Index index, std::size_t, std::uint64_t* state) {
    store.get<kTight>(index, state);
  }
};

// States as trees of shared parts: the key is exact, and it is all that the store has.
class Woven {
 public:
  static constexpr bool kKeyed = true;
  static constexpr unsigned kWords = 0;
  static constexpr unsigned kEntry = 1;
  static constexpr unsigned kStored = 1;

  explicit Woven(const FormParts& parts) : tree_(*parts.tree), knots_(tree_.size()) {}

  void get(const Store& store, Index index, std::size_t i, std::uint64_t* state) {
    std::uint64_t word = 0;
    store.get<1>(index, &word);
    if (sources_.size() < (i + 1) * tree_.size()) sources_.resize((i + 1) * tree_.size());
    tree_.unweave(word, state, sources_.data() + i * tree_.size());
  }

  // The key of a successor of the i-th source of a batch.
  template <bool Threads>
  std::uint64_t key(const std::uint64_t* state, std::size_t i) {
    return tree_.weave<Threads>(state, sources_.data() + i * tree_.size(), knots_.data());
  }
  template <bool Threads>
  std::uint64_t key(const std::uint64_t* state) {
    return tree_.weave<Threads>(state, nullptr, knots_.data());
  }

  static const std::uint64_t* stored(const std::uint64_t*, const std::uint64_t* key) { return key; }

 private:
  Tree& tree_;
  std::vector<Knot> knots_;
  std::vector<Knot> sources_;
};

// Fingerprints of states, or markers: two states may have one, and then one of them is not found.
// The store has the states themselves, until they have been expanded.
class Fingerprint {
 public:
  static constexpr bool kKeyed = true;
  static constexpr unsigned kWords = 0;
  static constexpr unsigned kEntry = 1;
  static constexpr unsigned kStored = 0;

  explicit Fingerprint(const FormParts& parts) : words_(parts.words), seed_(parts.seed) {
    if (parts.symmetry == nullptr || parts.symmetry->merge != Merge::kMarkers) return;
    markers_ = std::make_unique<Canonizer>(*parts.symmetry, parts.words, parts.images);
  }

  void get(const Store& store, Index index, std::size_t, std::uint64_t* state) {
    store.get<0>(index, state);
  }

  template <bool Threads>
  std::uint64_t key(const std::uint64_t* state, std::size_t) {
    return key<Threads>(state);
  }
  template <bool Threads>
  std::uint64_t key(const std::uint64_t* state) {
    const std::uint64_t hash =
        markers_ == nullptr ? fingerprint_of<0>(state, words_, seed_) : markers_->marker(state);
    return hash & WordBucket<std::uint64_t>::kMost;
  }

  static const std::uint64_t* stored(const std::uint64_t* state, const std::uint64_t*) {
    return state;
  }

 private:
  std::size_t words_;
  std::uint64_t seed_;
  std::unique_ptr<Canonizer> markers_;  // where symmetric states are to have one fingerprint
};

}  // namespace secateur

#include "table.hpp"

namespace secateur {

Table::Table(Arena& arena) : arena_(arena), segments_(new Segment[1u << kSegmentBits]) {
  for (Bucket& bucket : nothing_.buckets) bucket.fill();
  for (unsigned i = 0; i < 1u << kSegmentBits; ++i) {
    Segment& segment = segments_[i];
    segment.root.store(&nothing_, std::memory_order_relaxed);
    segment.directory.store(Directory(&segment.root, 0), std::memory_order_relaxed);
  }
}

void Table::put(Page& page, std::uint64_t hash, Index index) {
  for (unsigned i = 0; i < kBuckets; ++i) {
    Bucket& bucket = page.buckets[(hash + i) % kBuckets];
    if (bucket.tags().full()) continue;
    bucket.add(tag_of(hash), index);
    return;
  }
  throw std::logic_error("a page of the table has no room for half of its states");
}

// Doubles the directory; readers may still be in the old one, so it stays.
void Table::deepen(Segment& segment) {
  const Directory old = segment.directory.load(std::memory_order_relaxed);
  const unsigned depth = old.depth() + 1;
  if (depth > kDeepest) throw std::length_error("too many states have one hash");
  auto* const entries = arena_.take_array<Entry>(std::size_t{1} << depth);
  for (std::size_t i = 0; i < std::size_t{1} << depth; ++i) {
    entries[i].store(old.entries()[i / 2].load(std::memory_order_relaxed),
                     std::memory_order_relaxed);
  }
  segment.directory.store(Directory(entries, depth), std::memory_order_release);
}

// Enters a new page for the upper half of the hashes that a page of this depth is for.
Table::Page& Table::open_page(Segment& segment, std::uint64_t hash, unsigned depth) {
  if (segment.directory.load(std::memory_order_relaxed).depth() == depth) deepen(segment);
  const Directory directory = segment.directory.load(std::memory_order_relaxed);
  auto* const page = arena_.take_array<Page>(1);
  page->buckets[0].set_depth(depth + 1);
  const std::size_t half = std::size_t{1} << (directory.depth() - depth - 1);
  const std::size_t first = directory.position(hash) & ~(2 * half - 1);
  for (std::size_t i = first + half; i < first + 2 * half; ++i) {
    directory.entries()[i].store(page, std::memory_order_release);
  }
  return *page;
}

}  // namespace secateur

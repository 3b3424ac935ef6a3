#include "search.hpp"

namespace secateur::solve {

Search::Stop Search::next(std::uint64_t most) {
  const std::uint64_t until = settled_ + most;
  while (true) {
    if (going_down_) {
      going_down_ = false;
      const Needed* cell = next_cell();
      if (cell == nullptr) return Stop::kFound;
      stack_.push_back(frame(cell));
    }
    if (stack_.empty()) return Stop::kDone;
    if (settled_ >= until) return Stop::kPaused;
    Frame& top = stack_.back();
    net_.undo(top.mark);
    if (!has_choice(top)) {
      stack_.pop_back();
      continue;
    }
    ++settled_;
    const bool chosen = choose(top);
    going_down_ = chosen && net_.propagate();
  }
}

const Needed* Search::next_cell() const {
  const Needed* best = nullptr;
  Number least = 0;
  for (const Needed& cell : cells_) {
    if (!cell.is_open(net_)) continue;
    const Number size = cell.is_truth ? 2 : net_.size(cell.variable);
    if (best == nullptr || size < least) {
      best = &cell;
      least = size;
      if (size <= 2) break;
    }
  }
  return best;
}

Search::Frame Search::frame(const Needed* cell) const {
  const bool split =
      !cell->is_truth && !net_.has_holes(cell->variable) && net_.size(cell->variable) > kSplitAbove;
  return {net_.mark(), cell, split, 0, 0};
}

bool Search::has_choice(const Frame& frame) const {
  if (frame.cell->is_truth || frame.split) return frame.tried < 2;
  return frame.tried == 0 || frame.last < net_.high(frame.cell->variable);
}

bool Search::choose(Frame& frame) {
  const int tried = frame.tried++;
  const std::int32_t variable = frame.cell->variable;
  if (frame.cell->is_truth) return net_.set(variable, tried == 1);
  const Number low = net_.low(variable), high = net_.high(variable);
  if (frame.split) {
    const Number middle = low + (high - low) / 2;
    return tried == 0 ? net_.narrow(variable, low, middle)
                      : net_.narrow(variable, middle + 1, high);
  }
  frame.last = tried == 0 ? low : net_.from(variable, frame.last + 1);
  return net_.assign(variable, frame.last);
}

}  // namespace secateur::solve

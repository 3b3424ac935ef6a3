// Paths through the nodes of a product.
#pragma once

#include <cstdint>
#include <vector>

#include "nodes.hpp"
#include "product.hpp"

namespace secateur {

// A part of a component that can be gone round for ever, fairly; empty if there is none.
std::vector<NodeId> fair_part(Nodes& nodes, std::vector<NodeId> component, std::uint64_t marks);

// A shortest path to a node.
Lasso way_to(Nodes& nodes, const std::vector<NodeId>& starts, NodeId end, bool open);

// A shortest path to one of the members of a component, and from there round past all marks and
// all strongly fair events that are enabled somewhere.
Lasso way_around(Nodes& nodes, const std::vector<NodeId>& starts,
                 const std::vector<NodeId>& members, std::uint64_t marks);

}  // namespace secateur

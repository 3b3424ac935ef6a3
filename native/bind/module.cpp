// The Python module secateur._native; nothing outside of this folder knows Python.
#include "python.hpp"
#include "solver.hpp"

NB_MODULE(_native, m) {
  m.doc() = "The native explorer, the search for paths that violate a formula, and the solver.";
  secateur::bind_explorer(m);
  secateur::bind_product(m);
  secateur::bind_solver(m);
}

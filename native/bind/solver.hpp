#pragma once

#include <nanobind/nanobind.h>

namespace secateur {

void bind_solver(nanobind::module_& module);

}  // namespace secateur

"""From operations to instances: parameters and choices are bound, guards are taken apart."""

"""Why a property fails in a state, and why an operation cannot happen there."""

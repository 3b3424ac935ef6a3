"""Classical B: machines, refinements, implementations and how they are composed."""

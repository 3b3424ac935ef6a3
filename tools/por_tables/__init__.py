"""What reductions and provisos save on the models of the papers, and on our own."""

"""Relations between event instances: what reductions stand on."""

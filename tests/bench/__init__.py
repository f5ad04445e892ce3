"""Measurements that `make bench` prints. Nothing here is asserted: a busy machine is not a broken product."""

"""Measurements that ``tools/bench`` puts together, one subject a file."""

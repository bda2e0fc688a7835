"""The synthetic hospital: demo, examples, tests and benchmarks read what it writes. No real person is in it."""

from sharewell.hospital.hospital import Hospital

__all__ = ["Hospital"]

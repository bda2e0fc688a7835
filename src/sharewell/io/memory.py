"""A limit on the memory of this process, for work on files whose author is not trusted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sharewell.errors import DataError

GIGABYTE = 1 << 30


@contextmanager
def memory_limit(gigabytes: float, advice: str) -> Iterator[None]:
    """Within the block, needing more memory is a DataError with this advice.

    Systems without such a limit (Windows) have none.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(gigabytes * GIGABYTE)
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([wanted, *limits]), hard))
    try:
        yield
    except MemoryError:  # pyarrow's and numpy's own are of this kind
        raise DataError(f"more than {gigabytes:g} GB of memory would be needed — {advice}") from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))

"""Histograms without locks, for what is measured once an act by the event loop alone."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from time import time

from prometheus_client import CollectorRegistry
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample
from prometheus_client.utils import floatToGoString


class LoopHistogram(Collector):
    """Counts observations in buckets and puts them together when it is scraped.

    The library's own histogram takes two locks and ten calls an observation, since any thread may use it.
    """

    def __init__(self, name: str, text: str, *, buckets: Sequence[float], registry: CollectorRegistry) -> None:
        """`buckets` are their upper bounds, in order, without infinity."""
        self._name, self._text, self._bounds = name, text, tuple(buckets)
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0
        self._created = time()
        registry.register(self)

    @property
    def values(self) -> tuple[Sequence[int], float]:
        """How often each bucket was met, and the sum of what was observed."""
        return self._counts, self._sum

    def observe(self, value: float) -> None:
        # A bucket counts what is at most its bound.
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[Metric]:
        family = HistogramMetricFamily(self._name, self._text)
        names = [*map(floatToGoString, self._bounds), "+Inf"]
        counts, total = self.values
        family.add_metric([], list(zip(names, accumulate(counts), strict=True)), total)
        family.samples.append(Sample(f"{self._name}_created", {}, self._created))
        yield family


class MillisecondHistogram(LoopHistogram):
    """Counts whole milliseconds, which callers add to `counts_by_ms` without a call.

    Its buckets are in seconds. Callers bound the milliseconds, and so the number of counters.
    """

    def __init__(self, name: str, text: str, *, buckets: Sequence[float], registry: CollectorRegistry) -> None:
        super().__init__(name, text, buckets=buckets, registry=registry)
        self.counts_by_ms: defaultdict[int, int] = defaultdict(int)

    @property
    def values(self) -> tuple[Sequence[int], float]:
        counts = [0] * (len(self._bounds) + 1)
        for milliseconds, count in self.counts_by_ms.items():
            counts[bisect_left(self._bounds, milliseconds / 1000)] += count
        return counts, sum(milliseconds * count for milliseconds, count in self.counts_by_ms.items()) / 1000

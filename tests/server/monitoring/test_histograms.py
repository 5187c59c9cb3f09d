"""The histograms without locks: a scrape cannot tell them from the library's own."""

from prometheus_client import CollectorRegistry, Histogram, generate_latest

from diskwars_server.monitoring.histograms import LoopHistogram, MillisecondHistogram

BUCKETS = (0.001, 1.0, 2.5)


def scraped(kind: type[Histogram] | type[LoopHistogram], values: tuple[float, ...]) -> list[bytes]:
    """Return the lines of a scrape but for the time of creation."""
    registry = CollectorRegistry()
    histogram = kind("waits", "Time that was waited", buckets=BUCKETS, registry=registry)
    for value in values:
        if isinstance(histogram, MillisecondHistogram):
            histogram.counts_by_ms[round(1000 * value)] += 1
        else:
            histogram.observe(value)
    return [line for line in generate_latest(registry).splitlines() if not line.startswith(b"waits_created ")]


def test_scrape_reads_as_that_of_the_librarys_histogram() -> None:
    for values in ((), (0.0, 0.001, 0.0011, 0.5, 1.0, 2.5, 2.6, 7.0)):
        assert scraped(LoopHistogram, values) == scraped(Histogram, values)


def test_scrape_of_counted_milliseconds_reads_as_that_of_the_librarys_histogram() -> None:
    for values in ((), (0.001,), (0.002,), (0.0, 0.5, 1.0, 2.5, 7.0, 7.0)):
        assert scraped(MillisecondHistogram, values) == scraped(Histogram, values)

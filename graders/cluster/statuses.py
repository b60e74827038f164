"""The words by which processes of a cluster say how something ended."""

# Of a worker's answer.
GRADED = "graded"
FAILED = "failed"  # the worker could not grade it, and says why
# Of what the process that speaks to Dask has found: the first two of an answer, the last two of itself.
BAD = "bad"  # no bytes, or too many
LOST = "lost"
UNREACHABLE = "unreachable"

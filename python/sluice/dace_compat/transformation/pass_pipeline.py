"""Pipelines of passes: each pass has apply_pass(sdfg, results), which returns None where nothing changed."""


class Pass:
    """Base of passes."""

    def apply_pass(self, sdfg, pipeline_results):
        """Changes the graph; None if it did not."""
        raise NotImplementedError


class Pipeline(Pass):
    """Runs passes in order."""

    def __init__(self, passes):
        self.passes = list(passes)

    def apply_pass(self, sdfg, pipeline_results):
        """What the passes returned, by the names of their classes; None if nothing changed."""
        found = {}
        for one in self.passes:
            result = one.apply_pass(sdfg, pipeline_results)
            if result is not None:
                found[type(one).__name__] = result
        pipeline_results.update(found)
        return found or None


class FixedPointPipeline(Pipeline):
    """The same again until nothing changes."""

    def apply_pass(self, sdfg, pipeline_results):
        """What the passes returned last, None if nothing ever changed."""
        last = None
        while (found := super().apply_pass(sdfg, pipeline_results)) is not None:
            last = found
        return last

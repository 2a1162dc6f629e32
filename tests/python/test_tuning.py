"""Program.tune: a clock of the test's own says which candidate is fast."""
import numpy as np
import pytest

import sluice
from sluice import tuning

N = sluice.symbol("N")


def plain(a):
    return 2 * a + 1


@sluice.program
def annotated(a: sluice.float64[N, N], b: sluice.float64[N, N]):
    b[:] = 2 * a


@pytest.fixture(autouse=True)
def folder(tmp_path):
    before = sluice.config.get("tuned")
    sluice.config.set("tuned", tmp_path / "tuned")
    yield tmp_path / "tuned"
    sluice.config.set("tuned", before)


class Clock:
    """Each look takes a second more, but while a candidate with tiles runs."""

    def __init__(self, monkeypatch):
        self.now, self.is_tiled = 0.0, False
        compile = sluice.SDFG.compile

        def watched(sdfg, *args, **options):
            compiled = compile(sdfg, *args, **options)
            tiled = "tile_" in compiled.source

            class Watched:
                arguments = compiled.arguments

                def __call__(_, **given):
                    self.is_tiled = tiled
                    return compiled(**given)
            return Watched()
        monkeypatch.setattr(sluice.SDFG, "compile", watched)

    def __call__(self):
        self.now += 0.01 if self.is_tiled else 1.0
        self.is_tiled = False
        return self.now


def tuned(program, monkeypatch, *args):
    with monkeypatch.context() as context:
        return tuning.search(program, args, {}, 2000, Clock(context), lambda *trial: None)


def test_calls_take_what_was_found(monkeypatch, folder):
    program, a = sluice.program(plain), np.random.default_rng(4).random((30, 40))
    assert "tile_" not in program.compile(a).source
    found = tuned(program, monkeypatch, a)
    assert found.changes and found.changes[0].startswith("MapTiling @") and found.speedup > 1
    assert [str(file) for file in folder.iterdir()] == [found.file]
    assert "tile_" in program.compile(a).source and "tile_" in sluice.program(plain).compile(a).source
    np.testing.assert_array_equal(program(a), plain(a))
    # Other sizes are other programs, other levels are what they say.
    assert "tile_" not in program.compile(a[:9].copy()).source and "tile_" not in program.compile(a, optimize=2).source
    sluice.config.set("tuned", "off")
    assert "tile_" not in program.compile(a).source


def test_symbols_have_classes_of_sizes(monkeypatch):
    def arrays(n):
        return np.ones((n, n)), np.zeros((n, n))
    assert tuned(annotated, monkeypatch, *arrays(40)).changes
    assert "tile_" in annotated.compile(*arrays(63)).source and "tile_" not in annotated.compile(*arrays(64)).source
    for n in (40, 64, 33):
        a, b = arrays(n)
        annotated(a, b)
        np.testing.assert_array_equal(b, 2 * a)


def test_arguments_stay_as_they_are(monkeypatch):
    a, b = np.ones((20, 20)), np.zeros((20, 20))
    tuned(annotated, monkeypatch, a, b)
    assert (b == 0).all()


def test_the_face(capsys):
    found = sluice.tune(sluice.program(plain), np.ones((8, 8)), budget=0.01, progress=False)
    assert isinstance(found, sluice.Tuned) and found.untuned > 0 and capsys.readouterr() == ("", "")
    trials = []
    sluice.program(plain).tune(np.ones((8, 8)), budget=1, progress=lambda *trial: trials.append(trial))
    assert trials and trials[0][0] == 1

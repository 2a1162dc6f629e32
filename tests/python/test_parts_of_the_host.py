"""What a device cannot carry stays on the host, between copies of what it touches, and the table says why; results are NumPy's."""
import numpy as np
from devices import for_each_device, on, served

import sluice

pytestmark = for_each_device


def same(ours, theirs):
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_functions_of_the_runtime_between_maps(target):
    def analysed(x, A, b, z, h):
        order = np.argsort(x)
        power = np.abs(np.fft.fft(x - np.mean(x))) ** 2
        M = A @ A.T + np.eye(A.shape[0])
        solution = np.linalg.solve(M, b)
        large = x[x > np.mean(x)]
        waves = np.sin(z) * 2 + np.conj(z)
        halves = h.astype(np.float16) * 2
        A[:] = A / 2
        found = []
        largest = x[0]
        while largest > 0.1:
            found.append(largest)
            largest = largest / 2
        return (x[order] * 2, power, solution, M @ solution, large + 1, waves, np.prod(z), halves.astype(np.float64), np.array(found))

    random = np.random.default_rng(21)
    given = random.random(60), random.random((5, 5)), random.random(5), random.random(9) + 1j * random.random(9), random.random(7)
    ours, theirs = [part.copy() for part in given], [part.copy() for part in given]
    program = on(target, analysed)
    same(program(*ours), analysed(*theirs))
    same(ours, theirs)
    compiled = program.compile(*given)
    reasons = " ".join(reason for _, _, reason in compiled.on_host)
    for reason in ("it calls `sluice::", "holds float16", "and has complex numbers", "room for as many"):
        assert reason in reasons, compiled.on_host
    assert {part.split(" ")[0] for part, _, _ in compiled.on_host} <= {"map", "call", "tasklet"}
    assert any(place.startswith(__file__ + ":") for _, place, _ in compiled.on_host)
    assert compiled.traffic["launches"] > 5


def test_parts_in_loops_and_through_views(target):
    """A loop with kernels goes back and forth, one without is the host's as a whole; a view lies where its array does."""
    def moved(P, C, steps, out):
        label = np.zeros(P.shape[0], dtype=np.int64)
        for t in range(steps):
            distances = ((P[:, None, :] - C[None, :, :]) ** 2).sum(axis=2)
            label = np.argmin(distances, axis=1)
            for k in range(C.shape[0]):
                mine = P[label == k]
                if len(mine) > 0:
                    C[k] = mine.mean(axis=0)
            out[t, :] = np.sort(C[:, 0])
        trace = []
        last = 0.0
        for i in range(out.shape[0]):
            last = last / 2 + out[i, 0]
            out[i, 1] = last
            trace.append(last)
        total = np.sum(out)
        assert total > 0
        return label, np.array(trace), total

    random = np.random.default_rng(22)
    P = random.random((50, 2))
    given = P, P[:4].copy(), 3, np.zeros((3, 4))
    ours, theirs = ([part.copy() if isinstance(part, np.ndarray) else part for part in given] for _ in range(2))
    same(on(target, moved)(*ours), moved(*theirs))
    same([ours[1], ours[3]], [theirs[1], theirs[3]])


ALIASED = """sdfg shifted(A, B) {
  array A: float64[8] may_alias=true
  array B: float64[8]
  transient array T: float64[8]
  state main {
    n0 = access A
    n1 = map_entry twice [i=0:8] passing (A)
    n2 = tasklet twice (a) -> (b) { b = 2 * a }
    n3 = map_exit n1 passing (T)
    n4 = access T
    n5 = map_entry turn [i=0:8] passing (T)
    n6 = tasklet turn (a) -> (b) { b = a + 1 }
    n7 = map_exit n5 passing (B)
    n8 = access B
    n0 -> n1.IN_A : A[0:8]
    n1.OUT_A -> n2.a : A[i]
    n2.b -> n3.IN_T : T[i]
    n3.OUT_T -> n4 : T[0:8]
    n4 -> n5.IN_T : T[0:8]
    n5.OUT_T -> n6.a : T[7 - i]
    n6.b -> n7.IN_B : B[i]
    n7.OUT_B -> n8 : B[0:8]
  }
}
"""


def test_arguments_that_may_share_memory_stay(target):
    compiled = sluice.SDFG.from_text(ALIASED).compile(target=served(target))
    x, y = np.arange(8.0), np.zeros(8)
    compiled(x, y)
    np.testing.assert_array_equal(y, 2 * x[::-1] + 1)
    assert [part for part, _, _ in compiled.on_host] == ["map `twice[i=0:8]`"]
    assert compiled.traffic["launches"] == 1

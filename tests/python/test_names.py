"""Every name of Table 4 of the SDFG paper and of the talk finds its transformation."""
import pytest

import sluice
from sluice import transformation

N = sluice.symbol("N")
HERE = ["MapCollapse", "MapExpansion", "MapFusion", "MapInterchange", "MapReduceFusion", "MapTiling", "DoubleBuffering", "LocalStorage",
        "LocalStream", "Vectorization", "MapToForLoop", "StateFusion", "InlineSDFG", "ReducePeeling", "RedundantArray", "LoopReorder",
        "BlockTiling", "RegisterTiling", "PromoteTransient", "GPUTransformSDFG", "GPUTransform", "GPUTransformMap",
        "GPUTransformLocalStorage", "GPUTransformState", "FPGATransform", "FPGATransformSDFG", "FPGATransformMap", "FPGATransformState",
        "StreamingMemory", "StreamingComposition", "MPITransform", "MapFusionVertical", "MapFusionHorizontal"]


def product():
    @sluice.program
    def product(A: sluice.float64[N, N], B: sluice.float64[N, N], C: sluice.float64[N, N]):
        for i, j in sluice.map[0:N, 0:N]:
            with sluice.tasklet:
                a << A[i, j]
                b << B[j, i]
                c >> C[i, j]
                c = a * b

    return product.to_sdfg()


@pytest.mark.parametrize("name", HERE)
def test_a_name_is_known(name):
    assert getattr(transformation, name).__doc__
    product().matches(name)


@pytest.mark.parametrize("applied, recorded", [
    ("BlockTiling", 'MapTiling @ STATE(map=MAP) prefix="block"'),
    ("RegisterTiling", 'MapTiling @ STATE(map=MAP) prefix="register" tile_sizes=[4]'),
    ("LoopReorder", "MapDimShuffle @ STATE(map=MAP)"),
])
def test_what_is_recorded_has_its_own_name(applied, recorded):
    sdfg = product()
    match, = sdfg.matches(applied)
    expected = recorded.replace("STATE", match.path).replace("MAP", match.nodes["map"]) + "\n"
    sdfg.apply(applied)
    assert sdfg.recipe == expected
    repeated = product()
    assert repeated.apply_transformations(applied) == 1 and repeated == sdfg
    replayed = product()
    replayed.replay(f"{applied} @ {match.path}(map={match.nodes['map']})")
    assert replayed == sdfg and replayed.recipe == expected


def test_a_given_option_stands_before_that_of_the_name():
    sdfg = product()
    sdfg.apply("RegisterTiling", tile_sizes=[8])
    assert "tile_sizes=[8]" in sdfg.recipe and 'prefix="register"' in sdfg.recipe


def test_local_storage_is_the_first_that_applies():
    sdfg = product()
    sdfg.apply("MapTiling", tile_sizes=[16])
    into = [match for match in sdfg.matches("LocalStorage") if match.refusal is None]
    assert {match.line.split()[0] for match in into} == {"InLocalStorage", "OutLocalStorage"}
    place = next(match for match in into if match.line.startswith("InLocalStorage"))
    sdfg.apply("LocalStorage", where={**place.nodes, "path": place.path}, array="B")
    assert sdfg.recipe.splitlines()[-1].startswith("InLocalStorage @") and 'array="B"' in sdfg.recipe


def test_a_name_that_is_not_known_proposes_the_others_too():
    assert "GPUTransform" in dir(transformation)
    with pytest.raises(sluice.CompileError) as error:
        product().apply("LoopReorde")
    assert error.value.code == "E001" and "LoopReorder" in str(error.value)

"""Bad input through the command: exactly one diagnostic with code, place and remedy, status 1, and nothing half-written."""
import gzip
import json
import pathlib
import re
import textwrap

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXPY = ROOT / "examples" / "axpy.py"
HEAD = re.compile(r"^(?P<place>.*?)\berror (?P<code>[A-Z]\d{3}): (?P<message>.+)$", re.MULTILINE)
HEADER = "import sluice\nN, M = sluice.symbol('N'), sluice.symbol('M')\n"


def refused(result, code, *texts):
    """The only diagnostic of a finished command, as a match of HEAD."""
    assert result.returncode == 1, (result.returncode, result.stdout, result.stderr)
    assert result.stdout == ""
    heads = list(HEAD.finditer(result.stderr))
    assert len(heads) == 1, result.stderr
    assert re.fullmatch(code, heads[0]["code"]), result.stderr
    assert result.stderr.count("help: ") == 1 and not result.stderr.rstrip().endswith("help:"), result.stderr
    for text in texts:
        assert text in result.stderr, result.stderr
    return heads[0]


def everything_below(folder):
    return {path.relative_to(folder): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def program(tmp_path):
    def write(text, name="source.py"):
        (tmp_path / name).write_text(HEADER + textwrap.dedent(text))
        return name

    return write


SOURCES = [
    ("unparsable", "@sluice.program\ndef f(x: sluice.float64[N]):\n    x += (1\n", "P005", "5:"),
    ("unparsable anywhere", "y = = 1\n@sluice.program\ndef f(x: sluice.float64[N]):\n    x += 1\n", "P006", "3:"),
    ("indentation", "@sluice.program\ndef f(x: sluice.float64[N]):\nx += 1\n", "P004", "5:"),
    ("try", "@sluice.program\ndef f(x: sluice.float64[N]):\n    try:\n        x += 1\n    except E:\n        pass\n", "F001|P007", "7:"),
    ("yield", "@sluice.program\ndef f(x: sluice.float64[N]):\n    yield x\n", "F001|P007", "5:"),
    ("unknown function", "@sluice.program\ndef f(x: sluice.float64[N]):\n    x[:] = frobnicate(x)\n", "F006", "5:"),
    ("unknown name", "@sluice.program\ndef f(x: sluice.float64[N]):\n    x += y\n", "F002", "5:"),
    ("no type", "@sluice.program\ndef f(x):\n    x += 1\n", "F003", "4:"),
    ("shapes", "@sluice.program\ndef f(x: sluice.float64[N], y: sluice.float64[N + 1]):\n    x += y\n", "F004", "5:"),
    ("index", "@sluice.program\ndef f(x: sluice.float64[10]):\n    x[10] = 1\n", "F007", "5:"),
    ("negative index", "@sluice.program\ndef f(x: sluice.float64[10]):\n    x[-11] = 1\n", "F007", "5:"),
    ("letters of a program", "@sluice.program\ndef größe(x: sluice.float64[N]):\n    x += 1\n", "F001", "3:|4:"),
    ("letters of a parameter", "@sluice.program\ndef f(größe: sluice.float64[N]):\n    größe += 1\n", "F001", "4:"),
    ("letters of a variable", "@sluice.program\ndef f(x: sluice.float64[N]):\n    Δ = x[0] * 2\n    x += Δ\n", "F001", "5:"),
    ("letters of a loop", "@sluice.program\ndef f(x: sluice.float64[N]):\n    for ı in range(N):\n        x[ı] = 1\n", "F001", "5:"),
    ("letters of a map", "@sluice.program\ndef f(x: sluice.float64[N]):\n    for ı in sluice.map[0:N]:\n        x[ı] = 1\n", "F001", "5:"),
    ("letters of a symbol", "λ = sluice.symbol('λ')\n@sluice.program\ndef f(x: sluice.float64[N]):\n    x += λ\n", "F001|F002", "6:"),
    ("letters of a size", "λ = sluice.symbol('λ')\n@sluice.program\ndef f(x: sluice.float64[λ]):\n    x += 1\n", "F001|F003", "4:|5:"),
    ("letters of a tasklet", "@sluice.program\ndef f(x: sluice.float64[N]):\n    @sluice.map(_[0:N])\n    def schön(i):\n        o >> x[i]\n        o = 1\n", "F001", "5:|6:"),
    ("break of no loop", "@sluice.program\ndef f(x: sluice.float64[N]):\n    x += 1\n    break\n", "P011", "6:"),
    ("map range", "@sluice.program\ndef f(x: sluice.float64[10]):\n    for i in sluice.map[0:11]:\n        x[i] = 1\n", "V405", "4:|5:|6:"),
]


@pytest.mark.parametrize("text, code, place", [row[1:] for row in SOURCES], ids=[row[0] for row in SOURCES])
@pytest.mark.parametrize("command", ["check", "compile"])
def test_a_source(run, program, tmp_path, command, text, code, place):
    name = program(text)
    before = everything_below(tmp_path)
    head = refused(run(command, name, *(["-o", "out/deep"] if command == "compile" else [])), code)
    assert re.match(f"{re.escape(name)}:({place})", head["place"])
    assert everything_below(tmp_path) == before


@pytest.fixture
def graph(run, tmp_path):
    """The JSON of a valid graph, to be spoiled."""
    assert run("convert", AXPY, "-o", "good.sdfg").returncode == 0
    return json.loads((tmp_path / "good.sdfg").read_text())


def first_state(graph):
    return next(node for node in graph["nodes"] if node["type"] == "SDFGState")


def memlets(state):
    return [edge["attributes"]["data"] for edge in state["edges"] if edge["attributes"]["data"].get("attributes")]


def cyclic(graph):
    state = first_state(graph)
    back = json.loads(json.dumps(state["edges"][0]))
    back["src"], back["dst"] = state["edges"][0]["dst"], state["edges"][0]["src"]
    state["edges"].append(back)


def out_of_range(graph):
    range_of = next(m["attributes"]["subset"]["ranges"][0] for m in memlets(first_state(graph)) if m["attributes"]["data"] == "x")
    range_of["start"] = range_of["end"] = "-1"


def without_nodes(graph):
    del first_state(graph)["nodes"]


def unknown_node(graph):
    first_state(graph)["nodes"][0]["type"] = "Teapot"


def dangling_edge(graph):
    first_state(graph)["edges"][0]["dst"] = "77"


def test_a_module_that_is_not_imported(run, tmp_path):
    for line, remedy in (("x += np.sum(x)", "write `import numpy as np` at the top of the file"), ("x += math.pi", "write `import math`"),
                         ("x += xs", "assign it before")):
        (tmp_path / "bare.py").write_text(f"import sluice\n@sluice.program\ndef f(x: sluice.float64[9]):\n    {line}\n")
        failed = run("check", "bare.py")
        assert "error F002" in failed.stderr and remedy in failed.stderr


@pytest.mark.parametrize("spoil, code", [(cyclic, "V...|G001"), (out_of_range, "V405"), (without_nodes, "J005"),
                                         (unknown_node, "J009"), (dangling_edge, "J007")])
def test_a_spoiled_graph(run, graph, tmp_path, spoil, code):
    spoil(graph)
    (tmp_path / "bad.sdfg").write_text(json.dumps(graph))
    before = everything_below(tmp_path)
    for arguments in (["check", "bad.sdfg"], ["compile", "bad.sdfg", "-o", "out"], ["convert", "bad.sdfg", "-o", "other.txt"]):
        if arguments[0] == "convert" and spoil in (cyclic, out_of_range):
            continue
        assert refused(run(*arguments), code)["place"].strip()
    assert everything_below(tmp_path) == before


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.999])
@pytest.mark.parametrize("packed", [False, True])
def test_a_truncated_graph(run, graph, tmp_path, share, packed):
    text = json.dumps(graph).encode()
    whole = gzip.compress(text) if packed else text
    name = "cut.sdfgz" if packed else "cut.sdfg"
    (tmp_path / name).write_bytes(whole[: int(len(whole) * share)])
    before = everything_below(tmp_path)
    head = refused(run("compile", name, "-o", "out"), "J00[123]")
    assert head["place"].startswith(name)
    assert everything_below(tmp_path) == before


@pytest.mark.parametrize("arrays, code, texts", [
    ({"x": np.ones(5, np.float32), "y": np.ones(5)}, "A002", ["`x`", "float32", "float64"]),
    ({"x": np.ones((5, 1)), "y": np.ones(5)}, "A001", ["`x`", "2 dimensions"]),
    ({"x": np.ones(5), "y": np.ones(6)}, "A003", ["5", "6", "N"]),
    ({"x": np.asfortranarray(np.ones((3, 4))), "y": np.ones(4)}, "A00.|C004", ["x"]),
])
def test_an_array_that_does_not_fit(run, tmp_path, arrays, code, texts):
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    before = everything_below(tmp_path)
    refused(run("run", AXPY, "a=1", "x=x.npy", "y=y.npy", "-o", "z.npy"), code, *texts)
    assert everything_below(tmp_path) == before


@pytest.mark.parametrize("arguments, code, texts", [
    (["opt"], "C001", ["no program is given"]),
    (["opt", AXPY, "--recipe", "nowhere.txt"], "C001", ["no recipe nowhere.txt"]),
    (["run", AXPY, "N=3", "a=1", "--program", "other"], "C001", ["no program named other", "axpy"]),
    (["convert", AXPY, "-o", "missing/folder/a.sdfg"], "C002", ["missing/folder/a.sdfg"]),
    (["convert", AXPY, "-o", "a.pdf"], "C003", ["`.pdf`", ".sdfgz"]),
    (["run", AXPY, "N=3", "a=1", "nonsense"], "C005", ["`nonsense`", "name=value"]),
    (["run", AXPY, "N=3", "a=1", "z=1"], "C005", ["no argument named z", "x, y"]),
    (["run", AXPY, "N=3", "a=one"], "C005", ["`a=one`"]),
    (["run", AXPY, "N=3", "a=1", "-o", "q=q.npy"], "C006", ["no argument named q", "use one of: "]),
])
def test_an_option_that_names_nothing(run, tmp_path, arguments, code, texts):
    refused(run(*arguments), code, *texts)
    assert not list(tmp_path.iterdir())


def test_several_programs_or_results_without_a_choice(run, program, tmp_path):
    name = program("""
        @sluice.program
        def first(x: sluice.float64[N], y: sluice.float64[N]):
            x += 1
            y += 1

        @sluice.program
        def second(x: sluice.float64[N]):
            x += 2
    """)
    refused(run("run", name, "N=3"), "C001", "several programs", "first", "second")
    refused(run("run", name, "N=3", "--program", "first", "-o", "r.npy"), "C006", "several results", "-o x=r.npy")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_picture_that_cannot_be_made(run, tmp_path):
    refused(run("show", AXPY, "--png", "-o", "p.png", TMPDIR="/etc/hostname"), "D004", "TMPDIR")
    dot = tmp_path / "bin" / "dot"
    dot.parent.mkdir()
    dot.write_text("#!/bin/sh\necho out of ink\nexit 3\n")
    dot.chmod(0o755)
    before = everything_below(tmp_path)
    refused(run("show", AXPY, "--png", "-o", "p.png", PATH=str(dot.parent) + ":/usr/bin:/bin"), "C008", "status 3", "out of ink")
    assert everything_below(tmp_path) == before


def test_a_missing_symbol(run):
    refused(run("run", AXPY, "a=1"), "A005", "symbol `N` has no value", "pass it by name: N=...")
    refused(run("run", ROOT / "examples/gemm.py", "M=3"), "A005", "symbols `K`, `N` have no values", "pass them by name: K=... N=...")


def test_a_size_against_its_symbol(run, tmp_path):
    np.save(tmp_path / "x.npy", np.ones(5))
    refused(run("run", AXPY, "a=1", "x=x.npy", "N=6"), "A003", "5", "6")


@pytest.fixture
def fresh(tmp_path_factory):
    """A cache in which nothing is found."""
    return tmp_path_factory.mktemp("fresh")


@pytest.mark.parametrize("compiler", ["/nonexistent", "no-such-compiler", "/etc/hostname"])
def test_no_compiler(run, tmp_path, fresh, compiler):
    refused(run("compile", AXPY, "-o", "out", CXX=compiler, SLUICE_CACHE=str(fresh)), "D001", compiler, "CXX")
    assert not list(tmp_path.iterdir()) and not list(fresh.rglob("*.so"))


def test_a_compiler_that_fails_without_a_word(run, tmp_path, fresh):
    refused(run("compile", AXPY, "-o", "out", CXX="false", SLUICE_CACHE=str(fresh)), "D002", "status 1")
    assert not list(tmp_path.iterdir()) and not list(fresh.rglob("*.so"))


COMPILERS = {
    "writes nothing": ("exit 0", "D002", "wrote no library"),
    "writes an empty file": ("while [ $# -gt 0 ]; do [ \"$1\" = -o ] && : > \"$2\"; shift; done", "D002", "wrote no library"),
    "writes something else": ("while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo text > \"$2\"; shift; done", "D006", "does not load"),
    "is killed": ("kill -9 $$", "D002", "signal 9"),
    "is no program": (None, "D001", "does not start"),
}


@pytest.mark.parametrize("script, code, text", COMPILERS.values(), ids=COMPILERS)
def test_compilers_that_do_not_compile(run, tmp_path, fresh, script, code, text):
    compiler = fresh / "compiler"
    compiler.write_text("#!/bin/sh\n" + script + "\n" if script else "no script\n")
    compiler.chmod(0o755)
    refused(run("run", AXPY, "N=3", "a=1", CXX=str(compiler), SLUICE_CACHE=str(fresh / "cache")), code, text)
    assert not list(tmp_path.iterdir())
    assert run("run", AXPY, "N=3", "a=1", SLUICE_CACHE=str(fresh / "cache")).returncode == 0


def test_the_words_of_a_failing_compiler_are_shown_once(run, tmp_path, fresh):
    result = run("compile", AXPY, "-o", "out", SLUICE_CXXFLAGS="-fno-such-flag", SLUICE_CACHE=str(fresh))
    refused(result, "D002")
    assert len(re.findall("unrecognized command-line option|unknown argument", result.stderr)) == 1
    assert not list(tmp_path.iterdir()) and not list(fresh.rglob("*.so"))
    assert run("compile", AXPY, "-o", "out", SLUICE_CACHE=str(fresh)).returncode == 0


@pytest.mark.parametrize("command", [["compile", AXPY, "-o", "out"], ["run", AXPY, "N=3", "a=1", "-o", "y=y.npy"]])
def test_a_cache_that_cannot_be_written(run, tmp_path, command):
    # A path below a file cannot be made by anybody, root included.
    refused(run(*command, SLUICE_CACHE="/etc/hostname/x"), "D005", "/etc/hostname", "SLUICE_CACHE")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written(run, tmp_path):
    refused(run("compile", AXPY, "-o", "/etc/hostname/x"), "D004", "/etc/hostname")
    (tmp_path / "out" / "axpy.sdfg").mkdir(parents=True)
    (tmp_path / "out" / "axpy.h").write_text("of before")
    before = everything_below(tmp_path)
    refused(run("compile", AXPY, "-o", "out"), "D004", "axpy.sdfg")
    assert everything_below(tmp_path) == before


def test_of_several_programs_all_appear_or_none(run, program, tmp_path):
    name = program("""
        @sluice.program
        def first(x: sluice.float64[N]):
            x += 1

        @sluice.program
        def second(x: sluice.float64[N]):
            x += 2
    """)
    (tmp_path / "out" / "second.h").mkdir(parents=True)
    before = everything_below(tmp_path)
    refused(run("compile", name, "-o", "out"), "D004", "second.h")
    assert everything_below(tmp_path) == before
    assert run("compile", name, "-o", "other").returncode == 0
    assert {"libfirst.so", "libsecond.so"} <= {path.name for path in (tmp_path / "other").iterdir()}


def test_sdfgcc_writes_library_and_header_or_neither(run, sdfgcc, tmp_path):
    (tmp_path / "axpy.h").mkdir()
    (tmp_path / "libmine.so").write_text("of before")
    before = everything_below(tmp_path)
    refused(run("-o", "libmine.so", AXPY, command=sdfgcc), "D004", "axpy.h")
    assert everything_below(tmp_path) == before


# 2**63 - 1 elements wrap to few bytes, 2**61 to none; less is promised by systems that do not have it.
@pytest.mark.parametrize("command", ["run", "interpret"])
@pytest.mark.parametrize("size", [2**63 - 1, 2**61, 10**12, 4 * 10**11])
def test_arguments_that_no_memory_holds(run, program, command, size):
    source = program("@sluice.program\ndef f(x: sluice.float64[N]):\n    x += 1\n")
    refused(run(command, source, f"N={size}"), "C013", "argument x", f"N = {size}")


@pytest.mark.parametrize("command", ["run", "interpret"])
def test_negative_sizes(run, program, command):
    source = program("@sluice.program\ndef f(x: sluice.float64[N, M]):\n    x += 1\n")
    refused(run(command, source, "N=-3", "M=-3"), "A003", "argument x", "N = -3")


@pytest.mark.parametrize("size", [2**33, 10**6])
def test_transients_that_no_memory_holds(run, program, size):
    source = program("""
        import numpy as np
        @sluice.program
        def f(x: sluice.float64[1], k: sluice.int64):
            t = np.zeros((k, k))
            x[0] = t[0, 0]
    """)
    refused(run("run", source, f"k={size}"), "D015", "`t`")
    refused(run("interpret", source, f"k={size}"), "I006|I009", "`t`")

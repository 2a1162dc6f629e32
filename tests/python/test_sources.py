"""Programs whose source no file holds: `python -c`, standard input, exec()."""
import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np, sluice
N = sluice.symbol("N")
half = lambda v: v / 2
def helper(v):
    return half(v) + 1
@sluice.program(strict=True)
def twice(x: sluice.float64[N]):
    return helper(x) * 2
print(twice(np.arange(4.0)).tolist())
"""
ANSWER = "[2.0, 3.0, 4.0, 5.0]"


def python(*words, **options):
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=300, env={**os.environ, "SLUICE_STRICT": "0"}, **options)
    return done.stdout + done.stderr


def test_the_command_line():
    assert python("-c", PROGRAM).strip() == ANSWER
    assert python("-u", "-Wdefault", "-c", PROGRAM, "an", "argument").strip() == ANSWER


def test_a_file_on_standard_input(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    with open(tmp_path / "program.py") as file:
        assert python(stdin=file).strip() == ANSWER


@pytest.mark.parametrize("text", [PROGRAM, PROGRAM.replace("(strict=True)", "")], ids=["strict", "not strict"])
def test_a_pipe_is_one_diagnostic(text):
    said = python("-", input=text)
    if "strict" in text:
        assert said.count("error F014") == 1 and "Python does not tell the source of twice" in said and "define it in a file" in said
    else:
        assert said.count("FallbackWarning") == 1 and "F014" in said and ANSWER in said


def test_exec_is_not_taken_for_the_command_line():
    """Both texts are `<string>`, and both have a program in the same line."""
    said = python("-c", PROGRAM + "\nexec(%r)" % PROGRAM.replace("* 2", "* 3"))
    assert said.splitlines()[0] == ANSWER and "F014" in said


def test_text_with_an_entry_in_linecache():
    text = "import linecache\ntext = %r\nlinecache.cache['<mine>'] = len(text), None, text.splitlines(True), '<mine>'\n" % PROGRAM
    assert python("-c", text + "exec(compile(text, '<mine>', 'exec'))").strip() == ANSWER


def test_input_that_the_program_reads_stays(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM + "import sys\nprint(sys.stdin.read().strip())\n'''\nrest'''\n")
    with open(tmp_path / "program.py") as file:
        said = python(stdin=file)
    assert said.startswith(ANSWER) and os.path.exists(tmp_path / "program.py")

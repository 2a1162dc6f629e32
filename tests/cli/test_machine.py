"""sluice machine: the numbers that decisions are taken by."""

NAMES = ["threads", "operation", "call", "byte", "unknown", "team", "meeting", "largest_private_array", "largest_on_stack", "busy_team"]


def numbers(text):
    lines = [line.split(" = ") for line in text.splitlines() if line and line[0] != "#"]
    assert [name for name, value in lines] == NAMES
    return {name: int(value) for name, value in lines}


def test_the_default_is_printed(run):
    result = run("machine")
    assert result.returncode == 0 and result.stdout.startswith("# the default\n"), result.stderr
    assert numbers(result.stdout)["threads"] == 8


def test_what_is_measured_is_read_again(run, tmp_path):
    result = run("machine", "--measure", "-o", "here.machine")
    assert result.returncode == 0, result.stderr
    measured = numbers(result.stdout)
    assert all(value > 0 for value in measured.values())
    again = run("--config", f"machine={tmp_path / 'here.machine'}", "machine")
    assert numbers(again.stdout) == measured and "here.machine (argument)" in again.stdout


def test_a_machine_of_one_thread_gets_no_teams(run, tmp_path):
    (tmp_path / "one").write_text("threads = 1\n")
    (tmp_path / "big.py").write_text("import sluice\nN = sluice.symbol('N')\n\n\n@sluice.program\n"
                                     "def big(a: sluice.float64[N]):\n    a *= 2.0\n")
    assert "CPU_Multicore" in run("opt", "big.py", "-O2").stdout
    assert "CPU_Multicore" not in run("--config", f"machine={tmp_path / 'one'}", "opt", "big.py", "-O2").stdout

"""A short run of the generator of random NumPy programs; longer ones by its command (docs/fuzzing.md)."""
import pytest

import random_programs


@pytest.mark.parametrize("family", random_programs.FAMILIES)
def test_agrees_with_numpy(family, tmp_path):
    outcomes, findings = random_programs.campaign(2026, 1, [family], tmp_path, report=lambda text: None)
    assert not findings, "\n".join(f"{text}\n{detail}" for _, text, detail in findings)
    assert sum(outcomes.values()) == 1


def test_the_generator_repeats_itself():
    assert random_programs.write_program(7, random_programs.FAMILIES, "p") == random_programs.write_program(7, random_programs.FAMILIES, "p")


def test_differences_are_seen():
    program = "\n\n@sluice.program\ndef p(A: f8[N], B: f8[N], C: f8[N, M], D: f8[N, M], X: f4[N], I: i8[N], J: i8[N], U: u1[N], k: i8, j: i8, s: f8):\n    return A + 1.0\n"
    assert random_programs.compare(lambda *arguments: arguments[0] + 1.0, program, "p")[0] == "ok"
    assert random_programs.compare(lambda *arguments: arguments[0] + 2.0, program, "p")[0] == "WRONG"

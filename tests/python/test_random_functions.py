"""A short run of the generator of random functions of plain Python; longer ones by its command (docs/fuzzing.md)."""
import random_functions


def test_agrees_with_python():
    outcomes, findings = random_functions.campaign(2026, 1, report=lambda text: None)
    assert not findings, "\n".join(findings)
    assert sum(outcomes.values()) == 1


def test_the_generator_repeats_itself():
    assert random_functions.write_function(7) == random_functions.write_function(7)

"""The tutorials are typed: every file written, every command run in order, what it prints compared with what they show."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"


def blocks(page):
    """(language, file, text) of the fenced blocks."""
    return re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def commands(text):
    """(command, what is printed)."""
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]


def says(shown, printed):
    """`...` stands for any text."""
    return re.fullmatch(".*".join(re.escape(part) for part in shown.strip().split("...")), printed.strip(), re.DOTALL)


@pytest.mark.parametrize("page", sorted(TUTORIALS.glob("[1-9]*.md")), ids=lambda page: page.stem)
def test_tutorial(page, tmp_path):
    environment = {**os.environ, "PATH": f"{ROOT / 'build/release/bin'}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
                   "PYTHONPATH": str(ROOT / "python"), "SLUICE": str(ROOT), "SLUICE_CACHE": str(tmp_path / "cache")}
    environment.pop("SLUICE_STRICT", None)
    folder = tmp_path / "typed"
    folder.mkdir()
    ran = 0
    for language, file, text in blocks(page):
        assert (language == "console") != bool(file), f"a block of {language} without a name"
        if file:
            (folder / file).write_text(text)
            continue
        for command, shown in commands(text):
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=300)
            assert done.returncode == 0 and says(shown, done.stdout), f"$ {command}\n{done.stdout}\n--- instead of\n{shown}"
            ran += 1
    assert ran >= 1


def test_every_tutorial_is_listed():
    listed = re.findall(r"\]\((\d-[\w-]+\.md)\)", (TUTORIALS / "README.md").read_text())
    assert listed == sorted(page.name for page in TUTORIALS.glob("[1-9]*.md")) and len(listed) == 6

"""Every target that `make help` names can be expanded, and knows what to do."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def dry(*words):
    return subprocess.run(["make", "-s", "-C", ROOT, *words], capture_output=True, text=True, timeout=60)


def test_every_target_of_make_help():
    names = re.findall(r"^make ([\w-]+)", dry("help").stdout, re.MULTILINE)
    assert {"demo", "test", "dist", "asan"} <= set(names)
    for name in names:
        done = dry("-n", name)
        assert done.returncode == 0, (name, done.stderr)


def test_an_archive_has_the_version_of_the_build():
    version = re.search(r"^project\(sluice VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    assert f"--prefix=sluice-{version}/ -o build/sluice-{version}.tar.gz" in dry("-n", "dist").stdout

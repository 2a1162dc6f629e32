"""sluice config, and who has the last word."""
import pytest


@pytest.fixture
def configured(run, tmp_path):
    """run(...) with a home of its own; returns what was printed, or the error."""

    def call(*words, status=0, **changes):
        result = run(*words, XDG_CONFIG_HOME=str(tmp_path / "home"), **changes)
        assert result.returncode == status, result.stderr
        return result.stderr if status else result.stdout

    return call


def test_list_set_and_unset(configured, tmp_path):
    file = tmp_path / "home" / "sluice" / "config"
    assert "cache_size   Bytes that the cache may hold" in configured("config", "--help")
    listed = configured("config")
    assert "optimize =   (default)" in listed and "Environment: SLUICE_OPTIMIZE." in listed
    configured("config", "optimize", "1")
    assert file.read_text() == "optimize = 1\n"
    assert f"optimize = 1  (file {file}:1)" in configured("config")
    configured("config", "--project", "optimize", "2")
    assert configured("config", "optimize") == "2\n"
    assert configured("config", "optimize", SLUICE_OPTIMIZE="3") == "3\n"
    assert configured("--config", "optimize=1", "config", "optimize", SLUICE_OPTIMIZE="3") == "1\n"
    configured("config", "--project", "--unset", "optimize")
    assert configured("config", "optimize") == "1\n"


def test_mistakes_are_refused_wherever_they_stand(configured, tmp_path):
    unknown = configured("config", "optimise", "1", status=1)
    assert "D011" in unknown and "optimize" in unknown
    assert "D012" in configured("config", "optimize", "9", status=1)
    assert "D012" in configured("--config", "optimize=9", "config", status=1)
    assert "D013" in configured("--config", "optimize", "config", status=1)
    assert "SLUICE_CACHE_SIZE" in configured("config", SLUICE_CACHE_SIZE="huge", status=1)
    (tmp_path / "sluice.config").write_text("# none\nspeed = 1\n")
    assert "sluice.config:2" in configured("config", status=1)


def test_a_command_without_a_level_takes_that_of_the_setting(configured, tmp_path):
    (tmp_path / "two.py").write_text(
        "import sluice\n\n\n@sluice.program\ndef two(x: sluice.float64[8], y: sluice.float64[8]):\n"
        "    t = x + 1\n    y[:] = t * 2\n")
    configured("compile", "two.py", "-o", "plain", "-Odecide")
    configured("compile", "two.py", "-o", "full", "-O3")
    configured("compile", "two.py", "-o", "standard")
    configured("compile", "plain/two.sdfg", "-o", "kept")
    configured("compile", "two.py", "-o", "simple", SLUICE_OPTIMIZE="1")
    configured("compile", "two.py", "-o", "asked", "-O1")
    configured("compile", "two.py", "-o", "none", "-O0", SLUICE_OPTIMIZE="1")
    texts = {name: (tmp_path / name / "two.sdfg").read_text() for name in ("plain", "simple", "asked", "none", "full", "standard", "kept")}
    assert texts["simple"] == texts["asked"] != texts["plain"] == texts["none"] == texts["kept"]
    assert texts["standard"] == texts["full"] != texts["simple"]

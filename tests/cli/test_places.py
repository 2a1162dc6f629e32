"""sluice opt: which place a line means, why a transformation does not apply, and an end of repetition."""


def test_a_line_that_fits_one_place_needs_no_path(run, examples):
    result = run("opt", examples / "axpy.py", "--apply", "MapTiling tile_sizes=[1024]", "--save-recipe", "/dev/stdout")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("MapTiling @ ") and "(map=update_y)" in result.stdout and "tile_sizes=[1024]" in result.stdout


def test_a_line_that_fits_several_places_lists_them(run, examples):
    for line, nodes in (("MapTiling tile_sizes=[32]", "(map=assign)"), ("MapTiling @ (map=assign)", "(map=assign)")):
        result = run("opt", examples / "jacobi_2d.py", "--apply", line)
        assert result.returncode == 1 and "error E006: MapTiling fits 2 places" in result.stderr
        lines = [text.removeprefix("note: ") for text in result.stderr.splitlines() if "for_t/assign_" in text]
        assert len(lines) == 2 and all(nodes in text for text in lines) and "help: choose one of these lines" in result.stderr
        for text in lines:
            assert run("opt", examples / "jacobi_2d.py", "--apply", text).returncode == 0


def test_a_place_that_does_not_fit_names_those_that_do(run, examples):
    result = run("opt", examples / "jacobi_2d.py", "--apply", "MapTiling @ for_t")
    assert result.returncode == 1 and "E004" in result.stderr and "MapTiling @ for_t/assign_0(map=assign)" in result.stderr
    result = run("opt", examples / "jacobi_2d.py", "--apply", "MapFusion")
    assert "E004" in result.stderr and "nothing in the program fits its pattern" in result.stderr and "--describe MapFusion" in result.stderr
    assert "--why-not MapFusion" in result.stderr


def test_why_not_tells_no_place_from_refused_from_applies(run, examples):
    def why(name):
        result = run("opt", examples / "jacobi_2d.py", "--why-not", name)
        assert result.returncode == 0, result.stderr
        return result.stdout

    assert why("MapFusion").startswith("MapFusion: no place fits its pattern\n  map i {")
    assert why("LoopUnroll").startswith("LoopUnroll: refused in 1 of 1 places that fit its pattern\nLoopUnroll @ (loop=for_t)\n")
    assert "E007" in why("LoopUnroll") and "it applies" not in why("LoopUnroll")
    applies = why("MapTiling")
    assert applies.startswith("MapTiling: refused in 0 of 2 places") and applies.count("MapTiling @ for_t/assign_") == 2


def test_a_misspelt_schedule_is_told_the_nearest(run, examples):
    result = run("opt", examples / "axpy.py", "--apply", "SetSchedule schedule=Sequentiall")
    assert result.returncode == 1 and "Sequentiall is no schedule" in result.stderr and "perhaps you mean Sequential\n" in result.stderr


def test_repetition_ends(run, examples):
    result = run("opt", examples / "jacobi_2d.py", "--repeat", "MapTiling")
    assert result.returncode == 1 and "E008" in result.stderr and "--limit" in result.stderr
    result = run("opt", examples / "jacobi_2d.py", "--repeat", "MapTiling", "--limit", "2", "--save-recipe", "two.recipe", "-o", "two.txt")
    assert result.returncode == 0, result.stderr
    result = run("opt", examples / "jacobi_2d.py", "--recipe", "two.recipe")
    assert result.returncode == 0 and result.stdout.count("tile_sizes") == 0


def test_output_to_a_device_or_a_link_leaves_it_what_it_is(run, examples, tmp_path):
    import os
    before = os.lstat("/dev/null")
    assert run("opt", examples / "axpy.py", "-O1", "--save-recipe", "/dev/null").returncode == 0
    assert os.lstat("/dev/null").st_ino == before.st_ino and os.lstat("/dev/null").st_mode == before.st_mode
    (tmp_path / "real.recipe").write_text("old")
    (tmp_path / "link.recipe").symlink_to("real.recipe")
    assert run("opt", examples / "axpy.py", "-O1", "--save-recipe", "link.recipe").returncode == 0
    assert (tmp_path / "link.recipe").is_symlink() and (tmp_path / "real.recipe").read_text() != "old"
    assert sorted(os.listdir(tmp_path)) == ["link.recipe", "real.recipe"]

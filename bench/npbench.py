"""The kernels of NPBench in their NumPy form, compiled beside NumPy itself, from a checkout that the user has.

    .venv/bin/python bench/npbench.py --npbench PATH [--kernels NAME ...] [--preset S] [--level L ...] [--seconds 1] [--threads N]

Every function of `NAME_numpy.py` goes through `sluice.program` unchanged. Each kernel has processes of its own, in which NumPy and
every level take turns on fresh copies of the same arguments. Two clocks: wall time with the threads asked for, and processor time of
one thread, which other work on the machine disturbs less. Results are compared first: whatever is returned and every array argument
(rtol 1e-9 for double precision, 1e-4 for single, of the largest value; integers equal). Some kernels amplify roundings (nbody, mandelbrot): where
results differ, NumPy runs once more on arguments that are moved by one unit in the last place, and what is at most 100 times as far off is
marked with `~` instead of WRONG. The table has medians in milliseconds, their
ratios (above 1: Sluice is faster), the time of the first call and the C++ compiler's part of it, and who was refused, with the code.
"""
import argparse
import inspect
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from measuring import differs, flat, geometric_mean, load, moved, timed

LONGEST = 120  # Seconds of one kernel's process, compilation included.


# ---- one kernel, in a process of its own ----
def compiled_module(path, name, level):
    """The module with every function that it defines as a program of that level."""
    import sluice
    module = load(path, name)
    for key, value in list(vars(module).items()):
        if inspect.isfunction(value) and value.__module__ == name:
            setattr(module, key, sluice.program(value) if level == "default" else sluice.program(value, optimize=level))
    return module


def arguments_of(info, folder, preset):
    values = dict(info["parameters"][preset])
    if "init" in info:
        module = load(folder / f"{info['module_name']}.py", "initialisation")
        made = getattr(module, info["init"]["func_name"])(*(values[name] for name in info["init"]["input_args"]))
        names = info["init"]["output_args"]
        values.update(zip(names, made if len(names) > 1 else [made]))
    return [values[name] for name in info["input_args"]]


def run_one(options):
    clock = time.process_time if options.clock == "cpu" else time.perf_counter
    info = json.loads(pathlib.Path(options.one).read_text())["benchmark"]
    folder = options.npbench / "npbench" / "benchmarks" / info["relative_path"]
    source = folder / f"{info['module_name']}_numpy.py"
    arguments = arguments_of(info, folder, options.preset)
    reference = getattr(load(source, "reference"), info["func_name"])
    numpy_time, returned, own = timed(reference, arguments, clock)
    expected = flat(returned) + flat(own)
    result = {"levels": {}}
    programs = {}
    for level in options.level:
        function = getattr(compiled_module(source, f"compiled_{level}", level), info["func_name"])
        begin = time.perf_counter()
        try:
            _, returned, own = timed(function, arguments, clock)
        except Exception as error:  # whatever goes wrong is a line of the table
            result["levels"][level] = {"refused": f"{getattr(error, 'code', '') or type(error).__name__}: {str(error).splitlines()[0][:90]}"}
            continue
        first = time.perf_counter() - begin
        compiler = sum(version.times["compiler"] for version in function._versions.values())
        mine = flat(returned) + flat(own)
        entry = result["levels"][level] = {"first": first, "compiler": compiler, "wrong": differs(mine, expected)}
        if entry["wrong"]:
            _, returned, own = timed(reference, moved(arguments), clock)
            others = flat(returned) + flat(own)
            if [getattr(one, "shape", ()) for one in others] == [getattr(one, "shape", ()) for one in expected]:
                entry["wrong"] = differs(mine, expected, others)
                entry["amplified"] = not entry["wrong"]
        if not entry["wrong"]:
            programs[level] = function
    times = {level: [] for level in programs}
    numpy_times = [] if programs else [numpy_time]
    end = time.perf_counter() + options.seconds
    while programs and (len(numpy_times) < 3 or time.perf_counter() < end):
        numpy_times.append(timed(reference, arguments, clock)[0])
        for level, function in programs.items():
            times[level].append(timed(function, arguments, clock)[0])
        if numpy_times[0] > 10 * options.seconds:
            break
    result["numpy"] = statistics.median(numpy_times)
    for level in programs:
        result["levels"][level]["time"] = statistics.median(times[level])
    print(json.dumps(result))


# ---- all kernels ----
def measured(options, info_file, clock, cache):
    """What the process of a kernel says, or how it ended."""
    threads = 1 if clock == "cpu" else options.threads
    command = [sys.executable, __file__, "--npbench", str(options.npbench), "--one", str(info_file), "--clock", clock, "--preset", options.preset,
               "--seconds", str(options.seconds), "--level", *options.level]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads), "SLUICE_CACHE": cache}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"failed": f"not done after {LONGEST} s"}
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        return {"failed": (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1][:100]}
    return json.loads(lines[-1])


def print_kernel(name, cpu, wall, options, ratios):
    failed = cpu.get("failed") or wall.get("failed")
    if failed:
        print(f"{name:24} {failed}", flush=True)
        return
    for level in options.level:
        one, many = cpu["levels"][level], wall["levels"][level]
        begin = f"{name:24} {level:7} "
        trouble = one.get("refused") or many.get("refused") or ("WRONG, " + (one["wrong"] or many["wrong"])
                                                                if one["wrong"] or many["wrong"] else "")
        if trouble:
            print(begin + trouble, flush=True)
            continue
        for clock, numbers, entry in (("cpu", cpu, one), ("wall", wall, many)):
            ratio = numbers["numpy"] / max(entry["time"], 1e-9)
            ratios[level, clock].append(ratio)
            begin += f"{numbers['numpy'] * 1e3:9.3f} {entry['time'] * 1e3:9.3f} {ratio:8.2f}   "
        print(begin + f"{one['first']:6.2f} {one['compiler']:6.2f}" + " ~" * bool(one.get("amplified")), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npbench", type=pathlib.Path, required=True, metavar="PATH", help="the checkout")
    parser.add_argument("--kernels", nargs="+", metavar="NAME", help="as the files of bench_info/ are called; all unless given")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--level", nargs="+", default=["default"], help="0 to 3, decide, or default: what the decorator alone does")
    parser.add_argument("--seconds", type=float, default=1.0, help="of measuring, for each kernel and clock")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="under the wall clock, for NumPy as well")
    parser.add_argument("--clock", choices=["cpu", "wall"], help=argparse.SUPPRESS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        run_one(options)
        return
    files = sorted((options.npbench / "bench_info").glob("*.json"))
    known = {file.stem for file in files}
    if unknown := set(options.kernels or ()) - known:
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}; bench_info/ has {', '.join(sorted(known)) or 'none'}")
    print(f"preset {options.preset}, milliseconds, ratio NumPy/ours; wall time with {options.threads} threads; compilation in seconds")
    print(f"{'':24} {'':7} {'numpy':>9} {'1-CPU':>9} {'ratio':>8}   {'numpy':>9} {'wall':>9} {'ratio':>8}   {'first':>6} {'c++':>6}")
    ratios = {(level, clock): [] for level in options.level for clock in ("cpu", "wall")}
    with tempfile.TemporaryDirectory() as cache:  # cold, so that the first call compiles
        for file in files:
            if not options.kernels or file.stem in options.kernels:
                cpu, wall = (measured(options, file, clock, cache) for clock in ("cpu", "wall"))
                print_kernel(file.stem, cpu, wall, options, ratios)
    for level in options.level:
        cpu, wall = ratios[level, "cpu"], ratios[level, "wall"]
        print(f"{'geometric mean':24} {level:7} {geometric_mean(cpu):29.2f} {geometric_mean(wall):31.2f}   of {len(cpu)}; "
              f"slower than NumPy: {sum(ratio < 1 for ratio in cpu)} and {sum(ratio < 1 for ratio in wall)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What the reference solver costs beside the built-in one, on every scene that is shipped.

  tools/solvers.py build/hawser [--seconds 5] [--limit 120] [--write docs/solvers.md] [SCENE...]

Each scene runs for some seconds of its time (what it builds up before them included), with `realtime` at its default
tolerance and with `reference` at 1e-6, recording one channel. What is compared is processor time of the whole command in user mode: it says the same
on a busy machine. The clock ticks in hundredths of a second: what is shorter is run again, and the mean counts.
"""
import argparse, glob, os, resource, subprocess, sys

ENOUGH = 0.5  # s of processor time, of all runs of one kind: the clock's tick is a fiftieth of it
BAR = 20.0
TOLERANCE = "1e-6"
HEAD = """# Cost of the reference solver

Written by `make solvers` ([solvers.py](../tools/solvers.py)): {seconds:g} s of each scene that is shipped. Processor time of the whole command,
loading and statics included, `realtime` at its default tolerance, `reference` at {tolerance}. The bar is {bar:g} times.

| scene | realtime, s | reference, s | times | its steps |
|---|---|---|---|---|
"""


def run(program, scene, seconds, limit, options):
    """Processor time of one run in seconds, and the line of its summary that tells of the solver."""
    command = [program, "run", scene, "--csv", os.devnull, "--channels", "world.energy", "--duration", str(seconds)] + options
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=bound)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    line = [x for x in done.stdout.splitlines() if x.startswith("  solver")]
    return took, line[0].split(None, 1)[1] if line else "", done


def measure_mean(program, scene, seconds, limit, options):
    """Mean processor time of as many runs as the clock needs, and the last of them."""
    times = []
    while not times or sum(times) < ENOUGH:
        took, line, done = run(program, scene, seconds, limit, options)
        times.append(took)
        if done.returncode != 0:
            break
    return sum(times) / len(times), line, done


def measure(program, scene, seconds, limit):
    quick = measure_mean(program, scene, seconds, limit, ["--set", "solver.mode=realtime"])
    if quick[2].returncode != 0:
        sys.exit(f"{scene}: {quick[2].stderr}")
    exact = measure_mean(program, scene, seconds, limit, ["--solver", "reference", "--set", f"solver.tolerance={TOLERANCE}"])
    return {"scene": scene, "realtime": quick[0], "reference": exact[0], "ratio": exact[0] / quick[0], "line": exact[1],
            "status": exact[2].returncode}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--limit", type=int, default=120, help="s of processor time of one run")
    parser.add_argument("--write", metavar="FILE", help="write the table there")
    given = parser.parse_args()
    scenes = given.scenes or sorted(glob.glob("scenes/**/*.yaml", recursive=True))
    rows, slow = "", 0
    for scene in scenes:
        m = measure(given.program, scene, given.seconds, given.limit)
        slow += m["ratio"] > BAR or m["status"] != 0
        cost = f"{m['reference']:.3f}" if m["status"] == 0 else f"more than {m['reference']:.0f}"
        parts = [p.strip() for p in m["line"].replace(";", ",").split(",")]
        steps = parts[1].split()[0] if len(parts) > 1 else ""
        row = f"| {os.path.relpath(scene, 'scenes')[:-5]} | {m['realtime']:.3f} | {cost} | {m['ratio']:.1f} | {steps} |"
        print(row, flush=True)
        rows += row + "\n"
    verdict = f"{len(scenes) - slow} of {len(scenes)} scenes are within {BAR:g} times."
    print(verdict)
    if given.write:
        with open(given.write, "w") as f:
            f.write(HEAD.format(seconds=given.seconds, tolerance=TOLERANCE, bar=BAR) + rows + "\n" + verdict + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

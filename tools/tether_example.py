#!/usr/bin/env python3
"""Makes the recorded example of `hawser compare` from a run of scenes/tether/three_piles.yaml with the dynamic tether: the
vehicle's track as a positioning system gives it, and seven transponders on the tether with noise.

Usage: hawser run scenes/tether/three_piles.yaml --csv RUN.csv && tools/tether_example.py RUN.csv [FOLDER]
"""
import csv
import os
import random
import sys

NOISE = 0.03  # m, standard deviation of a transponder's place
EVERY = 10    # rows of 0.1 s between two fixes


def main():
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(__file__), "..", "scenes", "tether")
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    column = {name: i for i, name in enumerate(rows[0])}
    data = rows[2:]
    chance = random.Random(7)
    nodes = 0
    while f"tether.node[{nodes}].position.x" in column:
        nodes += 1
    chosen = [round(k * (nodes - 1) / 8) for k in range(1, 8)]
    with open(os.path.join(folder, "three_piles_track.csv"), "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time", "x", "y", "z", "roll", "pitch", "yaw"])
        out.writerow(["s", "m", "m", "m", "rad", "rad", "rad"])
        names = [f"rov.position.{k}" for k in "xyz"] + [f"rov.attitude.{k}" for k in ("roll", "pitch", "yaw")]
        for row in data[::2]:
            out.writerow([row[0]] + [f"{float(row[column[n]]):.4f}" for n in names])
    with open(os.path.join(folder, "three_piles_tether.csv"), "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time"] + [f"t{i + 1}.{k}" for i in range(len(chosen)) for k in "xyz"])
        out.writerow(["s"] + ["m"] * (3 * len(chosen)))
        for row in data[::EVERY]:
            places = []
            for node in chosen:
                for k in "xyz":
                    places.append(f"{float(row[column[f'tether.node[{node}].position.{k}']]) + chance.gauss(0.0, NOISE):.3f}")
            out.writerow([row[0]] + places)


if __name__ == "__main__":
    main()

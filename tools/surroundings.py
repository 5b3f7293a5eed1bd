#!/usr/bin/env python3
"""Writes the surroundings for tether awareness to scenes/tether: three piles, a platform jacket (seed 000, figure 3-8), a
wreck with a hatch, a culvert and a pier, each with a vehicle on a tether that is watched.

Usage: tools/surroundings.py [FOLDER]
"""
import math
import os
import sys


def bar(a, b, radius, material="steel"):
    """A cylinder from a to b."""
    d = [b[i] - a[i] for i in range(3)]
    length = math.sqrt(sum(x * x for x in d))
    pitch = math.degrees(math.acos(max(-1.0, min(1.0, d[2] / length))))
    yaw = math.degrees(math.atan2(d[1], d[0])) if abs(d[0]) + abs(d[1]) > 1e-12 else 0.0
    middle = ", ".join(f"{(a[i] + b[i]) / 2:.4g}" for i in range(3))
    turn = f", attitude: {{rpy_deg: [0, {pitch:.5g}, {yaw:.5g}]}}" if pitch > 1e-9 else ""
    return f"      - {{cylinder: {{radius: {radius}, length: {length:.5g}}}, position: [{middle}]{turn}, material: {material}}}"


def box(size, place, material="concrete"):
    return f"      - {{box: {list(size)}, position: {list(place)}, material: {material}}}"


def body(name, shapes, place=(0, 0, 0)):
    return [f"  - name: {name}", "    motion: fixed", f"    position: {list(place)}", "    shapes:"] + shapes


def scene(folder, name, title, comment, depth, bodies, boat, start, length, elements, kinds, extra=(), events=()):
    lines = [f"# {comment}", "# Written by tools/surroundings.py.", "hawser: 1", f"name: {title}", "duration: 60",
             "output: {interval: 0.1}", "", "environment:", "  water: {density: 1025}",
             f"  seabed: {{depth: {depth}, stiffness: 2e5, damping: 2e4, friction: 0.6}}", "", "materials:",
             "  steel: {young: 200e9, friction: {static: 0.35, kinetic: 0.3}}",
             "  concrete: {young: 30e9, friction: {static: 0.6, kinetic: 0.5}}",
             "  rust: {young: 150e9, friction: {static: 0.6, kinetic: 0.5}}",
             "  plastic: {young: 2e9, friction: {static: 0.3, kinetic: 0.25}}", "", "bodies:"]
    lines += bodies
    lines += ["", "vehicles:",
              f"  - {{name: rov, model: bluerov2_heavy, position: {list(start)}, armed: true, mode: depth_hold}}", "", "cables:",
              "  - name: tether", f"    sections: [{{length: {length}, elements: {elements}, type: rov_tether_7_6, material: plastic}}]",
              f"    ends: {{a: {{on: earth, at: {list(boat)}}}, b: {{on: rov, at: tether}}}}", "    shape: catenary", "",
              "entanglement:", "  - cable: tether", "    bend_radius: 0.1"]
    lines += list(extra)
    lines += ["", "events:", "  - {at: 1, set: {rov.pilot.surge: 0.3}}"] + list(events)
    channels = "".join(f", tether.{kind}.*" for kind in kinds)
    lines += ["", "record: [rov.position.*, rov.attitude.*, rov.turns, rov.tether.tension, tether.length, "
              f"tether.node*.position.*, tether.entanglement.*{channels}]"]
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def jacket(depth):
    """Four battered legs, horizontal frames at four levels, diagonal braces in each bay of each face, conductors."""
    def leg(k, z):
        half = 3.2 + (0.0 - z) * 0.1 + 0.3
        sx, sy = ((1, 1), (-1, 1), (-1, -1), (1, -1))[k]
        return (sx * half, sy * half, z)
    shapes = [bar(leg(k, -depth - 1.0), leg(k, 3.0), 0.5) for k in range(4)]
    levels = [-depth + 2.0, -depth * 0.55, -depth * 0.2, 2.5]
    for z in levels:
        shapes += [bar(leg(k, z), leg((k + 1) % 4, z), 0.25) for k in range(4)]
    for i in range(3):
        for k in range(4):
            a, b = (k, (k + 1) % 4) if i % 2 == 0 else ((k + 1) % 4, k)
            shapes.append(bar(leg(a, levels[i]), leg(b, levels[i + 1]), 0.22))
    shapes += [bar((x, y, -depth - 1.0), (x, y, 3.5), 0.3, "rust") for x, y in ((-1, -1), (1, -1), (0, 1))]
    shapes.append(box((8, 8, 0.6), (0, 0, 3.2), "steel"))
    return shapes


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "scenes", "tether")
    os.makedirs(folder, exist_ok=True)

    piles = []
    for i, (x, y) in enumerate(((6, -2.5), (9, 2), (12.5, -1))):
        piles += body(f"pile_{i}", [bar((0, 0, -16), (0, 0, 2), 0.4, "concrete")], (x, y, 0))
    scene(folder, "three_piles", "three-pile forest", "Three concrete piles from the bottom through the surface.", 15, piles,
          (0, 0, 0.5), (4, 0, -4), 14, 28, ("around",),
          events=["  - {at: 14, set: {rov.pilot.yaw: 0.25}}", "  - {at: 40, set: {rov.pilot.yaw: 0}}"])

    scene(folder, "platform_jacket", "oil-platform jacket", "An oil-platform jacket as in figure 3-8 of seed 000.", 30,
          body("jacket", jacket(30), (20, 0, 0)), (4, 0, 0.5), (10, 0, -6), 40, 40,
          ("around", "through"))

    # A hull of plates, 16 m by 6 m by 4 m, its deck in pieces round a hatch of 2 m by 1.6 m; a mast.
    wreck = [box((16, 6, 0.2), (0, 0, 0.1), "rust"), box((16, 0.2, 4), (0, 2.9, 2), "rust"),
             box((16, 0.2, 4), (0, -2.9, 2), "rust"), box((0.2, 6, 4), (7.9, 0, 2), "rust"),
             box((0.2, 6, 4), (-7.9, 0, 2), "rust"), box((7, 6, 0.2), (-4.5, 0, 4), "rust"),
             box((7, 6, 0.2), (4.5, 0, 4), "rust"), box((2, 2.2, 0.2), (0, 1.9, 4), "rust"),
             box((2, 2.2, 0.2), (0, -1.9, 4), "rust"), bar((5, 0, 4), (5, 0, 10), 0.15, "rust")]
    hatch = ["    loops:", "      - {name: hatch, on: wreck, points: [[-1, -0.8, 4], [1, -0.8, 4], [1, 0.8, 4], [-1, 0.8, 4]]}"]
    scene(folder, "wreck_with_hatch", "wreck with a hatch", "A wreck upright on the bottom, its hold open through a hatch.", 18,
          body("wreck", wreck, (10, 0, -18)), (0, 0, 0.5), (8, 0, -9), 16, 32, ("through",), hatch)

    # A square culvert of 1.4 m clear, 12 m long, in a bank.
    culvert = [box((12, 2.2, 0.4), (0, 0, -0.2)), box((12, 2.2, 0.4), (0, 0, 1.6)), box((12, 0.4, 1.4), (0, 0.9, 0.7)),
               box((12, 0.4, 1.4), (0, -0.9, 0.7))]
    mouth = ["    loops:", "      - {name: mouth, on: culvert, points: [[-6, -0.9, -0.2], [-6, 0.9, -0.2], [-6, 0.9, 1.6], [-6, -0.9, 1.6]]}"]
    scene(folder, "culvert", "culvert", "A concrete culvert on the bottom, open at both ends.", 6,
          body("culvert", culvert, (12, 0, -5.6)), (0, 0, 0.5), (4, 0, -4.7), 9, 18, ("through",), mouth)

    # Two rows of six piles with caps, cross beams and diagonal braces, a deck above the water.
    pier = []
    for i in range(6):
        for y in (-2.0, 2.0):
            pier.append(bar((4 * i, y, -13), (4 * i, y, 2), 0.3, "concrete"))
        pier.append(bar((4 * i, -2, -1.5), (4 * i, 2, -1.5), 0.15, "concrete"))
    for i in range(5):
        pier.append(bar((4 * i, -2, -9), (4 * i + 4, -2, -3), 0.12, "steel"))
    pier.append(box((22, 6, 0.5), (10, 0, 2.1)))
    scene(folder, "pier", "pier", "A pier: two rows of six piles, beams, braces and a deck.", 12, body("pier", pier, (6, 0, 0)),
          (0, -5, 0.5), (3, -4, -4), 30, 40, ("around", "through"))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Cost against size for each kind of object, drawn from what `hawser bench --json` printed.

  build/hawser bench chain scale-elements scale-moorings heap-growth --json -o docs/scale.json
  tools/plot_scale.py docs/scale.json docs/scale.svg
  tools/plot_scale.py --check docs/scale.json docs/scale.svg   # is the picture that of the data, are all rows there?

Both axes are logarithmic. A flat line is a cost in proportion to size. The band is what the dearest may cost of the cheapest."""
import json
import math
import re
import sys

# title, pattern of the row's name with the size in it, by how much the value is divided for one object (None: by its size),
# scale, unit of the axis, bar: dearest over cheapest, and which sizes it is about
PANELS = [
    ("Boxes in a heap", r"a box and second, (\d+) boxes in a heap", 1, 1.0, "ms per box and second", 1.5),
    ("Mooring lines of 30 elements", r"(\d+) moorings", 1, 1.0, "µs per line and second", 1.3),
    ("Elements of one line", r"one line, (\d+) elements", 1, 1.0, "ns per element and evaluation", 2.0),
    ("Links of a chain", r"forward dynamics of a chain of (\d+)", None, 1e3, "ns per link", 1.2),
]
WIDE, HIGH = 360, 250
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 34, 40


def take(rows, pattern, divide, scale):
    points = []
    for row in rows:
        match = re.fullmatch(pattern, row["name"])
        if match and row["value"] is not None:
            size = int(match.group(1))
            points.append((size, row["value"] * scale / (size if divide is None else divide)))
    return sorted(points)


def ticks(low, high):
    """1, 2 and 5 of each decade; of sizes only the decades."""
    return [m * 10.0**k for k in range(-6, 9) for m in (1, 2, 5) if low <= m * 10.0**k * (1 + 1e-9) and m * 10.0**k <= high * (1 + 1e-9)]


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>'


def panel(title, unit, bar, points):
    out = [text(WIDE / 2, 18, title, more=' font-weight="bold"')]
    low, high = min(v for _, v in points), max(v for _, v in points)
    # the axis holds the band above the cheapest, and some room
    bottom, top = low / 2.0, max(high, low * bar) * 2.0
    first, last = points[0][0], points[-1][0]

    def across(size):
        return LEFT + (WIDE - LEFT - RIGHT) * (math.log(size / first) / math.log(last / first))

    def up(value):
        return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * (math.log(value / bottom) / math.log(top / bottom))

    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDE - LEFT - RIGHT}" height="{HIGH - TOP - BOTTOM}" fill="#fff" stroke="#999"/>')
    out.append(f'<rect x="{LEFT}" y="{up(low * bar):.1f}" width="{WIDE - LEFT - RIGHT}" height="{up(low) - up(low * bar):.1f}" fill="#dbe9dd"/>')
    for value in ticks(bottom, top):
        out.append(f'<path d="M{LEFT} {up(value):.1f}h-4" stroke="#999"/>')
        out.append(text(LEFT - 7, up(value) + 4, f"{value:g}", "end"))
    for size in [10**k for k in range(0, 9) if first <= 10**k <= last]:
        out.append(f'<path d="M{across(size):.1f} {HIGH - BOTTOM}v4" stroke="#999"/>')
        out.append(text(across(size), HIGH - BOTTOM + 16, f"{size:,}"))
    path = " ".join(f"{across(s):.1f},{up(v):.1f}" for s, v in points)
    out.append(f'<polyline points="{path}" fill="none" stroke="#1b5e7a" stroke-width="2"/>')
    for size, value in points:
        out.append(f'<circle cx="{across(size):.1f}" cy="{up(value):.1f}" r="3" fill="#1b5e7a"><title>{size:,}: {value:.4g} {unit}</title></circle>')
    out.append(text(WIDE / 2 + 20, HIGH - 8, f"dearest over cheapest {high / low:.2f}, bar {bar:g}"))
    out.append(text(14, (HIGH + TOP - BOTTOM) / 2, unit, more=f' transform="rotate(-90 14 {(HIGH + TOP - BOTTOM) / 2:.0f})"'))
    return "\n".join(out)


def draw(rows):
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDE} {2 * HIGH}" font-family="sans-serif" font-size="11">',
           f'<rect width="{2 * WIDE}" height="{2 * HIGH}" fill="#fff"/>']
    for i, (title, pattern, divide, scale, unit, bar) in enumerate(PANELS):
        points = take(rows, pattern, divide, scale)
        if len(points) < 3:
            sys.exit(f"plot_scale.py: {len(points)} rows of the data are called like `{pattern}`; a plot needs three")
        out.append(f'<g transform="translate({WIDE * (i % 2)} {HIGH * (i // 2)})">\n{panel(title, unit, bar, points)}\n</g>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if check:
        arguments = arguments[1:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        picture = draw(json.load(file))
    if not check:
        with open(arguments[1], "w", encoding="utf-8") as file:
            file.write(picture)
        return
    with open(arguments[1], encoding="utf-8") as file:
        if file.read() != picture:
            sys.exit(f"{arguments[1]} is not what {arguments[0]} gives: run tools/plot_scale.py {arguments[0]} {arguments[1]}")


main()

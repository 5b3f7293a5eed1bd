#!/usr/bin/env python3
"""Draws figures 2-2 to 2-4, 3-1 to 3-8 and B-1 to B-4 of seed 000 from Hawser's own tether (`model: wrap`, `rules: seed`), as one SVG.

usage: tools/tether_figures.py FILE, with the Python package on PYTHONPATH (build/python)
"""
import math
import sys

import hawser

WIDE, HIGH, ACROSS = 300, 230, 3
INK, TETHER, NAIVE, SOLID, HINT = "#22303c", "#c4512d", "#6a4c93", "#b9c4cc", "#1d6fa5"


class Panel:
    """One figure; `see` turns points of the world into the plane of the paper."""

    def __init__(self, name, text, see):
        self.name, self.text, self.see, self.items, self.extent = name, text, see, [], []

    def line(self, points, color=INK, width=1.5, dash=None, counts=True):
        flat = [self.see(p) for p in points]
        if counts:
            self.extent += flat
        self.items.append(("line", flat, color, width, dash))

    def area(self, points, color=SOLID, edge="none"):
        flat = [self.see(p) for p in points]
        self.extent += flat
        self.items.append(("area", flat, color, edge))

    def dot(self, point, color=INK):
        flat = [self.see(point)]
        self.extent += flat
        self.items.append(("dot", flat, color))

    def word(self, point, text, dx=4, dy=-4):
        self.items.append(("word", [self.see(point)], text, dx, dy))

    def arrow(self, start, end, color=HINT):
        a, b = self.see(start), self.see(end)
        self.extent += [a, b]
        self.items.append(("arrow", [a, b], color))

    def svg(self, x, y):
        xs, ys = [p[0] for p in self.extent], [p[1] for p in self.extent]
        room = (WIDE - 30) / max(max(xs) - min(xs), 1e-9), (HIGH - 64) / max(max(ys) - min(ys), 1e-9)
        scale = min(room)
        left = x + 0.5 * WIDE - 0.5 * scale * (max(xs) + min(xs))
        base = y + 10 + 0.5 * (HIGH - 64) + 0.5 * scale * (max(ys) + min(ys))
        put = lambda p: (left + scale * p[0], base - scale * p[1])
        out = []
        for kind, flat, *rest in self.items:
            points = " ".join("%.1f,%.1f" % put(p) for p in flat)
            px, py = put(flat[0])
            if kind == "line":
                dash = f' stroke-dasharray="{rest[2]}"' if rest[2] else ""
                out.append(f'<polyline points="{points}" fill="none" stroke="{rest[0]}" stroke-width="{rest[1]}"{dash}/>')
            elif kind == "area":
                out.append(f'<polygon points="{points}" fill="{rest[0]}" stroke="{rest[1]}" stroke-width="0.6"/>')
            elif kind == "dot":
                out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{rest[0]}"/>')
            elif kind == "word":
                out.append(f'<text x="{px + rest[1]:.1f}" y="{py + rest[2]:.1f}">{rest[0]}</text>')
            else:
                qx, qy = put(flat[1])
                size = math.hypot(qx - px, qy - py) or 1.0
                ux, uy = (qx - px) / size, (qy - py) / size
                head = [(qx, qy), (qx - 7 * ux - 3 * uy, qy - 7 * uy + 3 * ux), (qx - 7 * ux + 3 * uy, qy - 7 * uy - 3 * ux)]
                out.append(f'<line x1="{px:.1f}" y1="{py:.1f}" x2="{qx:.1f}" y2="{qy:.1f}" stroke="{rest[0]}"/>'
                           f'<polygon points="{" ".join("%.1f,%.1f" % p for p in head)}" fill="{rest[0]}"/>')
        out.append(f'<text x="{x + 0.5 * WIDE:.0f}" y="{y + HIGH - 32}" class="name">{self.name}</text>')
        for i, row in enumerate(self.text):
            out.append(f'<text x="{x + 0.5 * WIDE:.0f}" y="{y + HIGH - 18 + 13 * i}" class="text">{row}</text>')
        return "\n".join(out)


def plan(p):
    return p[0], p[1]


def space(p):
    """Oblique: x to the right, y into the paper, z up."""
    return p[0] + 0.45 * p[1], p[2] + 0.35 * p[1]


PLASTIC = {"young": 2e9, "friction": {"static": 0.3, "kinetic": 0.25}}


def make(a, b, length, bend, current=(0, 0.3, 0), bodies=(), elements=40, **rules):
    """A world with one tether by the seed's rules between a and b, where b is a place or a prescribed motion."""
    scene = hawser.Scene(environment={"water": {}, "current": {"uniform": list(current)}}, materials={"plastic": PLASTIC})
    for body in bodies:
        scene.body(**body)
    end = {"on": "earth", "at": list(b)}
    if isinstance(b, dict):
        scene.body("end", motion={"prescribed": {"position": b}})
        end = {"on": "end"}
    scene.cable("t", model="wrap", rules="seed", bend=bend, seed_rules={"greatest_current": 1.0, **rules},
                sections=[{"type": "rov_tether_7_6", "length": length, "elements": elements, "material": "plastic"}],
                ends={"a": {"on": "earth", "at": list(a)}, "b": end})
    return scene.world()


def shape(world):
    return [tuple(p) for p in world.cable("t").positions]


def free(a, b, length, bend, **more):
    with make(a, b, length, bend, **more) as world:
        return shape(world)


def current(panel, at, size, way=(0, 1, 0)):
    panel.arrow(at, [at[i] + size * way[i] for i in range(3)])
    panel.word(at, "current", 4, 10)


# Chapter 2 -------------------------------------------------------------------------------------------------------------------


def figure_2_2():
    a, b, length = (0, 0, -5), (6, -2, -5), 10.0
    panel = Panel("Figure 2-2", ["V in two dimensions: ll = L/2 - dz / (2 sin θ)", "as equation 2-1 has it"], plan)
    points = free(a, b, length, "vee")
    bend = max(points, key=lambda p: p[1])
    panel.line([a, (b[0], a[1], 0), b], INK, 0.8, "4 3")
    panel.word((3, 0, 0), "dx", 0, 12)
    panel.word((6, -1, 0), "dz", 4, 4)
    panel.line(points, TETHER, 2)
    sine = math.sqrt(1 - (b[0] / length) ** 2)
    link = length / 2 - (a[1] - b[1]) / (2 * sine)  # dz counts against the current
    middle = [0.5 * (a[i] + bend[i]) for i in range(3)]
    panel.word(middle, "ll = %.2f m" % math.dist(a, bend), -62, 0)
    assert abs(math.dist(a, bend) - link) < 0.3, (math.dist(a, bend), link)  # nodes are a quarter of a metre apart
    current(panel, (0.5, 1.0, 0), 2)
    return panel


def figure_2_3():
    a, b = (0, 0, 0), (9, 2, -5)
    panel = Panel("Figure 2-3", ["catenary in three dimensions, the current", "sideways, buoyancy 0.3"], space)
    panel.line(free(a, b, 14, "catenary", buoyancy=0.3), TETHER, 2)
    panel.dot(a)
    panel.dot(b)
    panel.word(a, "boat", -30, 4)
    panel.word(b, "ROV", 6, 4)
    current(panel, (1, 0, -4), 5)
    return panel


def figure_2_4():
    a, b = (0, 0, 0), (8, 3, -5)
    panel = Panel("Figure 2-4", ["after the three rotations back; along the edges", "its projections"], space)
    points = free(a, b, 13, "catenary", buoyancy=0.4)
    deep, back = min(p[2] for p in points) - 1, max(p[1] for p in points) + 1
    panel.line([(p[0], p[1], deep) for p in points], SOLID, 1.5)
    panel.line([(p[0], back, p[2]) for p in points], SOLID, 1.5)
    panel.line([(0, 0, deep), (9, 0, deep), (9, back, deep), (9, back, 0), (0, back, 0), (0, back, deep), (0, 0, deep)], INK, 0.5)
    panel.line([(0, back, deep), (9, back, deep)], INK, 0.5)
    panel.line(points, TETHER, 2)
    current(panel, (1.0, 0, deep), 4)
    return panel


def depth_figure(name, bend, depth, text):
    a, b = (0, 0, 0), (8, 1, -5)
    panel = Panel(name, text, space)
    points = free(a, b, 12, bend, buoyancy=0.5, depth=depth)
    panel.line([a, (0, 0, -5.5)], INK, 0.5)
    for p in points[::5]:
        panel.line([p, (p[0], p[1], -5.5)], SOLID, 0.7)
    panel.line([(p[0], p[1], -5.5) for p in points], SOLID, 1.2)
    panel.line(points, TETHER, 2)
    current(panel, (0.5, 0, -5.5), 4)
    return panel


# Chapter 3 -------------------------------------------------------------------------------------------------------------------

SIDES = 12


def cylinder(radius, low, high, sides=SIDES):
    """Triangles of a pile's side."""
    ring = [(radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides)) for i in range(sides + 1)]
    out = []
    for (x0, y0), (x1, y1) in zip(ring, ring[1:]):
        out += [((x0, y0, low), (x1, y1, low), (x1, y1, high)), ((x0, y0, low), (x1, y1, high), (x0, y0, high))]
    return out


def circle(radius, z=-5.0):
    return [(radius * math.cos(0.1 * math.pi * i), radius * math.sin(0.1 * math.pi * i), z) for i in range(20)]


def figure_3_1():
    panel = Panel("Figure 3-1", ["a tree of boxes: groups of triangles halved along", "the longest edge of their box, twice"], plan)
    outline = []
    for i in range(25):
        outline.append((0.4 * i, 1.6 * math.sin(0.35 * i) + 0.25 * i, 0))
    pieces = list(zip(outline, outline[1:]))
    panel.line(outline, INK, 2)
    groups, widths = [pieces], (2.2, 1.4, 0.8)
    for level, width in enumerate(widths):
        halves = []
        for group in groups:
            points = [p for piece in group for p in piece]
            low = [min(p[k] for p in points) for k in range(2)]
            high = [max(p[k] for p in points) for k in range(2)]
            g = 0.06 * (3 - level)
            box = [(low[0] - g, low[1] - g, 0), (high[0] + g, low[1] - g, 0), (high[0] + g, high[1] + g, 0), (low[0] - g, high[1] + g, 0)]
            panel.line(box + box[:1], (HINT, TETHER, NAIVE)[level], width)
            k = 0 if high[0] - low[0] > high[1] - low[1] else 1
            group = sorted(group, key=lambda piece: piece[0][k] + piece[1][k])
            halves += [group[: len(group) // 2], group[len(group) // 2 :]]
        groups = halves
    return panel


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def meet(r1, r2, triangle):
    """Where the segment meets the triangle, by the formulas of 3.3: t = n.(v1 - R1)/(u.n), and on which side of the edges."""
    v1, v2, v3 = triangle
    n, u = cross(minus(v2, v1), minus(v3, v1)), minus(r2, r1)
    if dot(u, n) == 0:
        return None
    t = dot(n, minus(v1, r1)) / dot(u, n)
    if not 0 <= t <= 1:
        return None
    x = tuple(r1[i] + t * u[i] for i in range(3))
    for p, q in ((v1, v2), (v2, v3), (v3, v1)):
        if dot(cross(minus(q, p), minus(x, p)), n) < 0:
            return None
    return x


def gap(x, p, q):
    """Distance of a point from a segment."""
    d = minus(q, p)
    t = min(1.0, max(0.0, dot(minus(x, p), d) / dot(d, d)))
    return math.dist(x, tuple(p[i] + t * d[i] for i in range(3)))


def figure_3_2():
    triangle, r1, r2 = ((0, 0, 0), (4, 0, 0.5), (2, 3, 0.5)), (0.8, 0.3, 2.5), (3.0, 1.6, -2.0)
    panel = Panel("Figure 3-2", ["segment and triangle: t = n·(v1 - R1) / (u·n)", ""], space)
    panel.area(triangle, "#dfe6ea", INK)
    x = meet(r1, r2, triangle)
    panel.line([r1, x], TETHER, 2)
    panel.line([x, r2], TETHER, 1.2, "4 3")
    panel.dot(x, HINT)
    for point, text in zip(triangle + (r1, r2), ("v1", "v2", "v3", "R1", "R2")):
        panel.word(point, text)
    return panel


PILE = {"name": "pile", "motion": "fixed", "position": [0, 0, -5], "shapes": [{"cylinder": {"radius": 0.5, "length": 10}, "material": "plastic"}]}


def circling(turns, period=16.0, radius=4.0):
    """End b on a circle round the pile."""
    times = [0.5 * i for i in range(int(2 * period * turns) + 1)]
    return {"table": {"interpolation": "linear", "time": times,
                      "value": [[radius * math.sin(2 * math.pi * t / period), radius * math.cos(2 * math.pi * t / period), -5.0] for t in times]}}


def collision(a, path, length):
    """Steps until the tether is split; the last shape before, and the one after."""
    world = make(a, path, length, "catenary", bodies=[PILE], stuck_angle=1.2)
    before = shape(world)
    while world["t.wrap.corners"] < 0.5:
        before = shape(world)
        world.step(0.05)
        assert world.time < 20, "the tether never meets the pile"
    return world, before


A = (-8, 1.2, -5.0)


def figure_3_3_and_3_4():
    world, before = collision(A, circling(1.0), 13.0)
    after = shape(world)
    world.close()
    free_shape = free(A, after[-1], 13.0, "catenary")  # what it would be without the pile
    triangles = cylinder(0.5, -6, -4, 24)
    hits = [(x, t) for r1, r2 in zip(free_shape, free_shape[1:]) for t in triangles if (x := meet(r1, r2, t))]
    assert hits, "the free shape misses the pile"
    mean = tuple(sum(x[i] for x, _ in hits) / len(hits) for i in range(3))
    normals = []
    for _, (v1, v2, v3) in hits:
        n = cross(minus(v2, v1), minus(v3, v1))
        normals.append(tuple(c / math.sqrt(dot(n, n)) for c in n))
    normal = tuple(sum(n[i] for n in normals) / len(normals) for i in range(3))
    size = math.sqrt(dot(normal, normal))
    normal = tuple(c / size for c in normal)
    depth = max(abs(dot(n, minus(mean, t[0]))) for n, (_, t) in zip(normals, hits))
    moved = tuple(mean[i] + (depth + math.sqrt(2) * 0.0038) * normal[i] for i in range(3))
    three = Panel("Figure 3-3", ["triangles that the tether meets, mean of the", "intersections and mean of the normals"], plan)
    four = Panel("Figure 3-4", ["moved out along the normal: there it is split", ""], plan)
    near = [p for p in free_shape if math.hypot(p[0], p[1]) < 1.2]
    # the tether of the world runs through it; it was split up to a step, 0.1 m of the vehicle's way, earlier
    assert min(gap(moved, p, q) for p, q in zip(after, after[1:])) < 0.05
    for panel in (three, four):
        panel.area(circle(0.5), SOLID)
        for _, (v1, v2, _) in hits:
            panel.line([v1, v2], NAIVE, 4)
    three.line(near, TETHER, 2)
    three.dot(mean, HINT)
    three.arrow(mean, tuple(mean[i] + 0.8 * normal[i] for i in range(3)))
    four.line(near, TETHER, 1, "4 3")
    four.line([p for p in after if math.hypot(p[0], p[1]) < 1.2], TETHER, 2)
    four.dot(mean, HINT)
    four.dot(moved, INK)
    return [three, four]


def split_figures():
    """What two bent segments would do (dashed) and what the rules make of it."""
    panels = []
    # 3-5: the tether is drawn against the pile's lee side, where two bent segments would leave it at once
    a, b, at, length = (-5, -1.0, -5.0), (5, -1.5, -5.0), (0.0, 0.52, -5.0), 10.9
    panel = Panel("Figure 3-5", ["on the lee side two bent segments (dashed) meet", "at more than 180°: the second becomes straight"], plan)
    panel.area(circle(0.5), SOLID)
    first = math.dist(a, at) + 0.5 * (length - math.dist(a, at) - math.dist(at, b))
    panel.line(free(a, at, first, "catenary"), NAIVE, 1.3, "4 3")
    panel.line(free(at, b, length - first, "catenary"), NAIVE, 1.3, "4 3")
    panel.line(free(a, at, length - math.dist(at, b), "catenary"), TETHER, 2)
    panel.line([at, b], TETHER, 2)
    panel.dot(at)
    current(panel, (-1.5, -1.6, 0), 0.9)
    panels.append(panel)
    # 3-6: the current presses the second segment against the pile
    a, b, at, length, way = (-1.5, -5, -5.0), (1.4, 3.2, -5.0), (0.51, -0.1, -5.0), 9.9, (-0.3, 0, 0)
    panel = Panel("Figure 3-6", ["a bent segment (dashed) would meet the pile again", "at once: it becomes straight"], plan)
    panel.area(circle(0.5), SOLID)
    panel.line(free(at, b, math.dist(at, b) + 0.6, "catenary", current=way), NAIVE, 1.3, "4 3")
    panel.line(free(a, at, length - math.dist(at, b), "catenary", current=way), TETHER, 2)
    panel.line([at, b], TETHER, 2)
    panel.dot(at)
    current(panel, (3.4, -3, 0), 1.2, (-1, 0, 0))
    panels.append(panel)
    return panels


def figure_3_7():
    world = make(A, circling(1.0), 14.5, "catenary", bodies=[PILE], stuck_angle=3.0)
    panel = Panel("Figure 3-7", ["the tether slides: one segment bent, the last straight,", "the length kept while the end goes on"], plan)
    panel.area(circle(0.5), SOLID)
    lengths = []
    for i, time in enumerate((5.5, 6.5, 7.5)):
        while world.time < time - 1e-9:
            world.step(0.05)
        points = shape(world)
        lengths.append(sum(math.dist(p, q) for p, q in zip(points, points[1:])))
        panel.line(points, TETHER, 1 + 0.6 * i, "5 3" if i < 2 else None)
        panel.dot(points[-1], TETHER)
    world.close()
    assert max(lengths) - min(lengths) < 0.02, lengths  # chords of 40 elements against the curve
    current(panel, (-6, -2, 0), 1.5)
    return panel


def figure_3_8():
    size, low, high = 4.0, -16.0, 0.0
    bars = []
    corners = [(-size, -size), (size, -size), (size, size), (-size, size)]
    for i, (x, y) in enumerate(corners):
        u, v = corners[(i + 1) % 4]
        bars.append(((x, y, low), (x, y, high)))
        for z in (-15.0, -8.0, -1.0):
            bars.append(((x, y, z), (u, v, z)))
        bars.append(((x, y, -15.0), (u, v, -8.0)))
        bars.append(((x, y, -8.0), (u, v, -1.0)))
    bodies = []
    for i, (p, q) in enumerate(bars):
        middle = [0.5 * (p[k] + q[k]) for k in range(3)]
        way = minus(q, p)
        length = math.dist(p, q)
        # from z to the bar's direction
        yaw, tilt = math.degrees(math.atan2(way[1], way[0])), math.degrees(math.acos(way[2] / length))
        bodies.append({"name": f"bar{i}", "motion": "fixed", "position": middle, "attitude": {"rpy_deg": [0, tilt, yaw]},
                       "shapes": [{"cylinder": {"radius": 0.35, "length": length}, "material": "plastic"}]})
    way = [(-9, -7, -6), (-2, -7, -6), (6, -6.5, -6), (7, -2, -6), (7.5, 5, -6), (3, 8, -6.5), (-2, 8, -7)]
    path = {"table": {"interpolation": "linear", "time": [4.0 * i for i in range(len(way))], "value": [list(p) for p in way]}}
    world = make((-12, -6, 0), path, 46.0, "catenary", current=(0, -0.3, 0), bodies=bodies, elements=92, stuck_angle=20.0)
    while world.time < 4.0 * (len(way) - 1):
        world.step(0.05)
    corners_met = int(world["t.wrap.corners"])
    panel = Panel("Figure 3-8", ["round an oil platform after %d collisions; all segments" % corners_met, "but the first are rubber bands"], space)
    for p, q in bars:
        panel.line([p, q], SOLID, 3)
    points = shape(world)
    panel.line(points, TETHER, 2)
    panel.dot(points[-1], TETHER)
    panel.word(points[-1], "ROV")
    panel.word(points[0], "boat", -8, -6)
    world.close()
    assert corners_met >= 2
    return panel


def main():
    panels = [figure_2_2(), figure_2_3(), figure_2_4(), figure_3_1(), figure_3_2(), *figure_3_3_and_3_4(), *split_figures(), figure_3_7(),
              figure_3_8(),
              depth_figure("Figure B-1", "vee", "linear", ["V, the depth linear along the tether", ""]),
              depth_figure("Figure B-2", "vee", "nonlinear", ["V, the depth by the sag factor", ""]),
              depth_figure("Figure B-3", "catenary", "linear", ["catenary, the depth linear", ""]),
              depth_figure("Figure B-4", "catenary", "nonlinear", ["catenary, the depth by the sag factor", ""])]
    rows = -(-len(panels) // ACROSS)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE * ACROSS} {HIGH * rows}" font-family="sans-serif" font-size="10">',
           f'<style>.name{{font-weight:bold;text-anchor:middle}} .text{{text-anchor:middle}} text{{fill:{INK}}}</style>',
           f'<rect width="{WIDE * ACROSS}" height="{HIGH * rows}" fill="#ffffff"/>']
    for i, panel in enumerate(panels):
        out.append(panel.svg(WIDE * (i % ACROSS), HIGH * (i // ACROSS)))
    out.append("</svg>\n")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(out))


if __name__ == "__main__":
    main()

// The ghost of a recorded flight: the line of a second tether, twice a second where one was shown, as text (docs/protocol.md,
// "A second tether"). Between two of them the page goes from one to the other.

import type { Point, TwinModel } from "./messages";

export interface GhostLine {
    time: number;
    model: TwinModel;
    /** m, greatest distance from the true tether */
    apart: number;
    line: Point[];
}

/** s after which a line is no longer of the moment */
const LASTS = 0.75;

/** The lines of the file, up to the first that is none. */
export function parseGhosts(text: string): GhostLine[] {
    const lines: GhostLine[] = [];
    for (const row of text.split("\n").slice(1)) {
        const [time, model, apart, points] = row.split(",");
        if (!points) break;
        const line = points.split(";").map((point) => point.split(" ").map(Number) as Point);
        if (line.length < 2 || !line.every((point) => point.length === 3 && point.every(Number.isFinite))) break;
        lines.push({ time: Number(time), model: model as TwinModel, apart: Number(apart), line });
    }
    return lines;
}

/** Shares of a line's length at its points, 0 to 1. */
function sharesOf(line: readonly Point[]): number[] {
    const lengths = [0];
    for (let i = 1; i < line.length; ++i) {
        const [a, b] = [line[i - 1]!, line[i]!];
        lengths.push(lengths[i - 1]! + Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
    }
    const whole = lengths.at(-1)! || 1;
    return lengths.map((length) => length / whole);
}

function pointsAt(line: readonly Point[], own: readonly number[], shares: readonly number[]): Point[] {
    let i = 0;
    return shares.map((share): Point => {
        while (i + 2 < own.length && own[i + 1]! < share) ++i;
        const [a, b] = [line[i]!, line[i + 1]!];
        const gap = own[i + 1]! - own[i]!;
        const part = gap > 0 ? Math.min(Math.max((share - own[i]!) / gap, 0), 1) : 0;
        return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])];
    });
}

/** A line between two others: points at equal shares of their lengths belong together, and the corners of both are in it. */
export function blendLines(from: readonly Point[], to: readonly Point[], part: number): Point[] {
    const [a, b] = [sharesOf(from), sharesOf(to)];
    const shares = [...new Set([...a, ...b])].sort((x, y) => x - y);
    const [p, q] = [pointsAt(from, a, shares), pointsAt(to, b, shares)];
    return p.map((point, i): Point => [0, 1, 2].map((k) => point[k]! + part * (q[i]![k]! - point[k]!)) as Point);
}

/** The ghost at a time; null: none was shown then. */
export function ghostAt(lines: readonly GhostLine[], time: number): GhostLine | null {
    let [low, high] = [-1, lines.length - 1];
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (lines[middle]!.time <= time + 1e-9) low = middle;
        else high = middle - 1;
    }
    const before = lines[low];
    if (!before || time - before.time > LASTS) return null;
    const after = lines[low + 1];
    if (!after || after.model !== before.model || after.time - before.time > LASTS) return before;
    const part = Math.max((time - before.time) / (after.time - before.time), 0);
    return { time, model: before.model, apart: before.apart + part * (after.apart - before.apart), line: blendLines(before.line, after.line, part) };
}

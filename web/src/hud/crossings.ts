// Where a line crosses itself as seen from above, and which part of it is the upper one there: on paper one draws the lower part
// broken. So a chart shows whether a loop is a loop or a knot.

export interface Crossing {
    /** segment that is above there, and the share of it where */
    upper: number;
    share: number;
}

/** `nodes`: x, y, z of each; segment i lies between nodes i and i + 1. */
export function crossings(nodes: ArrayLike<number>, count: number): Crossing[] {
    const out: Crossing[] = [];
    for (let i = 0; i + 1 < count; ++i) {
        const [ax, ay, az] = [nodes[3 * i]!, nodes[3 * i + 1]!, nodes[3 * i + 2]!];
        const [ux, uy, uz] = [nodes[3 * i + 3]! - ax, nodes[3 * i + 4]! - ay, nodes[3 * i + 5]! - az];
        const [lowX, highX] = ux > 0 ? [ax, ax + ux] : [ax + ux, ax];
        const [lowY, highY] = uy > 0 ? [ay, ay + uy] : [ay + uy, ay];
        for (let k = i + 2; k + 1 < count; ++k) {
            const [bx, by] = [nodes[3 * k]!, nodes[3 * k + 1]!];
            const [cx, cy] = [nodes[3 * k + 3]!, nodes[3 * k + 4]!];
            if ((bx < lowX && cx < lowX) || (bx > highX && cx > highX) || (by < lowY && cy < lowY) || (by > highY && cy > highY)) continue;
            const [vx, vy] = [cx - bx, cy - by];
            const det = ux * vy - uy * vx;
            if (det === 0) continue;
            const s = ((bx - ax) * vy - (by - ay) * vx) / det;
            const t = ((bx - ax) * uy - (by - ay) * ux) / det;
            if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) continue;
            const [first, second] = [az + s * uz, nodes[3 * k + 2]! + t * (nodes[3 * k + 5]! - nodes[3 * k + 2]!)];
            out.push(first >= second ? { upper: i, share: s } : { upper: k, share: t });
        }
    }
    return out;
}

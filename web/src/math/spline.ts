// Smooth curves through the nodes of a cable.
//
// Centripetal Catmull-Rom (Yuksel, Schaefer, Keyser 2011): knots at the square root of the distances. Unlike the uniform
// form it makes no loops and no cusps within a segment, which a taut tether that turns round a pile would otherwise show.

/** Points written per segment of the polyline; the last node is added once. */
export function sampleCount(nodes: number, perSegment: number): number {
    return nodes < 2 ? nodes : (nodes - 1) * perSegment + 1;
}

/**
 * Writes samples of the curve through `nodes` (x, y, z each, `count` of them) into `out`; returns how many.
 * `perSegment` samples a segment; the curve passes through every node, at sample i * perSegment.
 */
export function sampleSpline(nodes: Float32Array, count: number, perSegment: number, out: Float32Array): number {
    const total = sampleCount(count, perSegment);
    if (count < 2) {
        out.set(nodes.subarray(0, 3 * count));
        return total;
    }
    for (let segment = 0; segment < count - 1; ++segment) {
        const p1 = 3 * segment;
        const p2 = p1 + 3;
        const d12 = knotStep(nodes, p1, p2);
        const hasBefore = segment > 0;
        const hasAfter = segment < count - 2;
        const d01 = hasBefore ? knotStep(nodes, p1 - 3, p1) : d12;
        const d23 = hasAfter ? knotStep(nodes, p2, p2 + 3) : d12;
        for (let axis = 0; axis < 3; ++axis) {
            const a = nodes[p1 + axis]!;
            const b = nodes[p2 + axis]!;
            // Beyond the ends the curve is continued by its mirror image, which leaves the end curvature at zero.
            const before = hasBefore ? nodes[p1 - 3 + axis]! : 2 * a - b;
            const after = hasAfter ? nodes[p2 + 3 + axis]! : 2 * b - a;
            const slopeA = d12 * ((a - before) / d01 - (b - before) / (d01 + d12) + (b - a) / d12);
            const slopeB = d12 * ((b - a) / d12 - (after - a) / (d12 + d23) + (after - b) / d23);
            const square = -3 * a + 3 * b - 2 * slopeA - slopeB;
            const cube = 2 * a - 2 * b + slopeA + slopeB;
            for (let k = 0; k < perSegment; ++k) {
                const t = k / perSegment;
                out[3 * (segment * perSegment + k) + axis] = a + t * (slopeA + t * (square + t * cube));
            }
        }
    }
    for (let axis = 0; axis < 3; ++axis) out[3 * (total - 1) + axis] = nodes[3 * (count - 1) + axis]!;
    return total;
}

function knotStep(nodes: Float32Array, i: number, j: number): number {
    const dx = nodes[j]! - nodes[i]!;
    const dy = nodes[j + 1]! - nodes[i + 1]!;
    const dz = nodes[j + 2]! - nodes[i + 2]!;
    // Nodes that coincide would divide by zero; a micrometre is far below what is drawn.
    return Math.max(Math.sqrt(Math.sqrt(dx * dx + dy * dy + dz * dz)), 1e-3);
}

// The sea surface as the server computes it: a sum of long-crested waves (Airy 1841).

/** amplitude m, omega rad/s, k rad/m, direction rad, phase rad */
export type WaveComponent = readonly [number, number, number, number, number];

/** Height above the mean surface at (x, y) and simulated time t. */
export function waveHeight(components: readonly WaveComponent[], x: number, y: number, t: number): number {
    let height = 0;
    for (const [amplitude, omega, k, direction, phase] of components) {
        const along = x * Math.cos(direction) + y * Math.sin(direction);
        height += amplitude * Math.cos(k * along - omega * t + phase);
    }
    return height;
}

/** The components with the largest amplitudes, at most `count` of them. */
export function largestComponents(components: readonly WaveComponent[], count: number): WaveComponent[] {
    return [...components].sort((a, b) => Math.abs(b[0]) - Math.abs(a[0])).slice(0, count);
}

/** Four standard deviations of the surface: the significant height of the sea that these waves make. */
export function significantHeight(components: readonly WaveComponent[]): number {
    let variance = 0;
    for (const [amplitude] of components) variance += (amplitude * amplitude) / 2;
    return 4 * Math.sqrt(variance);
}

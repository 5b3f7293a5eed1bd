export function clamp(value: number, low: number, high: number): number {
    return value < low ? low : value > high ? high : value;
}

export function mix(a: number, b: number, t: number): number {
    return a + (b - a) * t;
}

/** 0 below a, 1 above b, with flat ends between. */
export function smoothstep(a: number, b: number, x: number): number {
    const t = clamp((x - a) / (b - a), 0, 1);
    return t * t * (3 - 2 * t);
}

/** How far a first-order lag with this time constant (s) goes towards its target in dt. */
export function lagShare(dt: number, timeConstant: number): number {
    return timeConstant > 0 ? 1 - Math.exp(-dt / timeConstant) : 1;
}

/** Random numbers that are the same on every run (mulberry32). */
export function makeRandom(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

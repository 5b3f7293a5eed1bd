// Keeps the picture fluent. The picture's cost is mostly its pixels, so steps of quality are mostly steps of resolution. A
// step is left downwards when pictures come too slowly for it, and tried upwards again when there has been time to spare for
// a while; each attempt that fails doubles the wait until the next.

export interface QualityLevel {
    /** pixels of the picture per CSS pixel, at most the screen's own */
    ratio: number;
    snow: number;
    lamps: number;
    glow: number;
    detail: number;
    caustics: boolean;
    shadows: boolean;
    /** pictures a second below which the next lower level is taken */
    least: number;
}

const level = (ratio: number, snow: number, lamps: number, glow: number, detail: number, caustics: boolean, shadows: boolean,
    least: number): QualityLevel => ({ ratio, snow, lamps, glow, detail, caustics, shadows, least });

// The upper half is for graphics processors and keeps 60 a second; the lower half is for software renderers, where more than
// 24 a second is better spent on sharpness.
export const QUALITY_LEVELS: readonly QualityLevel[] = [
    level(1.5, 2600, 4, 5, 2, true, true, 56),
    level(1.0, 2000, 4, 4, 2, true, true, 56),
    level(0.85, 1500, 4, 3, 2, true, false, 56),
    level(0.7, 1000, 2, 2, 2, true, false, 48),
    level(0.6, 700, 2, 2, 1, true, false, 24),
    level(0.5, 500, 2, 1, 1, true, false, 24),
    level(0.42, 350, 1, 1, 1, true, false, 24),
    level(0.34, 250, 1, 1, 1, false, false, 22),
    level(0.26, 160, 1, 0, 1, false, false, 0),
];

const WINDOW = 24; // pictures per judgement
const SETTLE = 0.5; // s after a change that are not judged: buffers and shaders are being made
const FIRST_WAIT = 4; // s before a higher level is tried
const LONGEST_WAIT = 120;

export class QualityController {
    private times: number[] = [];
    private since = 0;
    private waits: number[] = QUALITY_LEVELS.map(() => FIRST_WAIT);
    private triedUp = false;
    /** pictures a second, over the last judgement */
    rate = 0;

    constructor(public index: number) {}

    get current(): QualityLevel {
        return QUALITY_LEVELS[this.index]!;
    }

    /** After each picture, with the time since the one before; true when the level changed. */
    frame(dt: number): boolean {
        if (dt > 1) return false; // the tab was hidden
        this.since += dt;
        if (this.since < SETTLE) return false;
        this.times.push(dt);
        if (this.times.length < WINDOW && this.times.reduce((a, b) => a + b, 0) < 2) return false;
        // The median: single long pictures (a compilation, another program) do not count.
        const sorted = [...this.times].sort((a, b) => a - b);
        this.rate = 1 / Math.max(sorted[sorted.length >> 1]!, 1e-4);
        this.times = [];
        if (this.rate < this.current.least && this.index < QUALITY_LEVELS.length - 1) {
            if (this.triedUp) this.waits[this.index] = Math.min(2 * this.waits[this.index]!, LONGEST_WAIT);
            this.triedUp = false;
            return this.change(this.rate < 0.5 * this.current.least ? 2 : 1);
        }
        const higher = QUALITY_LEVELS[this.index - 1];
        if (higher && this.since > this.waits[this.index - 1]! && this.rate > this.wantedFor(higher)) {
            this.triedUp = true;
            return this.change(-1);
        }
        if (this.since > 10) this.triedUp = false;
        return false;
    }

    /** Pictures a second that promise the higher level its own: the screen's 60, or its pixels' share more than it needs. */
    private wantedFor(higher: QualityLevel): number {
        if (higher.least > 40) return 57;
        const pixels = (higher.ratio / this.current.ratio) ** 2;
        return 1.1 * pixels * higher.least;
    }

    private change(steps: number): boolean {
        this.index = Math.min(Math.max(this.index + steps, 0), QUALITY_LEVELS.length - 1);
        this.since = 0;
        return true;
    }
}

/** Where to begin: software renderers say what they are. */
export function startLevel(renderer: string): number {
    return /swiftshader|llvmpipe|software|basic render/i.test(renderer) ? 6 : 1;
}

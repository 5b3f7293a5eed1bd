// Which instant to show: frames come 30 or 60 times a second and a little unevenly, the screen is drawn when it is drawn. The
// buffer keeps the last frames and shows a moment slightly in the past, so that there is nearly always a frame on either
// side to interpolate between. The delay follows what the network does: one frame's time and the unevenness on top of it.

import { clamp } from "../math/numbers";
import { FrameFlag, type Frame } from "./frame";

const KEPT = 12;
/** s: longer than this between two frames is a stall, not unevenness */
const STALL = 0.5;

export interface Instant {
    before: Frame;
    after: Frame;
    /** 0: before, 1: after */
    share: number;
    /** simulated time shown */
    time: number;
}

export class Playout {
    private frames: Frame[] = [];
    private arrivals: number[] = [];
    private shown = Number.NaN;
    private lastNow = Number.NaN;
    private gap = 1 / 30;
    private unevenness = 0.005;
    /** s that the picture is late on purpose */
    extra = 0;

    /** `now` is the page's clock in seconds when the frame came. */
    push(frame: Frame, now: number): void {
        const last = this.frames[this.frames.length - 1];
        if (last && ((frame.flags & FrameFlag.JUMP) !== 0 || frame.time < last.time || frame.revision !== last.revision)) {
            this.clear();
        } else if (last) {
            const between = now - this.arrivals[this.arrivals.length - 1]!;
            if (between < STALL) {
                this.unevenness += 0.05 * (Math.abs(between - this.gap) - this.unevenness);
                this.gap += 0.05 * (between - this.gap);
            }
        }
        this.frames.push(frame);
        this.arrivals.push(now);
        while (this.frames.length > KEPT && this.arrivals[1]! < now - this.extra - 1) {
            this.frames.shift();
            this.arrivals.shift();
        }
    }

    clear(): void {
        this.frames = [];
        this.arrivals = [];
        this.shown = Number.NaN;
    }

    get newest(): Frame | null {
        return this.frames[this.frames.length - 1] ?? null;
    }

    /** s of the page's clock between the newest frame and what is shown */
    get delay(): number {
        return clamp(1.1 * this.gap + 2 * this.unevenness, 0.01, 0.2) + this.extra;
    }

    /** The instant to draw at `now`, or null before the first frame. */
    at(now: number): Instant | null {
        const newest = this.newest;
        if (!newest) return null;
        const elapsed = Number.isNaN(this.lastNow) ? 0 : clamp(now - this.lastNow, 0, STALL);
        this.lastNow = now;
        const factor = (newest.flags & FrameFlag.PAUSED) !== 0 ? 0 : Math.max(newest.factor, 0);
        const age = now - this.arrivals[this.arrivals.length - 1]!;
        const wanted = newest.time + factor * (Math.min(age, STALL) - this.delay);
        if (Number.isNaN(this.shown) || factor === 0) {
            this.shown = factor === 0 ? newest.time : wanted;
        } else {
            // Runs at the simulation's pace and drifts towards the wanted instant, so that late frames make no jerks.
            this.shown += factor * elapsed;
            this.shown += clamp(5 * elapsed, 0, 1) * (wanted - this.shown);
        }
        const first = this.frames[0]!;
        this.shown = clamp(this.shown, first.time, newest.time);
        return this.bracket(this.shown);
    }

    private bracket(time: number): Instant {
        for (let i = this.frames.length - 1; i > 0; --i) {
            const before = this.frames[i - 1]!;
            const after = this.frames[i]!;
            if (time >= before.time) {
                const span = after.time - before.time;
                return { before, after, share: span > 0 ? clamp((time - before.time) / span, 0, 1) : 1, time };
            }
        }
        const only = this.frames[0]!;
        return { before: only, after: only, share: 1, time };
    }
}

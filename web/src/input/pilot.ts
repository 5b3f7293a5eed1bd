// Sends the pilot's axes as the protocol asks: when they change, at most 60 times a second, and again while they are not
// zero, so that the server notices a page that has died.

const SHORTEST = 1 / 62; // s between two messages
const REPEAT = 0.2; // s; the server zeroes the axes after 1 s
const STEP = 1 / 512; // smaller changes are noise

export interface PilotMessage {
    type: "pilot";
    seq: number;
    t: number;
    axes: number[];
    hold?: true;
}

export class PilotSender {
    private sent = [0, 0, 0, 0];
    private sentAt = Number.NEGATIVE_INFINITY;
    private seq = 0;
    held = false;

    constructor(private readonly send: (message: PilotMessage) => boolean) {}

    /** `now` in s of the page's clock. */
    update(axes: readonly number[], now: number): void {
        if (this.held) return;
        const since = now - this.sentAt;
        if (since < SHORTEST) return;
        const changed = axes.some((value, i) => Math.abs(value - this.sent[i]!) >= STEP || (value === 0) !== (this.sent[i] === 0));
        const alive = axes.some((value) => value !== 0);
        if (changed || (alive && since >= REPEAT)) this.transmit(axes, now);
    }

    /** At once and whatever was held: blur, a gamepad that vanished, the menu. */
    zero(now: number): void {
        const wasHeld = this.held;
        this.held = false;
        if (wasHeld || this.sent.some((value) => value !== 0)) this.transmit([0, 0, 0, 0], now);
    }

    /** The axes stay as they are until this is called again. */
    toggleHold(axes: readonly number[], now: number): boolean {
        this.held = !this.held;
        this.transmit(axes, now);
        return this.held;
    }

    /** After a new connection the server knows nothing of what was sent before. */
    reset(): void {
        this.sent = [0, 0, 0, 0];
        this.sentAt = Number.NEGATIVE_INFINITY;
        this.held = false;
    }

    private transmit(axes: readonly number[], now: number): void {
        const message: PilotMessage = {
            type: "pilot",
            seq: ++this.seq,
            t: Math.round(now * 1e4) / 10,
            axes: axes.map((value) => Math.round(value * 1e4) / 1e4),
        };
        if (this.held) message.hold = true;
        if (this.send(message)) {
            this.sent = [...axes];
            this.sentAt = now;
        }
    }
}

// Curves over time for the plots: grows at the end while live, drops what is older than it keeps, cuts what a rewind undoes.

const KEEP = 6000;

export class Series {
    time: number[] = [];
    values: (number | null)[][];

    constructor(readonly channels: readonly string[]) {
        this.values = channels.map(() => []);
    }

    push(time: number, values: ArrayLike<number>): void {
        while (this.time.length > 0 && this.time[this.time.length - 1]! >= time) {
            this.time.pop();
            for (const list of this.values) list.pop();
        }
        this.time.push(time);
        this.values.forEach((list, i) => {
            const value = values[i];
            list.push(value === undefined || !Number.isFinite(value) ? null : value);
        });
        if (this.time.length > KEEP) {
            // Every other one of the older half goes: the shape stays, the memory does not grow.
            const keep = this.time.map((_, i) => i > KEEP / 2 || i % 2 === 0);
            this.time = this.time.filter((_, i) => keep[i]);
            this.values = this.values.map((list) => list.filter((_, i) => keep[i]));
        }
    }

    load(time: readonly number[], values: readonly (readonly (number | null)[])[]): void {
        this.time = [...time];
        this.values = this.channels.map((_, i) => [...(values[i] ?? time.map(() => null))]);
    }
}

/** Channels that share a unit share a plot. */
export function groupByUnit(channels: readonly { name: string; unit: string }[]): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const { name, unit } of channels) groups.set(unit, [...(groups.get(unit) ?? []), name]);
    return groups;
}

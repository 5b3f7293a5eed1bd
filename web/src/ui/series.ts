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
        if (this.time.length > KEEP) this.thin();
    }

    /** Of every four values of the older half the least and the largest stay, in their order: memory does not grow, no peak is lost. */
    private thin(): void {
        const half = 4 * Math.floor(KEEP / 8);
        const thinned = this.values.map((list) => {
            const out: (number | null)[] = [];
            for (let i = 0; i < half; i += 4) {
                let [least, most] = [i, i];
                for (let k = i; k < i + 4; ++k) {
                    if ((list[k] ?? Infinity) < (list[least] ?? Infinity)) least = k;
                    if ((list[k] ?? -Infinity) > (list[most] ?? -Infinity)) most = k;
                }
                out.push(list[Math.min(least, most)]!, list[Math.max(least, most)]!);
            }
            return [...out, ...list.slice(half)];
        });
        this.time = [...this.time.slice(0, half).filter((_, i) => i % 4 === 0 || i % 4 === 2), ...this.time.slice(half)];
        this.values = thinned;
    }

    /** Of the last value at this time or before. */
    indexAt(time: number): number {
        let [low, high] = [0, this.time.length - 1];
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.time[middle]! <= time) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    load(time: readonly number[], values: readonly (readonly (number | null)[])[]): void {
        this.time = [...time];
        this.values = this.channels.map((_, i) => [...(values[i] ?? time.map(() => null))]);
    }
}

/** A number as short as it can be read: 12.3, 0.0012, 1.05 M. */
export function tickText(value: number): string {
    const size = Math.abs(value);
    const [scale, letter] = size >= 1e9 ? [1e9, " G"] : size >= 1e6 ? [1e6, " M"] : size >= 1e4 ? [1e3, " k"] : [1, ""];
    if (size !== 0 && size < 1e-4) return value.toExponential(1).replace("-", "\u2212");
    return `${Number((value / scale).toPrecision(4))}`.replace("-", "\u2212") + letter;
}

/** Channels under the thing that they belong to, what is plotted first and the world's books last. */
export function groupByOwner<T extends { name: string }>(channels: readonly T[], chosen: readonly string[]): [string, T[]][] {
    const groups = new Map<string, T[]>();
    for (const channel of channels) {
        const owner = channel.name.split(".")[0]!;
        groups.set(owner, [...(groups.get(owner) ?? []), channel]);
    }
    const rank = ([owner, list]: [string, T[]]): number => (list.some(({ name }) => chosen.includes(name)) ? 0 : owner === "world" ? 2 : 1);
    return [...groups].sort((a, b) => rank(a) - rank(b));
}

/** Channels that share a unit share a plot. */
export function groupByUnit(channels: readonly { name: string; unit: string }[]): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const { name, unit } of channels) groups.set(unit, [...(groups.get(unit) ?? []), name]);
    return groups;
}

// Screenshots as numbers: whether something is to be seen on them.

import { inflateSync } from "node:zlib";

export interface Picture {
    width: number;
    height: number;
    /** three bytes a pixel, rows from the top */
    rgb: Uint8Array;
}

/** Reads what Chromium writes: eight bits a channel, with or without alpha, not interlaced (PNG, ISO/IEC 15948). */
export function decodePng(file: Buffer): Picture {
    const parts: Buffer[] = [];
    let [width, height, channels] = [0, 0, 0];
    for (let at = 8; at < file.length;) {
        const length = file.readUInt32BE(at);
        const kind = file.toString("latin1", at + 4, at + 8);
        const data = file.subarray(at + 8, at + 8 + length);
        if (kind === "IHDR") {
            [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
            channels = { 2: 3, 6: 4 }[data[9]!] ?? 0;
            if (data[8] !== 8 || channels === 0 || data[12] !== 0) throw new Error("this kind of PNG is not read");
        } else if (kind === "IDAT") {
            parts.push(data);
        }
        at += 12 + length;
    }
    const raw = inflateSync(Buffer.concat(parts));
    const stride = width * channels;
    const rows = new Uint8Array(height * stride);
    for (let y = 0; y < height; ++y) {
        const filter = raw[y * (stride + 1)]!;
        for (let x = 0; x < stride; ++x) {
            const left = x >= channels ? rows[y * stride + x - channels]! : 0;
            const above = y > 0 ? rows[(y - 1) * stride + x]! : 0;
            const corner = x >= channels && y > 0 ? rows[(y - 1) * stride + x - channels]! : 0;
            rows[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + predict(filter, left, above, corner);
        }
    }
    const rgb = new Uint8Array(3 * width * height);
    for (let i = 0; i < width * height; ++i) rgb.set(rows.subarray(i * channels, i * channels + 3), 3 * i);
    return { width, height, rgb };
}

function predict(filter: number, left: number, above: number, corner: number): number {
    switch (filter) {
        case 1: return left;
        case 2: return above;
        case 3: return (left + above) >> 1;
        case 4: {
            const p = left + above - corner;
            const [a, b, c] = [Math.abs(p - left), Math.abs(p - above), Math.abs(p - corner)];
            return a <= b && a <= c ? left : b <= c ? above : corner;
        }
        default: return 0;
    }
}

/** Standard deviation of the pixels' brightness, 0 for a picture of one colour, and how many colours there are. */
export function variety({ rgb }: Picture): { contrast: number; colours: number } {
    let [sum, squares] = [0, 0];
    const colours = new Set<number>();
    for (let i = 0; i < rgb.length; i += 3) {
        const bright = 0.2126 * rgb[i]! + 0.7152 * rgb[i + 1]! + 0.0722 * rgb[i + 2]!;
        sum += bright;
        squares += bright * bright;
        colours.add((rgb[i]! << 16) | (rgb[i + 1]! << 8) | rgb[i + 2]!);
    }
    const count = rgb.length / 3;
    return { contrast: Math.sqrt(Math.max(squares / count - (sum / count) ** 2, 0)), colours: colours.size };
}

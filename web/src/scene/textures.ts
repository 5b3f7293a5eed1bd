// The one texture of the page, made at the start: four patterns that repeat without a seam.
//   red    clouds, five octaves       green  fine grain
//   blue   pits and patches           alpha  the web of light that waves throw on the bottom

import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGBAFormat, UnsignedByteType } from "three";
import { makeRandom, smoothstep } from "../math/numbers";

const SIZE = 256;

/** Values on a lattice of `period` cells, smoothly joined, repeating. */
function lattice(period: number, random: () => number): (x: number, y: number) => number {
    const values = Float32Array.from({ length: period * period }, random);
    return (x, y) => {
        const fx = x * period;
        const fy = y * period;
        const ix = Math.floor(fx);
        const iy = Math.floor(fy);
        const tx = smoothstep(0, 1, fx - ix);
        const ty = smoothstep(0, 1, fy - iy);
        const at = (i: number, j: number): number => values[(j % period) * period + (i % period)]!;
        const low = at(ix, iy) + tx * (at(ix + 1, iy) - at(ix, iy));
        const high = at(ix, iy + 1) + tx * (at(ix + 1, iy + 1) - at(ix, iy + 1));
        return low + ty * (high - low);
    };
}

function octaves(first: number, count: number, random: () => number): (x: number, y: number) => number {
    const layers = Array.from({ length: count }, (_, i) => lattice(first << i, random));
    return (x, y) => {
        let sum = 0;
        let weight = 0.5;
        for (const layer of layers) {
            sum += weight * layer(x, y);
            weight *= 0.5;
        }
        return sum / (1 - 0.5 ** count);
    };
}

/** Distances to the nearest and the second nearest of scattered points, on a torus (Worley 1996). */
function cells(count: number, random: () => number): (x: number, y: number) => [number, number] {
    const points = Array.from({ length: count }, () => [random(), random()] as const);
    return (x, y) => {
        let first = 9;
        let second = 9;
        for (const [px, py] of points) {
            let dx = Math.abs(x - px);
            let dy = Math.abs(y - py);
            if (dx > 0.5) dx = 1 - dx;
            if (dy > 0.5) dy = 1 - dy;
            const d = dx * dx + dy * dy;
            if (d < first) {
                second = first;
                first = d;
            } else if (d < second) {
                second = d;
            }
        }
        return [Math.sqrt(first), Math.sqrt(second)];
    };
}

export function makeNoiseTexture(): DataTexture {
    const random = makeRandom(2026);
    const clouds = octaves(4, 5, random);
    const grain = octaves(32, 3, random);
    const patches = octaves(6, 3, random);
    const pits = cells(90, random);
    const web = cells(44, random);
    const bend = lattice(5, random);
    const data = new Uint8Array(4 * SIZE * SIZE);
    for (let j = 0; j < SIZE; ++j) {
        for (let i = 0; i < SIZE; ++i) {
            const x = i / SIZE;
            const y = j / SIZE;
            const at = 4 * (j * SIZE + i);
            const [pit] = pits(x, y);
            const wobble = 0.02 * (bend(x, y) - 0.5);
            const [near, next] = web((x + wobble + 1) % 1, (y - wobble + 1) % 1);
            data[at] = 255 * clouds(x, y);
            data[at + 1] = 255 * grain(x, y);
            data[at + 2] = 255 * Math.min(1, 0.55 * patches(x, y) + 5 * pit);
            data[at + 3] = 255 * Math.exp(-34 * (next - near));
        }
    }
    const texture = new DataTexture(data, SIZE, SIZE, RGBAFormat, UnsignedByteType);
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.needsUpdate = true;
    return texture;
}

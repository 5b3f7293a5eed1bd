// From levels of a sonar to a picture: which level each pixel shows, and its colour. No elements here.

import { clamp } from "../math/numbers";
import type { SonarImage } from "../net/sonar";

/** dB that the picture shows at gain 0: from black to white */
const DARKEST = -21;
const BRIGHTEST = 3;

/** Black over brown and amber to white, as sonars have it; 256 entries of little-endian RGBA. */
export function sonarColours(image: Pick<SonarImage, "floor" | "step">, gain: number): Uint32Array {
    const table = new Uint32Array(256);
    for (let level = 0; level < 256; ++level) {
        const share = clamp((image.floor + level * image.step + gain - DARKEST) / (BRIGHTEST - DARKEST), 0, 1);
        const red = 255 * clamp(1.6 * share, 0.03, 1);
        const green = 255 * clamp(1.35 * share - 0.22, 0.05, 1);
        const blue = 255 * clamp(2.2 * share - 1.2, 0.07, 1);
        table[level] = (0xff000000 | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
    }
    return table;
}

/** Where a sonar stands in a picture, and how many pixels its longest range has. */
export interface SonarPlace {
    width: number;
    height: number;
    x: number;
    y: number;
    radius: number;
}

/** A fan stands at the lower edge and opens upwards; what sweeps more than half a turn stands in the middle. */
export function placeSonar(width: number, height: number, fan: number): SonarPlace {
    if (fan > Math.PI) return { width, height, x: width / 2, y: height / 2, radius: Math.min(width, height) / 2 - 1 };
    const radius = Math.min(height - 2, width / 2 / Math.max(Math.sin(fan / 2), 0.1));
    return { width, height, x: width / 2, y: height - 1, radius };
}

/** The greatest level of the bins that share one of `rings` rings: a picture has fewer of them than a beam has bins, and no echo may fall between. */
export function gatherBins(levels: Uint8Array, beams: number, bins: number, rings: number, out: Uint8Array): void {
    for (let beam = 0; beam < beams; ++beam) {
        for (let ring = 0; ring < rings; ++ring) {
            const end = Math.max(Math.floor(((ring + 1) * bins) / rings), Math.floor((ring * bins) / rings) + 1);
            let most = 0;
            for (let bin = Math.floor((ring * bins) / rings); bin < end && bin < bins; ++bin) most = Math.max(most, levels[beam * bins + bin]!);
            out[beam * rings + ring] = most;
        }
    }
}

/** For each pixel the index of its level, or -1; `slots` beams side by side over `fan`, the first at starboard or all round from the bow. */
export function mapSonar(place: SonarPlace, fan: number, slots: number, bins: number, share: number): Int32Array {
    const map = new Int32Array(place.width * place.height).fill(-1);
    const round = fan >= 2 * Math.PI - 1e-3;
    for (let row = 0; row < place.height; ++row) {
        for (let column = 0; column < place.width; ++column) {
            const [right, ahead] = [column + 0.5 - place.x, place.y - row - 0.5];
            // `share` of the range lies before the first bin
            const range = (Math.hypot(right, ahead) / place.radius - share) / (1 - share);
            if (range < 0 || range >= 1) continue;
            const bearing = Math.atan2(right, ahead);
            const turn = round ? bearing / (2 * Math.PI) : bearing / fan + 0.5;
            const slot = round ? Math.floor((turn + 1) * slots) % slots : Math.floor(turn * slots);
            if (slot < 0 || slot >= slots) continue;
            map[row * place.width + column] = slot * bins + Math.floor(range * bins);
        }
    }
    return map;
}

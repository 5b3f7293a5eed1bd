// How light goes through water. Two numbers per colour do it: the beam attenuation c, by which an image fades with distance,
// and the diffuse attenuation Kd, by which daylight fades with depth (Preisendorfer 1976; Kirk 1994).

export type Rgb = [number, number, number];

export interface WaterOptics {
    /** 1/m, beam attenuation */
    beam: Rgb;
    /** 1/m, diffuse attenuation of daylight */
    diffuse: Rgb;
    /** 1/m, scattering: what the water itself adds to the image */
    scatter: Rgb;
}

/** 1/m, absorption of clear sea water at about 650, 540 and 450 nm (after Smith and Baker 1981, rounded) */
const CLEAR: Rgb = [0.35, 0.045, 0.02];

/**
 * An object can just be seen where its contrast is 2 % (Koschmieder 1924): c = -ln(0.02) / visibility, taken for green.
 * What comes with the particles of coastal water absorbs blue; the particles scatter blue a little more than red.
 */
export function waterOptics(visibility: number): WaterOptics {
    const green = -Math.log(0.02) / Math.max(visibility, 0.3);
    const scattering = Math.max(green - CLEAR[1], 0.02);
    const absorption: Rgb = [CLEAR[0] + 0.02 * scattering, CLEAR[1], CLEAR[2] + 0.13 * scattering];
    const share = 0.055; // of the scattered light is lost to the daylight field; most of it goes on downwards
    return {
        beam: absorption.map((a) => a + scattering) as Rgb,
        diffuse: absorption.map((a) => a * 0.9 + share * scattering) as Rgb,
        scatter: [0.62 * scattering, 0.95 * scattering, 1.12 * scattering],
    };
}

/** Daylight at this depth, of 1 at the surface. */
export function daylight(optics: WaterOptics, depth: number): Rgb {
    return optics.diffuse.map((k) => Math.exp(-k * Math.max(depth, 0))) as Rgb;
}

export function luminance([r, g, b]: readonly number[]): number {
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/**
 * What the camera's exposure makes of it: it opens with depth, but the deep stays darker than the shallow, and closes again where
 * its lamps shine on something near (`lamps`: their light there, of 1 at the surface).
 */
export function exposure(optics: WaterOptics, depth: number, lamps = 0): number {
    const light = luminance(daylight(optics, depth)) + lamps;
    return Math.min(0.95 / (0.035 + light) ** 0.66, 6);
}

/** The camera's white balance: gains that take back some of the water's colour, with luminance kept. */
export function whiteBalance(optics: WaterOptics, depth: number): Rgb {
    const light = daylight(optics, depth + 1); // and the way to the object and back
    const gains = light.map((value) => Math.min((luminance(light) / Math.max(value, 1e-6)) ** 0.25, 1.5)) as Rgb;
    const kept = luminance(light.map((value, i) => value * gains[i]!)) / luminance(light);
    return gains.map((gain) => gain / kept) as Rgb;
}

// How the materials of the protocol look.

import type { Look } from "./shading";

export const LOOKS: Record<string, Look> = {
    sand: { color: "#c9bfa8", second: "#a79c86", scale: 5, ripple: 1 },
    rock: { color: "#6f6a62", second: "#4b4740", scale: 1.7, growth: 0.55 },
    concrete: { color: "#9a9890", second: "#7e7c74", scale: 1.6, growth: 0.5 },
    steel: { color: "#7d8386", second: "#626a6c", scale: 1.3, gloss: 0.25, growth: 0.55 },
    rust: { color: "#7b4a2c", second: "#4a2f22", scale: 0.9, growth: 0.4 },
    paint: { color: "#d7dde0", second: "#c3cbd0", scale: 2.5, gloss: 0.35 },
    wood: { color: "#8a6d4c", second: "#5f4a33", scale: 0.7, growth: 0.7 },
    tile: { color: "#bfe0e6", second: "#bfe0e6", scale: 3, gloss: 0.25, tile: 0.25, pool: true },
    floor: { color: "#8b9197", second: "#8b9197", scale: 3, tile: 1 },
    rubber: { color: "#24272a", second: "#1b1d20", scale: 0.5, gloss: 0.1 },
    plastic: { color: "#c9ced2", second: "#bcc2c7", scale: 4, gloss: 0.3 },
    weed: { color: "#3d4f22", second: "#26331a", scale: 0.5, doubleSided: true },
    glass: { color: "#22303a", second: "#22303a", scale: 1, gloss: 0.9 },
};

export function lookOf(material: string | undefined, color?: string): Look {
    const base = LOOKS[material ?? "plastic"] ?? LOOKS["plastic"]!;
    return color ? { ...base, color, second: color } : base;
}

// Angles as instruments show them. Headings go clockwise from north, 0 to 2 pi.

export const TAU = 2 * Math.PI;

export function toDegrees(radians: number): number {
    return (radians * 180) / Math.PI;
}

export function toRadians(degrees: number): number {
    return (degrees * Math.PI) / 180;
}

/** Into 0..2 pi. */
export function wrapHeading(angle: number): number {
    const turned = angle % TAU;
    return turned < 0 ? turned + TAU : turned;
}

/** The short way from one heading to another, -pi..pi, positive clockwise. */
export function headingDifference(from: number, to: number): number {
    const difference = wrapHeading(to - from);
    return difference > Math.PI ? difference - TAU : difference;
}

/** Three digits; 360 is written 000. */
export function headingText(heading: number): string {
    if (!Number.isFinite(heading)) return "---";
    const degrees = Math.round(toDegrees(wrapHeading(heading))) % 360;
    return String(degrees).padStart(3, "0");
}

const CARDINALS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** A name for the multiples of 45 degrees, otherwise null. */
export function cardinalName(degrees: number): string | null {
    const turned = ((degrees % 360) + 360) % 360;
    return turned % 45 === 0 ? (CARDINALS[turned / 45] ?? null) : null;
}

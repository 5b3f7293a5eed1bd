// Level of detail: fine where it can be told from coarse. What decides is how large its details are in the picture, how far the water lets
// one see, and whether there is time for it at all.

import { Vector3, type Object3D } from "three";

/** m at which something of a size (m) can still be told. */
export type Reach = (size: number) => number;

/** Share of the light that details must keep on their way to the eye. */
const LEAST_LIGHT = 0.01;
/** What is fine stays so a little farther: at the bound nothing flickers. */
const STAY = 1.1;

/**
 * `pixels`: of the picture for each rad at its middle; `beam`: the water's attenuation for each colour, 1/m, the least of which counts;
 * null: the eye is in the air. Details are told from one pixel on.
 */
export function reachOf(pixels: number, beam: readonly number[] | null): Reach {
    const clear = beam ? -Math.log(LEAST_LIGHT) / Math.max(Math.min(...beam), 1e-6) : Infinity;
    return (size) => Math.min(size * pixels, clear);
}

/** Two levels of one thing, of which one is shown. */
export class Levels {
    private timely = true;
    private near = true;
    private readonly place = new Vector3();

    /** `size`: m, of the details that the fine one has and the coarse one has not; `distance`: m from an eye, from its origin unless told. */
    constructor(private readonly fine: Object3D, private readonly coarse: Object3D, private readonly size: number, private readonly distance?: (eye: Vector3) => number) {
        this.apply();
    }

    /** There is time for the fine one. */
    setFine(fine: boolean): void {
        this.timely = fine;
        this.apply();
    }

    setEye(eye: Vector3, reach: Reach): void {
        const away = this.distance ? this.distance(eye) : this.place.setFromMatrixPosition(this.fine.matrixWorld).distanceTo(eye);
        const near = away < reach(this.size) * (this.near ? STAY : 1);
        if (near === this.near) return;
        this.near = near;
        this.apply();
    }

    private apply(): void {
        this.fine.visible = this.timely && this.near;
        this.coarse.visible = !this.fine.visible;
    }
}

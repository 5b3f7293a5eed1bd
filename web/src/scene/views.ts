// Where the picture is taken from. All views but the pilot's are an orbit round a point; they differ in what that point
// follows. Dragging turns the orbit, the wheel changes its distance, reset brings the view's own values back.

import { Matrix4, PerspectiveCamera, Quaternion, Vector3, type Box3 } from "three";
import { toRadians } from "../math/angles";
import { clamp, lagShare } from "../math/numbers";
import type { VehicleFrame } from "../net/frame";
import type { CameraEntry, Vec3 } from "../net/messages";
import { quaternionOf, vectorOf } from "./geometry";

export type ViewKind = "pilot" | "chase" | "top" | "side" | "free" | "fixed";

export const VIEW_TITLES: Record<ViewKind, string> = {
    pilot: "Pilot camera", chase: "Chase", top: "Top", side: "Side", free: "Free", fixed: "Fixed in the world",
};
export const FLIGHT_VIEWS: readonly ViewKind[] = ["pilot", "chase", "top", "side", "free", "fixed"];
export const SCENE_VIEWS: readonly ViewKind[] = ["free", "top", "side"];

interface Orbit {
    /** rad, from +x counter-clockwise, where the eye stands as seen from the target */
    azimuth: number;
    elevation: number;
    distance: number;
}

const HOME: Record<Exclude<ViewKind, "pilot">, Orbit> = {
    chase: { azimuth: Math.PI, elevation: 0.34, distance: 2.1 },
    top: { azimuth: Math.PI, elevation: Math.PI / 2 - 0.01, distance: 16 },
    side: { azimuth: -Math.PI / 2, elevation: 0.06, distance: 4.5 },
    free: { azimuth: -2.2, elevation: 0.3, distance: 3.6 },
    fixed: { azimuth: 2.45, elevation: 0.34, distance: 4.4 },
};

const SMALL = 0.8; // m, a vehicle up to which the distances above are right
const NARROWEST = 0.25;
const CLEARANCE = 0.3; // m that the eye keeps from what stands in its way, and from the bottom
const FARTHEST = 400;
const NEAR = 0.03;
const HEADROOM = 1.5; // m
/** Of the picture's height and width, what a plan fills: the rest is behind instruments. */
const PLAN_HIGH = 0.72;
const PLAN_WIDE = 0.5;
/** vertical, of a plan: from so far off that piles look like circles, not like leaning columns */
const PLAN_FIELD = toRadians(10);
const OUTSIDE_FIELD = toRadians(52); // vertical

/** Vertical field of a camera with this horizontal field, zoomed, in a picture of this aspect. */
export function verticalField(horizontalDegrees: number, zoom: number, aspect: number): number {
    const half = Math.tan(toRadians(Math.min(horizontalDegrees, 150)) / 2) / Math.max(zoom, 1);
    // On upright screens the picture is cut at the sides instead of opening to a fisheye.
    return Math.min(2 * Math.atan(half / Math.max(aspect, 0.2)), toRadians(100));
}

// A camera of three.js looks along its -z with +y up; a vehicle looks along +x with +z up.
const LOOK_FORWARD = new Quaternion().setFromRotationMatrix(
    new Matrix4().makeBasis(new Vector3(0, -1, 0), new Vector3(0, 0, 1), new Vector3(-1, 0, 0)));

const PORT = new Vector3(0, 1, 0);

export interface Subject {
    position: Vector3;
    attitude: Quaternion;
    frame: VehicleFrame | null;
    camera: CameraEntry | null;
}

export class Views {
    readonly camera = new PerspectiveCamera(60, 1, NEAR, 1500);
    kind: ViewKind = "free";
    private orbits = structuredClone(HOME);
    /** by which eyes beside the vehicle stand further off: 1 for a small one */
    private reach = 1;
    private readonly freeTarget = new Vector3();
    private readonly fixedEye = new Vector3();
    private readonly smoothTarget = new Vector3();
    private readonly tilt = new Quaternion();
    private smoothHeading = 0;
    private sceneView: { camera: Vector3; target: Vector3 } | null = null;
    private snap = true;
    /** by these shares of its height the picture is moved to the left, and up */
    shift = 0;
    lift = 0;
    /** How far one sees from a point in a direction before something stands in the way, at most `most` m. */
    sight: (from: Vector3, direction: Vector3, most: number) => number = (_from, _direction, most) => most;
    /** m, the bottom's height there; NaN: none */
    ground: (x: number, y: number) => number = () => Number.NaN;
    /** the free camera was moved by hand: it stays, and the fixed one takes its place */
    private moved = false;
    /** the area that the view from above stays over instead of following the vehicle; null: it follows */
    private plan: Box3 | null = null;
    /** what is above the vehicle hides nothing of it: a pool under the open sky */
    open = false;
    /** no easing: for those who ask for less motion, and for pictures */
    steady = false;

    constructor() {
        this.camera.up.set(0, 0, 1);
    }

    /** m from end to end of the vehicle that is followed; before the scene is placed. */
    suit(size: number): void {
        this.reach = Math.max(size / SMALL, 1);
    }

    private homes(): typeof HOME {
        const homes = structuredClone(HOME);
        for (const kind of ["chase", "side", "free", "fixed"] as const) homes[kind].distance *= this.reach;
        return homes;
    }

    /** A new scene: where its free camera starts, or null to choose. */
    place(view: { camera: Vec3; target: Vec3 } | undefined, around: Vector3, size: number): void {
        this.orbits = this.homes();
        const target = view ? vectorOf(view.target) : around.clone();
        const eye = view ? vectorOf(view.camera) : around.clone().add(new Vector3(-0.8 * size, -1.1 * size, 0.5 * size));
        this.sceneView = { camera: eye.clone(), target: target.clone() };
        this.freeTarget.copy(target);
        this.setOrbit(this.orbits.free, eye.clone().sub(target));
        this.fixedEye.copy(eye);
        this.moved = false;
        this.orbits.top.distance = Math.max(this.orbits.top.distance, 1.2 * size);
        this.orbits.side.distance = Math.max(this.orbits.side.distance, size);
        this.snap = true;
    }

    /**
     * Looks at a box so that all of it is in a picture of so many heights' width and this share of the height, across its longer side and
     * a little from above. `still` is what stands around: shown with it where it is not more than three times as large.
     */
    frame(box: Box3, still: Box3, wide: number, high: number): void {
        const all = box.clone();
        const [large, small] = [still.getSize(new Vector3()), box.getSize(new Vector3())];
        if (!still.isEmpty() && large.length() < 3 * Math.max(small.length(), 2)) all.union(still);
        const size = all.getSize(new Vector3());
        const centre = all.getCenter(new Vector3());
        // across the longer side, half turned: so that depth is seen too
        const azimuth = (size.x >= size.y ? -Math.PI / 2 : Math.PI) - 0.45;
        const elevation = 0.28;
        const eye = new Vector3(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation));
        const right = new Vector3(-Math.sin(azimuth), Math.cos(azimuth), 0);
        const up = eye.clone().cross(right);
        const tangent = Math.tan(OUTSIDE_FIELD / 2) * 0.86;
        let distance = 2;
        for (const x of [all.min.x, all.max.x]) for (const y of [all.min.y, all.max.y]) for (const z of [all.min.z, all.max.z]) {
            const corner = new Vector3(x, y, z).sub(centre);
            const near = corner.dot(eye);
            distance = Math.max(distance, near + Math.abs(corner.dot(right)) / (tangent * wide), near + Math.abs(corner.dot(up)) / (tangent * high));
        }
        const camera = centre.clone().addScaledVector(eye, Math.min(distance, FARTHEST));
        this.place({ camera: camera.toArray(), target: centre.toArray() }, centre, Math.min(distance, FARTHEST) / 1.6);
    }

    /** What the free camera stands before has moved on: it goes along. */
    carry(way: Vector3): void {
        this.freeTarget.add(way);
        this.sceneView?.camera.add(way);
        this.sceneView?.target.add(way);
    }

    /** From above the whole of an area is to be seen, and its edges beside the instruments; null: the view follows the vehicle. */
    setPlan(area: Box3 | null): void {
        this.plan = area;
    }

    /** m above the area's middle from which it fills the part of the picture that is free of instruments. */
    private planDistance(area: Box3, aspect: number): number {
        const size = area.getSize(new Vector3());
        const tangent = 2 * Math.tan(PLAN_FIELD / 2);
        return Math.min(Math.max(size.x / (PLAN_HIGH * tangent), size.y / (PLAN_WIDE * tangent * aspect)), FARTHEST);
    }

    /** What is seen is a plan. */
    get planned(): boolean {
        return this.kind === "top" && this.plan !== null;
    }

    private setOrbit(orbit: Orbit, offset: Vector3): void {
        orbit.distance = Math.max(offset.length(), NARROWEST);
        orbit.azimuth = Math.atan2(offset.y, offset.x);
        orbit.elevation = Math.asin(clamp(offset.z / orbit.distance, -1, 1));
    }

    choose(kind: ViewKind, subject: Subject | null): void {
        if (kind === this.kind) return;
        // The free and the fixed camera begin beside the vehicle and stay there while it moves on.
        if (kind === "free" && subject && !this.moved) {
            this.freeTarget.copy(subject.position);
            this.setOrbit(this.orbits.free, this.beside(subject, this.homes().free).sub(subject.position));
        }
        if (kind === "fixed" && subject) this.fixedEye.copy(this.kind === "free" && this.moved ? this.camera.position : this.beside(subject, this.homes().fixed));
        this.kind = kind;
        this.snap = true;
    }

    reset(subject: Subject | null): void {
        const kind = this.kind;
        if (kind === "pilot") return;
        this.moved = false;
        this.snap = true;
        if (kind === "fixed" && subject) this.fixedEye.copy(this.beside(subject, this.homes().fixed));
        if (kind === "free" && !subject && this.sceneView) {
            this.freeTarget.copy(this.sceneView.target);
            this.setOrbit(this.orbits.free, this.sceneView.camera.clone().sub(this.sceneView.target));
            return;
        }
        if (kind === "free" && subject) this.freeTarget.copy(subject.position);
        Object.assign(this.orbits[kind], this.homes()[kind]);
    }

    /** An eye at this place of an orbit, nearer where something stands in the way. */
    private beside(subject: Subject, { azimuth, elevation, distance }: Orbit): Vector3 {
        const flat = Math.cos(elevation);
        const direction = new Vector3(flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(elevation));
        return subject.position.clone().addScaledVector(direction, this.clear(subject.position, direction, distance));
    }

    private clear(target: Vector3, direction: Vector3, distance: number): number {
        const far = this.sight(target, direction, distance + CLEARANCE);
        return far < distance + CLEARANCE ? Math.max(far - CLEARANCE, 2 * NARROWEST) : distance;
    }

    /** Turns by these shares of the picture's height. */
    drag(dx: number, dy: number): void {
        if (this.kind === "pilot" || this.kind === "fixed") return;
        const orbit = this.orbits[this.kind];
        this.moved = this.moved || this.kind === "free";
        orbit.azimuth -= 3 * dx;
        orbit.elevation = clamp(orbit.elevation + 3 * dy, -1.55, 1.55);
    }

    /** Moves the free camera's target sideways by these shares of the picture's height. */
    pan(dx: number, dy: number): void {
        if (this.kind !== "free") return;
        this.moved = true;
        const scale = this.orbits.free.distance;
        const right = new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion);
        const up = new Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion);
        this.freeTarget.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    }

    zoom(factor: number): void {
        if (this.kind === "pilot") return;
        const orbit = this.orbits[this.kind];
        this.moved = this.moved || this.kind === "free";
        orbit.distance = clamp(orbit.distance * factor, NARROWEST, FARTHEST);
    }

    /** m from the free camera to what it turns about. */
    get freeDistance(): number {
        return this.orbits.free.distance;
    }

    update(subject: Subject | null, aspect: number, dt: number): void {
        const camera = this.camera;
        camera.aspect = aspect;
        let field = OUTSIDE_FIELD;
        if (this.kind === "pilot" && subject?.frame && subject.camera) {
            field = this.placePilot(subject, subject.frame, subject.camera, aspect);
        } else if (this.kind === "fixed" && subject) {
            camera.position.copy(this.fixedEye);
            camera.lookAt(this.follow(subject, dt));
        } else {
            this.placeOrbit(subject, dt);
            if (this.planned) field = PLAN_FIELD;
        }
        camera.fov = (field * 180) / Math.PI;
        // From above nothing may hide the vehicle: what is more than HEADROOM over it (a pier's deck, the boat) is cut away.
        camera.near = this.kind === "top" && subject && !this.open ? Math.max(camera.position.z - subject.position.z - HEADROOM, NEAR) : NEAR;
        if (this.shift > 0 || this.lift > 0) camera.setViewOffset(aspect, 1, this.shift, this.lift, aspect, 1);
        else camera.clearViewOffset();
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
        this.snap = false;
    }

    /** Nothing to look at yet: a slow look round under the surface. */
    idle(now: number, aspect: number): void {
        const camera = this.camera;
        camera.aspect = aspect;
        camera.fov = 62;
        camera.near = NEAR;
        camera.position.set(0, 0, -4.5);
        const turn = this.steady ? 0.6 : 0.6 + 0.25 * Math.sin(now * 0.05);
        camera.lookAt(Math.cos(turn), Math.sin(turn), -4.5 + 0.42);
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
    }

    private placePilot(subject: Subject, frame: VehicleFrame, entry: CameraEntry, aspect: number): number {
        const { camera } = this;
        camera.position.fromArray(entry.position).applyQuaternion(subject.attitude).add(subject.position);
        // Positive tilt is up: a negative turn about y, which points to port.
        const tilt = this.tilt.setFromAxisAngle(PORT, -frame.tilt);
        camera.quaternion.copy(subject.attitude).multiply(quaternionOf(entry.attitude)).multiply(tilt).multiply(LOOK_FORWARD);
        return verticalField(entry.hfov_deg, frame.zoom, aspect);
    }

    private follow(subject: Subject, dt: number): Vector3 {
        const share = this.snap || this.steady ? 1 : lagShare(dt, 0.12);
        return this.smoothTarget.lerp(subject.position, share);
    }

    private placeOrbit(subject: Subject | null, dt: number): void {
        const kind = this.kind === "pilot" || this.kind === "fixed" ? "free" : this.kind;
        const orbit = this.orbits[kind];
        const plan = kind === "top" ? this.plan : null;
        if (plan && this.snap) orbit.distance = this.planDistance(plan, this.camera.aspect);
        const target = plan ? plan.getCenter(new Vector3()) : kind === "free" || !subject ? this.freeTarget : this.follow(subject, dt);
        let azimuth = orbit.azimuth;
        if (kind === "chase" && subject) azimuth += this.followHeading(subject, dt);
        const flat = Math.cos(orbit.elevation);
        const direction = new Vector3(flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(orbit.elevation));
        // Views that follow come nearer rather than look at a wall.
        const follows = subject !== null && (kind === "chase" || kind === "side");
        const distance = follows ? this.clear(target, direction, orbit.distance) : orbit.distance;
        this.camera.position.copy(target).addScaledVector(direction, distance);
        const bottom = this.ground(this.camera.position.x, this.camera.position.y) + 0.5 * CLEARANCE;
        if (this.camera.position.z < bottom) this.camera.position.z = bottom;
        this.camera.lookAt(target);
    }

    private followHeading(subject: Subject, dt: number): number {
        const ahead = new Vector3(1, 0, 0).applyQuaternion(subject.attitude);
        const heading = Math.atan2(ahead.y, ahead.x);
        const off = Math.atan2(Math.sin(heading - this.smoothHeading), Math.cos(heading - this.smoothHeading));
        this.smoothHeading += (this.snap || this.steady ? 1 : lagShare(dt, 0.35)) * off;
        return this.smoothHeading;
    }
}

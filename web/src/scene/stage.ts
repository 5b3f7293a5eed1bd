// The three-dimensional picture: builds it from a scene description, moves it with the frames, draws it.

import { BufferGeometry, Group, InstancedMesh, Material, Mesh, Object3D, Points, Raycaster, Scene, Vector3, WebGLRenderer, Box3 } from "three";
import { clamp, lagShare } from "../math/numbers";
import { waveHeight } from "../math/waves";
import type { Frame, VehicleFrame } from "../net/frame";
import type { SceneMessage } from "../net/messages";
import type { Instant } from "../net/playout";
import { makeAxes } from "./axes";
import { makeBackdrop } from "./backdrop";
import { Bodies } from "./bodies";
import { CableModel } from "./cable";
import { ContactArrows } from "./contacts";
import { Decor } from "./decor";
import { reachOf } from "./detail";
import { Growth } from "./growth";
import { complain, Library } from "./library";
import { daylight, exposure, waterOptics, whiteBalance, type WaterOptics } from "./optics";
import { QUALITY_LEVELS, QualityController, startLevel, type QualityLevel } from "./quality";
import { MAX_WAVES } from "./glsl";
import { Shading } from "./shading";
import { SHADE_LAYER, SunShade } from "./shadows";
import { Shafts } from "./shafts";
import { Snow } from "./snow";
import { Stirred } from "./stirred";
import { Surface } from "./surface";
import { DraftMarks } from "./draft_marks";
import { ForecastLines } from "./forecast_lines";
import { extentOf, GhostOutline } from "./ghost";
import { Markers } from "./markers";
import { Plan, planArea } from "./plan";
import { makePoolDeck, makeTerrain, type Terrain } from "./terrain";
import { TwinLine } from "./twin_line";
import { lightScene, VehicleModel } from "./vehicle";
import { Views, type Subject } from "./views";

export interface StageOptions {
    overlay: boolean;
    axes: boolean;
    contacts: boolean;
}

/** What this browser's graphics call themselves; null where there is no WebGL 2. */
export function graphicsName(): string | null {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return null;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return name;
}

const CLEAR_VIEW = 30; // m, where a scene says nothing about visibility

const LIT_DEPTH = 10; // m
/** how far the camera's meter looks, m, and how much of the picture it takes the lit part for */
const METER_REACH = 12;
const METER_WEIGHT = 0.3;
/** Where nobody flies one wants to see what hangs in the water: it takes this part of the light, and is as bright itself as ever. */
const THINNED = 0.35;
const thin = (c: WaterOptics["beam"]): WaterOptics["beam"] => c.map((k) => THINNED * k) as WaterOptics["beam"];
const WIDE_LINES = 1.8; // times the least width of a cable, there
const PLAN_LINES = 3.2; // likewise, on plans: and there of the page's pixels, however coarse the picture is
const UNKNOWN_DEPTH = 200; // m, of water whose bottom is not told

/** Of the places of all that is there now. */
function middleOf(poses: Float32Array): Vector3 {
    const middle = new Vector3();
    let count = 0;
    for (let at = 0; at + 7 <= poses.length; at += 7) {
        if (!Number.isFinite(poses[at]! + poses[at + 1]! + poses[at + 2]!)) continue;
        middle.add(new Vector3().fromArray(poses, at));
        ++count;
    }
    return middle.divideScalar(Math.max(count, 1));
}

export class Stage {
    readonly views = new Views();
    readonly quality: QualityController;
    readonly markers = new Markers();
    readonly forecast = new ForecastLines();
    readonly ghost = new GhostOutline();
    readonly twin = new TwinLine();
    /** the tether as the pilot sketched it */
    readonly sketched = new TwinLine("#ffd34d", 0.15, 0.12);
    /** of a lesson that is being written */
    readonly draft = new DraftMarks();
    /** a scene is being written: it comes again and again */
    writing = false;
    /** models from files; until they have come things are drawn as the shapes that they collide as */
    readonly library = new Library();
    /** of a lesson that is seen from above */
    plan: Plan | null = null;
    readonly options: StageOptions = { overlay: true, axes: false, contacts: false };
    fixedQuality: number | null = null;
    /** CSS pixels at the right and below that something covers: what is looked at stands in the middle of the rest */
    covered = 0;
    coveredBelow = 0;
    scene: SceneMessage | null = null;
    /** when models have come */
    readonly modelled: Promise<void>;

    private readonly renderer: WebGLRenderer;
    private readonly shading = new Shading();
    private readonly root = new Scene();
    private readonly surface: Surface;
    private readonly snow: Snow;
    private readonly stirred: Stirred;
    private readonly shafts: Shafts;
    private readonly shade: SunShade;
    private readonly arrows: ContactArrows;
    private readonly worldAxes = makeAxes(2, ["x N", "y W", "z up"]);
    private readonly bodyAxes = makeAxes(0.6, ["x", "y", "z"]);
    private content = new Group();
    private bodies: Bodies | null = null;
    private vehicles: VehicleModel[] = [];
    private cables: CableModel[] = [];
    private terrain: Terrain | null = null;
    private readonly ray = new Raycaster();
    private decor: Decor | null = null;
    private growth: Growth | null = null;
    private optics: WaterOptics = waterOptics(14);
    private visibility = 14;
    /** of the scene, until somebody changes it */
    ownVisibility = 14;
    private seenFar = false;
    /** m from the eye to the vehicle and the vehicle's depth, in steps: what light from outside is made for */
    private lookedFar = 0;
    private lookedDeep = 0;
    private exposureNow = 0;
    private placed = false;
    /** the middle of what moves, as far as the free camera has gone along with it; null: it stays */
    private anchor: Vector3 | null = null;
    private metered = 0;
    private meterClock = 0;
    private drawn = 0;
    private readonly idleWater = new Float32Array([0.05, 0.02, 0]);

    constructor(private readonly canvas: HTMLCanvasElement, graphics: string) {
        const start = startLevel(graphics);
        this.quality = new QualityController(start);
        this.renderer = new WebGLRenderer({ canvas, antialias: start < 4, powerPreference: "high-performance", stencil: false, alpha: false });
        this.renderer.autoClear = true;
        this.renderer.info.autoReset = false; // counts all passes of a picture
        this.surface = new Surface(this.shading);
        this.snow = new Snow(this.shading);
        this.stirred = new Stirred(this.shading);
        this.shafts = new Shafts(this.shading);
        this.shade = new SunShade(this.shading);
        this.arrows = new ContactArrows();
        this.root.add(makeBackdrop(this.shading), this.surface.mesh, this.snow.points, this.stirred.points, this.shafts.mesh, this.arrows.mesh, this.worldAxes, this.bodyAxes, this.markers.group, this.draft.group, this.forecast.group, this.ghost.group, this.twin.group, this.sketched.group, this.content);
        this.worldAxes.visible = this.bodyAxes.visible = false;
        this.views.sight = (from, direction, most) => this.sight(from, direction, most);
        this.views.ground = (x, y) => this.terrain?.height(x, y) ?? Number.NaN;
        this.applyQuality();
        this.clearScene();
        this.modelled = this.library.load().catch((error: Error) => complain(`There are no models: ${error.message}`)).then(() => {
            if (this.scene) this.build(this.scene);
        });
    }

    /** Of the last picture, its shade included. */
    get drawCalls(): number { return this.renderer.info.render.calls; }
    get triangles(): number { return this.renderer.info.render.triangles; }
    /** What the graphics hold now. */
    get held(): { geometries: number; textures: number; programs: number } {
        const { memory, programs } = this.renderer.info;
        return { geometries: memory.geometries, textures: memory.textures, programs: programs?.length ?? 0 };
    }
    /** Drawn by a processor without graphics, or close to it. */
    get lowly(): boolean { return this.level.detail < 2; }

    setScene(scene: SceneMessage): void {
        // A revision of the same scene (a parted tether, say) leaves the camera where it is.
        const sameWorld = this.scene !== null && scene.revision > this.scene.revision && scene.session === this.scene.session;
        this.build(scene);
        if (!sameWorld) {
            // who writes a scene looks from where it was looked from before it was saved
            this.placed = this.writing && this.placed;
            this.exposureNow = 0;
        }
    }

    private build(scene: SceneMessage): void {
        this.scene = scene;
        this.root.remove(this.content);
        disposeTree(this.content);
        this.content = new Group();
        this.root.add(this.content);

        this.markers.setObjectives(scene.session === "flight" ? scene.lesson?.objectives ?? [] : []);
        this.plan = scene.session === "flight" && scene.lesson?.view === "plan" ? new Plan(scene, planArea(scene)) : null;
        this.views.setPlan(this.plan?.area ?? null);
        if (this.plan) this.content.add(this.plan.group);
        const environment = scene.environment;
        this.ownVisibility = environment.visibility ?? scene.options?.visibility ?? CLEAR_VIEW;
        this.setVisibility(null);
        const u = this.shading.uniforms;
        u.uWet.value = environment.water ? 1 : 0;
        u.uSurface.value = environment.water?.surface ?? 0;
        this.surface.setWaves(environment.waves?.components ?? []);

        this.views.suit(extentOf(scene.bodies.find(({ vehicle }) => vehicle === 0)?.shapes ?? []).size.length());
        const drawn = new Set<number>();
        this.vehicles = scene.vehicles.map((entry) => {
            const model = new VehicleModel(entry, scene.meshes ?? [], this.library, this.shading);
            if (model.hull) drawn.add(entry.body);
            model.group.traverse((object) => {
                if (object instanceof Mesh && !(object.material as Material).transparent) object.layers.enable(SHADE_LAYER);
            });
            this.content.add(model.group);
            return model;
        });
        this.bodies = new Bodies(scene, drawn, this.library, this.shading);
        this.content.add(this.bodies.group);
        this.cables = scene.cables.map((entry) => new CableModel(entry, this.shading));
        for (const cable of this.cables) this.content.add(cable.group);
        // Where walls are tiled, the bottom is.
        const tiled = scene.bodies.some((body) => body.shapes.some((shape) => shape.material === "tile"));
        const seabed = environment.seabed && { ...environment.seabed, material: tiled ? "tile" : environment.seabed.material ?? "sand" };
        this.terrain = seabed ? makeTerrain(seabed, scene.meshes ?? [], this.shading) : null;
        if (this.terrain) {
            this.terrain.mesh.renderOrder = 1;
            this.content.add(this.terrain.mesh);
        }
        const deck = tiled ? makePoolDeck(scene, this.shading) : null;
        if (deck) this.content.add(deck);
        this.views.open = deck !== null;
        this.stirred.clear();
        this.growth = null;
        if (environment.water) {
            this.growth = new Growth(this.bodies.grown, this.shading, environment.water.surface);
            this.growth.setWanted(this.level.detail > 1);
            this.content.add(this.growth.clumps, this.growth.tufts);
        }
        this.decor = null;
        if (this.terrain && seabed?.kind === "plane" && seabed.material === "sand" && environment.water) {
            this.decor = new Decor(this.shading, this.terrain.height);
            this.decor.setShare(this.level.detail > 1 ? 1 : 0.3);
            this.content.add(this.decor.pebbles, this.decor.tufts);
        }
        this.applyDetail();
    }

    /** More of it, or less where little time is left. */
    private applyDetail(): void {
        const fine = this.level.detail > 1;
        this.bodies?.setFine(fine);
        for (const { hull } of this.vehicles) hull?.levels?.setFine(fine);
    }

    /** No scene: water, seen from a little below the surface. */
    clearScene(): void {
        this.scene = null;
        this.root.remove(this.content);
        disposeTree(this.content);
        this.content = new Group();
        this.root.add(this.content);
        this.markers.setObjectives([]);
        this.views.setPlan(null);
        this.plan = null;
        this.vehicles = [];
        this.cables = [];
        this.bodies = this.terrain = this.decor = this.growth = null;
        this.setVisibility(22);
        const u = this.shading.uniforms;
        u.uWet.value = 1;
        u.uSurface.value = 0;
        this.surface.setWaves([[0.12, 1.3, 0.172, 0.4, 0], [0.07, 1.9, 0.368, -0.5, 1], [0.04, 2.7, 0.743, 1.1, 2], [0.02, 3.9, 1.55, -1.2, 4]]);
        this.exposureNow = 0;
    }

    /** What was drawn last, so many pixels across; to be asked for in the same turn of the browser as it was drawn. */
    picture(width: number): string {
        const { canvas } = this;
        const small = document.createElement("canvas");
        small.width = width;
        small.height = Math.round((width * canvas.height) / Math.max(canvas.width, 1));
        small.getContext("2d")!.drawImage(canvas, 0, 0, small.width, small.height);
        return small.toDataURL("image/jpeg", 0.85);
    }

    /** m; null: as the scene has it. The pilot may change it while flying, physics does not care. */
    setVisibility(visibility: number | null): void {
        this.visibility = visibility ?? this.ownVisibility;
        this.applyOptics();
    }

    /**
     * From outside one is to see what happens, however far off the eye and however deep: there the water is clearer than before the
     * pilot's camera, and what is looked at gets the light of LIT_DEPTH.
     */
    private applyOptics(): void {
        const outside = this.views.kind !== "pilot";
        this.seenFar = outside;
        this.optics = waterOptics(outside ? Math.max(1.6 * this.visibility, 16, 3 * this.lookedFar) : this.visibility);
        const flown = this.scene !== null && this.scene.vehicles.length > 0;
        if (this.scene && !flown) {
            const { beam, scatter } = this.optics;
            this.optics = { ...this.optics, beam: thin(beam), scatter: thin(scatter) };
        }
        if (outside && this.scene) {
            const bottom = this.scene.environment.seabed;
            const depth = flown ? this.lookedDeep : bottom?.kind === "plane" ? bottom.depth : UNKNOWN_DEPTH;
            const share = Math.min(1, LIT_DEPTH / Math.max(depth, 1));
            this.optics = { ...this.optics, diffuse: this.optics.diffuse.map((k) => k * share) as WaterOptics["diffuse"] };
        }
        const u = this.shading.uniforms;
        u.uBeam.value.fromArray(this.optics.beam);
        u.uDiffuse.value.fromArray(this.optics.diffuse);
        u.uScatter.value.fromArray(this.optics.scatter);
    }

    /** How far one sees before a body stands in the way. */
    private sight(from: Vector3, direction: Vector3, most: number): number {
        if (!this.bodies) return most;
        this.ray.set(from, direction);
        this.ray.far = most;
        return this.ray.intersectObject(this.bodies.group, true)[0]?.distance ?? most;
    }

    /** Who the views follow: the first vehicle, or nobody. */
    subject(frame: VehicleFrame | null): Subject | null {
        const model = this.vehicles[0];
        return model ? { position: model.group.position, attitude: model.group.quaternion, frame, camera: model.entry.camera } : null;
    }

    /** Draws an instant; without one, water. `now` s of the page's clock. */
    render(instant: Instant | null, now: number, dt: number): void {
        if (this.fixedQuality === null && this.quality.frame(dt)) this.applyQuality();
        this.resize();
        const height = Math.max(this.canvas.clientHeight, 1);
        const aspect = Math.max(this.canvas.clientWidth, 1) / height;
        const frame = instant?.after.vehicles[0] ?? null;
        const time = instant ? instant.time : now;
        if (instant && this.scene) this.move(instant, dt);

        const subject = this.subject(frame);
        const away = subject ? this.views.camera.position.distanceTo(subject.position) : this.views.freeDistance;
        const far = 2 * Math.round(away / 2);
        const deep = subject ? Math.round(this.shading.uniforms.uSurface.value - subject.position.z) : 0;
        if (this.seenFar !== (this.views.kind !== "pilot") || (this.seenFar && (far !== this.lookedFar || deep !== this.lookedDeep))) {
            [this.lookedFar, this.lookedDeep] = [far, deep];
            this.applyOptics();
        }
        this.views.shift = this.covered / 2 / height;
        this.views.lift = this.coveredBelow / 2 / height;
        if (this.scene) this.views.update(subject, aspect, dt);
        else this.views.idle(now, aspect);
        const eye = this.views.camera.position;
        this.markers.look(eye);
        this.light(eye, frame, time, dt);
        this.surface.update(time, eye.x, eye.y, eye.z - this.shading.uniforms.uSurface.value);
        this.decor?.update(eye.x, eye.y);
        this.growth?.update(eye);
        const pixelHeight = height * this.renderer.getPixelRatio();
        const tangent = Math.tan((this.views.camera.fov * Math.PI) / 360);
        const dived = this.shading.uniforms.uWet.value > 0 && eye.z < this.shading.uniforms.uSurface.value;
        const sharp = height * Math.min(this.level.ratio, window.devicePixelRatio);
        const reach = reachOf(sharp / 2 / tangent, dived ? this.optics.beam : null);
        this.bodies?.setEye(eye, reach);
        for (const { hull } of this.vehicles) hull?.levels?.setEye(eye, reach);
        this.snow.points.visible = dived && this.level.snow > 0;
        const paused = instant ? instant.time === instant.before.time && instant.before === instant.after : false;
        this.snow.update(frame?.water ?? this.idleWater, paused ? 0 : dt, pixelHeight / 2 / tangent);
        const surface = this.shading.uniforms.uSurface.value;
        this.shafts.update(surface - eye.z, this.level.detail > 1 && this.shading.uniforms.uWet.value > 0);
        if (instant && subject && this.scene?.environment.water) {
            const ground = this.terrain?.height(subject.position.x, subject.position.y) ?? Number.NaN;
            this.stirred.update(this.vehicles[0]!.entry.thrusters, instant.after.thrusters[0], subject.position, subject.attitude, ground, surface, time, paused ? 0 : dt, pixelHeight / 2 / tangent);
        }
        if (instant && this.scene) this.moveCables(instant, (2 * tangent) / pixelHeight, pixelHeight / height);
        this.plan?.update(subject, this.views.planned, eye, (2 * tangent) / height);
        this.worldAxes.visible = this.options.axes;
        this.bodyAxes.visible = this.options.axes && subject !== null && this.views.kind !== "pilot";
        if (subject && this.bodyAxes.visible) {
            this.bodyAxes.position.copy(subject.position);
            this.bodyAxes.quaternion.copy(subject.attitude);
        }

        this.renderer.info.reset();
        const shadows = this.level.shadows && this.terrain !== null;
        if (shadows && this.drawn % 2 === 0) this.shade.render(this.renderer, this.root, subject?.position ?? eye);
        this.renderer.render(this.root, this.views.camera);
        ++this.drawn;
    }

    private get level(): QualityLevel {
        return QUALITY_LEVELS[this.fixedQuality ?? this.quality.index]!;
    }

    applyQuality(): void {
        const level = this.level;
        this.renderer.setPixelRatio(Math.min(level.ratio, Math.max(window.devicePixelRatio, level.ratio > 1 ? 1 : level.ratio)));
        this.snow.setCount(level.snow);
        this.stirred.setEnabled(level.ratio > 0.3);
        this.growth?.setWanted(level.detail > 1);
        const u = this.shading.uniforms;
        u.uGlowSteps.value = level.glow;
        const variant: Record<string, number> = {};
        if (level.detail < 2) variant["LOW"] = 1;
        if (level.caustics) variant["CAUSTICS"] = 1;
        if (level.shadows) variant["SHADOWS"] = 1;
        this.shading.setVariant(variant);
        this.surface.setLimit(level.detail > 1 ? MAX_WAVES : 10);
        this.decor?.setShare(level.detail > 1 ? 1 : 0.3);
        this.applyDetail();
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.canvas;
        const ratio = this.renderer.getPixelRatio();
        if (this.canvas.width !== Math.floor(clientWidth * ratio) || this.canvas.height !== Math.floor(clientHeight * ratio)) {
            this.renderer.setSize(clientWidth, clientHeight, false);
        }
    }

    private move(instant: Instant, dt: number): void {
        const { before, after, share } = instant;
        this.bodies?.update(before.poses, after.poses, share);
        for (let i = 0; i < this.vehicles.length; ++i) {
            const model = this.vehicles[i]!;
            const old = before.vehicles[i];
            const now = after.vehicles[i];
            if (!old || !now) continue;
            this.bodies?.pose(old.pose, now.pose, share, 0, model.group.position, model.group.quaternion);
            model.update(now, after.thrusters[i], dt, this.views.camera.position);
        }
        this.arrows.mesh.visible = this.options.contacts;
        if (this.options.contacts) this.arrows.update(after.contacts);
        if (!this.placed) this.placeViews(after);
        this.followDrift(after);
    }

    /** Where nobody flies, what was framed stays in the picture: the camera goes along with its middle, but not with each of its swings. */
    private followDrift(frame: Frame): void {
        if (!this.anchor || this.views.kind !== "free") return;
        const way = middleOf(frame.poses).sub(this.anchor);
        const slack = 0.12 * this.views.freeDistance;
        const far = way.length();
        if (!(far > slack)) return;
        way.multiplyScalar(1 - slack / far);
        this.anchor.add(way);
        this.views.carry(way);
    }

    /** Frames the scene anew, with the next frame. */
    placeAgain(): void {
        this.placed = false;
    }

    private placeViews(frame: Frame): void {
        const box = new Box3();
        const p = new Vector3();
        // nodes that are not there now are no numbers
        const add = (values: Float32Array, at: number): void => {
            if (Number.isFinite(values[at]! + values[at + 1]! + values[at + 2]!)) box.expandByPoint(p.fromArray(values, at));
        };
        for (let at = 0; at + 7 <= frame.poses.length; at += 7) add(frame.poses, at);
        for (const cable of frame.cables) {
            if (!cable) continue;
            for (let i = 0; i < cable.count; ++i) add(cable.nodes, 3 * i);
        }
        // all of what moves, not only its origins
        const part = new Box3();
        for (const group of this.bodies?.moving ?? []) if (group?.visible && !part.setFromObject(group).isEmpty()) box.union(part);
        if (box.isEmpty() && this.bodies) box.setFromObject(this.bodies.group);
        this.addFloor(box);
        const vehicle = frame.vehicles[0];
        if (!vehicle && !this.scene?.view && !box.isEmpty()) {
            const height = Math.max(this.canvas.clientHeight, 1);
            this.views.frame(box, this.still(), Math.max(this.canvas.clientWidth - this.covered, 1) / height, Math.max(height - this.coveredBelow, 1) / height);
            this.anchor = frame.poses.length >= 7 ? middleOf(frame.poses) : null;
            this.placed = true;
            return;
        }
        this.anchor = null;
        const around = vehicle ? new Vector3().fromArray(vehicle.position) : box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
        const size = vehicle ? 3 : clamp(box.isEmpty() ? 8 : box.getSize(new Vector3()).length(), 4, 150);
        this.views.place(this.scene?.view, around, size);
        this.placed = true;
    }

    /** What stands and is not much larger than what moves: the ground of a crane, not a whole quay. */
    private still(): Box3 {
        const box = new Box3();
        if (this.bodies) box.setFromObject(this.bodies.group);
        return box;
    }

    /** Where there is neither water nor ground: a floor below all, so that one sees where down is and how large things are. */
    private addFloor(moving: Box3): void {
        if (this.terrain || this.scene?.environment.water) return;
        const all = moving.clone().union(this.still());
        const height = (all.isEmpty() ? 0 : all.min.z) - 0.01;
        const floor = makeTerrain({ kind: "plane", depth: -height, material: "floor" }, [], this.shading);
        if (floor) this.content.add(floor.mesh);
    }

    private moveCables(instant: Instant, pixel: number, ratio: number): void {
        const wide = this.views.planned ? Math.max(PLAN_LINES * ratio, 1) : this.vehicles.length > 0 ? 1 : WIDE_LINES;
        this.cables.forEach((model, i) => {
            const [before, after] = [instant.before.cables[i], instant.after.cables[i]];
            model.group.visible = after !== undefined;
            if (after) model.update(before ?? after, after, instant.share, this.options.overlay, wide * pixel, ratio, this.views.planned);
        });
    }

    private light(eye: Vector3, frame: VehicleFrame | null, time: number, dt: number): void {
        const u = this.shading.uniforms;
        u.uEye.value.copy(eye);
        u.uTime.value = time % 1000;
        // In the trough of a wave the eye may be under the mean surface and yet in the air; the mean decides, and the waves
        // near it are drawn where they are.
        const above = eye.z - u.uSurface.value;
        // From above on a vehicle under water the surface is left out, and the picture is exposed for where the vehicle is.
        const through = this.views.kind === "top" && above > 0 && this.lookedDeep > 0;
        const depth = u.uWet.value > 0 ? (through ? Math.min(this.lookedDeep, LIT_DEPTH) : -above) : 0;
        const wanted = depth > 0 ? exposure(this.optics, depth, this.meterLamps(eye, frame, dt)) : 1;
        this.exposureNow = this.exposureNow > 0 ? this.exposureNow + lagShare(dt, 0.6) * (wanted - this.exposureNow) : wanted;
        u.uExposure.value.fromArray(depth > 0 ? whiteBalance(this.optics, depth) : [1, 1, 1]).multiplyScalar(this.exposureNow);
        u.uEyeLight.value.fromArray(daylight(this.optics, Math.max(-above, 0))).multiply(u.uSunColor.value);
        // Under water the surface hides what is behind it; from above one looks through it.
        const material = this.surface.mesh.material as Material;
        material.transparent = depth <= 0;
        material.depthWrite = depth > 0;
        this.surface.mesh.renderOrder = depth > 0 ? 2 : 5;
        // Too deep for its light to arrive, it is not drawn.
        this.surface.mesh.visible = u.uWet.value > 0 && !through && depth * Math.min(...this.optics.beam) < (this.level.detail > 1 ? 5.5 : 3.5);
        lightScene(this.shading, this.vehicles[0] ?? null, frame, this.level.lamps);
    }

    /** The lamps' light on what stands before the pilot's camera, as the camera meters it: a few times a second. */
    private meterLamps(eye: Vector3, frame: VehicleFrame | null, dt: number): number {
        const model = this.vehicles[0];
        if (this.views.kind !== "pilot" || !model || !frame || frame.lights < 0.01) return 0;
        this.meterClock -= dt;
        if (this.meterClock <= 0) {
            this.meterClock = 0.3;
            let nearest = METER_REACH;
            for (const lower of [0, 0.35]) {
                const way = this.views.camera.getWorldDirection(new Vector3());
                way.z -= lower;
                way.normalize();
                nearest = Math.min(nearest, this.sight(eye, way, METER_REACH));
                // where the ray meets the bottom, as flat as it is below the eye
                const above = eye.z - (this.terrain?.height(eye.x, eye.y) ?? Number.NaN);
                if (way.z < 0 && above > 0) nearest = Math.min(nearest, above / -way.z);
            }
            const power = model.lamps.reduce((sum, lamp) => sum + lamp.power, 0) * frame.lights ** 1.5;
            this.metered = (METER_WEIGHT * power * Math.exp(-2 * this.optics.beam[1] * nearest)) / (0.25 + nearest * nearest);
        }
        return this.metered;
    }

    /** The drawn surface's height there, for the instruments. */
    surfaceHeight(x: number, y: number, time: number): number {
        return this.shading.uniforms.uSurface.value + waveHeight(this.surface.drawn, x, y, time);
    }
}

function disposeTree(root: Object3D): void {
    root.traverse((object) => {
        if (object instanceof Mesh || object instanceof Points) {
            (object.geometry as BufferGeometry).dispose();
            if (object instanceof InstancedMesh) object.dispose();
            for (const material of [object.material].flat()) (material as Material).dispose();
        }
    });
}

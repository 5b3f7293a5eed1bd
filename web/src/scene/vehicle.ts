// A vehicle in the picture: hull, thrusters, lamps and gripper, moved by the frames.

import { AdditiveBlending, Group, Matrix4, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, Vector3, type BufferGeometry } from "three";
import { toRadians } from "../math/angles";
import { smoothstep } from "../math/numbers";
import type { VehicleFrame } from "../net/frame";
import type { GripperEntry, LightEntry, MeshEntry, VehicleEntry } from "../net/messages";
import { cylinderAlongZ, joinGeometries, rememberLocal, vectorOf } from "./geometry";
import { MAX_LAMPS } from "./glsl";
import type { Library } from "./library";
import { makeHull, type Hull } from "./models";
import { PROPELLER_LOOK, Thruster, THRUSTER_LOOK } from "./propeller";
import type { Shading } from "./shading";

export interface Lamp {
    /** in the vehicle's frame */
    position: Vector3;
    axis: Vector3;
    halfBeam: number;
    power: number;
    tilts: boolean;
}

/** Share of surface daylight that 1500 lm give at 1 m. Far more than in nature: else lamps would only be seen by night. */
const LAMP_POWER = 2.8;

export class VehicleModel {
    readonly group = new Group();
    readonly lamps: Lamp[];
    /** null: the vehicle is drawn by its collision shapes */
    readonly hull: Hull | null;
    private readonly thrusters: Thruster[];
    private readonly halos: Mesh<PlaneGeometry, ShaderMaterial>[] = [];
    private readonly lens: ShaderMaterial | null = null;
    private readonly jaws: Group[] = [];

    constructor(readonly entry: VehicleEntry, meshes: readonly MeshEntry[], library: Library, shading: Shading) {
        this.hull = makeHull(entry, meshes, library, shading);
        if (this.hull) this.group.add(this.hull.group);
        const paint = shading.make(PROPELLER_LOOK);
        this.thrusters = entry.thrusters.map((thruster) => new Thruster(thruster, shading, paint));
        for (const thruster of this.thrusters) this.group.add(thruster.group);
        if (this.thrusters.length > 0)
            this.group.add(new Mesh(joinGeometries(this.thrusters.map(({ fixed }) => fixed)), shading.make(THRUSTER_LOOK)));
        this.lamps = entry.lights.map(makeLamp);
        if (this.lamps.length > 0) this.lens = this.addLamps(shading);
        if (entry.gripper) this.addGripper(entry.gripper, shading);
    }

    /** Gives the material of their lenses, which shine with one another. */
    private addLamps(shading: Shading): ShaderMaterial {
        const bodies: BufferGeometry[] = [];
        const glasses: BufferGeometry[] = [];
        for (const lamp of this.lamps) {
            const at = new Matrix4().compose(lamp.position, new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), lamp.axis), new Vector3(1, 1, 1));
            bodies.push(rememberLocal(cylinderAlongZ(0.018, 0.045).translate(0, 0, -0.022)).applyMatrix4(at));
            glasses.push(rememberLocal(cylinderAlongZ(0.015, 0.004).translate(0, 0, 0.002)).applyMatrix4(at));
            const halo = new Mesh(new PlaneGeometry(0.5, 0.5), haloMaterial(shading, lamp.axis));
            halo.renderOrder = 9;
            halo.position.copy(lamp.position).addScaledVector(lamp.axis, 0.01);
            this.halos.push(halo);
            this.group.add(halo);
        }
        const lens = shading.make({ color: "#fff4dc", scale: 1, emit: 0 });
        this.group.add(new Mesh(joinGeometries(bodies), shading.make({ color: "#1a1d20", scale: 0.2, gloss: 0.4 })),
            new Mesh(joinGeometries(glasses), lens));
        return lens;
    }

    private addGripper(gripper: GripperEntry, shading: Shading): void {
        const group = new Group();
        const length = Math.max(gripper.length, 0.04);
        // `position` is between the tips; the arm comes from behind.
        group.position.copy(vectorOf(gripper.position));
        group.quaternion.setFromUnitVectors(new Vector3(1, 0, 0), vectorOf(gripper.axis).normalize());
        const metal = shading.make({ color: "#343a3f", second: "#272c30", scale: 0.2, gloss: 0.3 });
        const dark = shading.make({ color: "#1c2024", scale: 0.2, gloss: 0.4 });
        const arm = rememberLocal(cylinderAlongZ(0.016, 0.16).rotateY(Math.PI / 2).translate(-length - 0.08, 0, 0));
        group.add(new Mesh(arm, dark));
        for (const side of [-1, 1]) {
            const jaw = new Group();
            jaw.position.x = -length;
            const bars: BufferGeometry[] = [];
            const bar = (from: [number, number], to: [number, number], thickness: number): void => {
                const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
                bars.push(cylinderAlongZ(thickness, Math.hypot(dx, dy), undefined, 8).rotateY(Math.PI / 2).rotateZ(Math.atan2(dy, dx))
                    .translate((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 0));
            };
            bar([0, side * 0.012], [0.5 * length, side * 0.034], 0.006);
            bar([0.5 * length, side * 0.034], [length, side * 0.006], 0.005);
            bar([0.5 * length, side * 0.034], [0.92 * length, side * 0.010], 0.008);
            jaw.add(new Mesh(joinGeometries(bars.map(rememberLocal)), metal));
            jaw.userData["side"] = side;
            this.jaws.push(jaw);
            group.add(jaw);
        }
        this.group.add(group);
        this.group.userData["gripperAngle"] = Math.atan2(gripper.opening / 2, length);
    }

    /** Pose and equipment; `thrusters` holds four numbers each as in the frame. */
    update(frame: VehicleFrame, thrusters: Float32Array | undefined, dt: number, eye: Vector3): void {
        this.thrusters.forEach((thruster, i) => thruster.update(thrusters?.[4 * i + 3] ?? 0, dt));
        const angle = frame.gripper * ((this.group.userData["gripperAngle"] as number | undefined) ?? 0);
        for (const jaw of this.jaws) jaw.rotation.z = (jaw.userData["side"] as number) * angle;
        if (this.lens) this.lens.uniforms["uEmit"]!.value = 2.5 * frame.lights;
        this.halos.forEach((halo, i) => {
            halo.visible = frame.lights > 0.01;
            if (!halo.visible) return;
            halo.material.uniforms["uPower"]!.value = frame.lights;
            const world = halo.getWorldPosition(scratch);
            const axis = scratch2.copy(this.lamps[i]!.axis).applyQuaternion(this.group.quaternion);
            halo.material.uniforms["uFacing"]!.value = Math.max(axis.dot(scratch3.copy(eye).sub(world).normalize()), 0);
        });
    }
}

const scratch = new Vector3();
const scratch2 = new Vector3();
const scratch3 = new Vector3();
const tiltTurn = new Quaternion();

function makeLamp(entry: LightEntry): Lamp {
    return {
        position: vectorOf(entry.position),
        axis: vectorOf(entry.axis).normalize(),
        halfBeam: toRadians(entry.beam_deg) / 2,
        power: (LAMP_POWER * entry.lumens) / 1500,
        tilts: entry.tilts ?? false,
    };
}

/** Puts the vehicle's lamps into the shaders: at most `count`, the rest joined into those. */
export function lightScene(shading: Shading, model: VehicleModel | null, frame: VehicleFrame | null, count: number): void {
    const u = shading.uniforms;
    const lamps = model?.lamps ?? [];
    const used = Math.min(count, lamps.length, MAX_LAMPS);
    const lit = model !== null && frame !== null && frame.lights > 0.005 && used > 0;
    u.uLampCount.value = lit ? used : 0;
    u.uGlowPower.value = 0;
    u.uGlowNear.value = 0;
    u.uLampPower.value.fill(0);
    if (!lit) return;
    // The eye takes brightness less than proportionally: so the steps feel even.
    const level = frame.lights ** 1.5;
    const glowAt = u.uGlowAt.value.set(0, 0, 0);
    const glowAxis = u.uGlowAxis.value.set(0, 0, 0);
    let half = 0;
    for (let index = 0; index < lamps.length; ++index) {
        const lamp = lamps[index]!;
        const i = index % used;
        const axis = scratch.copy(lamp.axis);
        if (lamp.tilts) axis.applyQuaternion(tiltTurn.setFromAxisAngle(scratch2.set(0, 1, 0), -frame.tilt));
        axis.applyQuaternion(model.group.quaternion);
        const at = scratch2.copy(lamp.position).applyQuaternion(model.group.quaternion).add(model.group.position);
        if (index < used) {
            u.uLampAt.value[i]!.copy(at);
            u.uLampAxis.value[i]!.copy(axis);
            u.uLampCone.value[i]!.set(Math.cos(lamp.halfBeam), Math.cos(0.55 * lamp.halfBeam));
        }
        u.uLampPower.value[i]! += lamp.power * level;
        glowAt.add(at);
        glowAxis.add(axis);
        u.uGlowPower.value += lamp.power * level;
        half = Math.max(half, lamp.halfBeam);
    }
    glowAt.divideScalar(lamps.length);
    glowAxis.normalize();
    u.uGlowCone.value.set(Math.cos(half), Math.cos(0.4 * half));
    u.uGlowNear.value = 0.006 * u.uGlowPower.value * smoothstep(1.2, 0.3, glowAt.distanceTo(u.uEye.value));
}

/** The glare of a lamp that one looks into. */
function haloMaterial(shading: Shading, axis: Vector3): ShaderMaterial {
    return new ShaderMaterial({
        uniforms: { ...shading.uniforms, uPower: { value: 0 }, uFacing: { value: 0 }, uAxis: { value: axis } },
        transparent: true,
        depthWrite: false,
        blending: AdditiveBlending,
        vertexShader: /* glsl */ `
            uniform vec3 uEye;
            uniform vec3 uBeam;
            uniform float uWet;
            varying vec2 vAt;
            varying vec3 vFade;
            void main() {
                vec4 centre = modelMatrix * vec4(0.0, 0.0, 0.0, 1.0);
                vFade = exp(-uBeam * distance(centre.xyz, uEye) * uWet);
                vAt = position.xy * 4.0;
                vec4 seen = viewMatrix * centre;
                seen.xy += position.xy;
                seen.z += 0.03;
                gl_Position = projectionMatrix * seen;
            }`,
        fragmentShader: /* glsl */ `
            precision highp float;
            uniform float uPower;
            uniform float uFacing;
            varying vec2 vAt;
            varying vec3 vFade;
            void main() {
                float d = length(vAt);
                float glare = max(0.0, 1.0 - d);
                glare = 0.35 * glare * glare + 0.9 * pow(glare, 12.0);
                gl_FragColor = vec4(vec3(1.0, 0.95, 0.85) * vFade * (glare * uPower * (0.10 + 0.9 * uFacing * uFacing)), 1.0);
            }`,
    });
}

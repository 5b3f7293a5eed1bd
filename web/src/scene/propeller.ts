// Thrusters: nozzle, motor and a propeller that turns.

import { AdditiveBlending, BufferAttribute, BufferGeometry, CircleGeometry, DoubleSide, Group, LatheGeometry, Mesh, ShaderMaterial,
    Vector2, Vector3, type Material } from "three";
import { clamp } from "../math/numbers";
import type { ThrusterEntry } from "../net/messages";
import { cylinderAlongZ, joinGeometries, rememberLocal, vectorOf } from "./geometry";
import { COMMON } from "./glsl";
import type { Look, Shading } from "./shading";

/**
 * The speed to draw. Faster than half a blade's spacing per picture a propeller seems to stand or to turn the wrong way, as
 * wheels do in films; so it turns no faster than a third of that, always in its true sense.
 */
export function visibleSpeed(speed: number, blades: number, dt: number): number {
    const most = (2 * Math.PI) / Math.max(blades, 1) / 3 / Math.max(dt, 1e-3);
    return clamp(speed, -most, most);
}

/** Blades as twisted plates about z; `hand` 1: a right-handed screw, which pushes along +z when it turns right-handed. */
function bladesGeometry(radius: number, blades: number, hand: number): BufferGeometry {
    const positions: number[] = [];
    const index: number[] = [];
    const [across, along] = [3, 5];
    for (let blade = 0; blade < blades; ++blade) {
        const start = positions.length / 3;
        for (let i = 0; i <= along; ++i) {
            const r = radius * (0.28 + (0.7 * i) / along);
            const pitch = Math.atan2(0.55 * radius, r); // a constant-pitch screw
            const chord = radius * (0.62 + 0.25 * Math.sin((Math.PI * i) / along));
            for (let j = 0; j <= across; ++j) {
                const s = chord * (j / across - 0.5);
                const angle = (2 * Math.PI * blade) / blades + (s * Math.cos(pitch)) / r;
                positions.push(r * Math.cos(angle), r * Math.sin(angle), hand * s * Math.sin(pitch));
            }
        }
        for (let i = 0; i < along; ++i) {
            for (let j = 0; j < across; ++j) {
                const a = start + i * (across + 1) + j;
                index.push(a, a + 1, a + across + 1, a + 1, a + across + 2, a + across + 1);
            }
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    return geometry.toNonIndexed();
}

function nozzleGeometry(radius: number): BufferGeometry {
    const profile = [[1.06, -0.55], [1.16, -0.5], [1.26, 0.1], [1.3, 0.5], [1.2, 0.58], [1.09, 0.4], [1.06, -0.55]]
        .map(([r, z]) => new Vector2(r! * radius, z! * radius));
    return new LatheGeometry(profile, 28).rotateX(Math.PI / 2);
}

/** A faint disc where the blades are too fast to be seen. */
function blurMaterial(shading: Shading): ShaderMaterial {
    return new ShaderMaterial({
        uniforms: { ...shading.uniforms, uShare: { value: 0 } },
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        blending: AdditiveBlending,
        vertexShader: /* glsl */ `
            varying vec3 vWorld;
            varying vec2 vAt;
            void main() {
                vec4 world = modelMatrix * vec4(position, 1.0);
                vWorld = world.xyz;
                vAt = position.xy;
                gl_Position = projectionMatrix * viewMatrix * world;
            }`,
        fragmentShader: COMMON + /* glsl */ `
            uniform float uShare;
            varying vec3 vWorld;
            varying vec2 vAt;
            void main() {
                vec3 light = daylight(vWorld.z) * fade(uBeam * wetWay(vWorld));
                gl_FragColor = vec4(light * uExposure * 0.10 * uShare, 1.0);
            }`,
    });
}

export const PROPELLER_LOOK: Look = { color: "#4b93c4", second: "#4b93c4", scale: 0.2, gloss: 0.4, doubleSided: true };
export const THRUSTER_LOOK: Look = { color: "#353c42", second: "#2a3035", scale: 0.2, gloss: 0.35, doubleSided: true };

export class Thruster {
    readonly group = new Group();
    /** what does not turn, in the vehicle's frame: the vehicle draws it with that of the others */
    readonly fixed: BufferGeometry;
    private readonly propeller = new Group();
    private readonly blur: Mesh<CircleGeometry, ShaderMaterial>;
    private readonly blades: number;

    constructor(entry: ThrusterEntry, shading: Shading, paint: Material) {
        const radius = Math.max(entry.diameter, 0.02) / 2;
        this.blades = Math.max(Math.round(entry.blades || 3), 2);
        this.group.position.copy(vectorOf(entry.position));
        this.group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), vectorOf(entry.axis).normalize());

        const motor = cylinderAlongZ(0.36 * radius, 1.5 * radius).translate(0, 0, -0.5 * radius);
        const struts = [0, 1, 2].map((i) => cylinderAlongZ(0.07 * radius, 0.85 * radius, undefined, 6).rotateX(Math.PI / 2)
            .translate(0, 0.72 * radius, -0.45 * radius).rotateZ((2 * Math.PI * i) / 3 + 0.4));
        this.group.updateMatrix();
        this.fixed = joinGeometries([nozzleGeometry(radius), motor, ...struts].map(rememberLocal)).applyMatrix4(this.group.matrix);

        const hub = cylinderAlongZ(0.3 * radius, 0.5 * radius, 0.16 * radius).translate(0, 0, 0.15 * radius);
        const turning = joinGeometries([bladesGeometry(radius, this.blades, Math.sign(entry.hand) || 1), hub].map(rememberLocal));
        this.propeller.add(new Mesh(turning, paint));
        this.group.add(this.propeller);

        this.blur = new Mesh(new CircleGeometry(0.98 * radius, 24), blurMaterial(shading));
        this.blur.position.z = 0.05 * radius;
        this.group.add(this.blur);
    }

    /** `speed` rad/s about the axis, right-handed. */
    update(speed: number, dt: number): void {
        this.propeller.rotation.z = (this.propeller.rotation.z + visibleSpeed(speed, this.blades, dt) * dt) % (2 * Math.PI);
        const share = clamp((Math.abs(speed) - 20) / 200, 0, 1);
        this.blur.visible = share > 0.02;
        this.blur.material.uniforms["uShare"]!.value = share;
    }
}

// What thrusters stir up: sediment where their jets reach the bottom, and bubbles where they draw air near the surface. A ring of
// particles that the processor places and the shader moves: each is written once, when it is born.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, NormalBlending, Points, ShaderMaterial, Vector3, type Quaternion } from "three";
import { makeRandom } from "../math/numbers";
import type { ThrusterEntry } from "../net/messages";
import { LIGHT, MAX_LAMPS } from "./glsl";
import type { Shading } from "./shading";

const MOST = 420;
/** m that a jet of full force reaches */
const REACH = 2.2;
/** s that sediment and bubbles stay */
const SILT_LIFE = 7;
const BUBBLE_LIFE = 2.5;
/** m below the surface to which a thruster draws air */
const AIR = 0.5;

/** How strongly a jet meets the bottom, 0..1: it weakens with the way, and one along the bottom hardly stirs it. */
export function stirs(effort: number, height: number, down: number): number {
    if (!(height > 0) || effort <= 0) return 0;
    // A jet opens by some 12 degrees to either side: so far down reaches one that blows along the bottom.
    const way = height / Math.max(down, 0.2);
    return way < REACH ? effort * (1 - way / REACH) : 0;
}

export class Stirred {
    readonly points: Points<BufferGeometry, ShaderMaterial>;
    private readonly random = makeRandom(31);
    private readonly born: BufferAttribute;
    private readonly start: BufferAttribute;
    private readonly motion: BufferAttribute;
    private next = 0;
    private owed = 0;
    private readonly at = new Vector3();
    private readonly jet = new Vector3();
    private enabled = true;

    constructor(shading: Shading) {
        const geometry = new BufferGeometry();
        this.start = new BufferAttribute(new Float32Array(3 * MOST), 3).setUsage(DynamicDrawUsage) as BufferAttribute;
        this.motion = new BufferAttribute(new Float32Array(3 * MOST), 3).setUsage(DynamicDrawUsage) as BufferAttribute;
        // time of birth, 1 for a bubble, size, phase
        this.born = new BufferAttribute(new Float32Array(4 * MOST).fill(-1e6), 4).setUsage(DynamicDrawUsage) as BufferAttribute;
        geometry.setAttribute("position", this.start);
        geometry.setAttribute("motion", this.motion);
        geometry.setAttribute("born", this.born);
        const material = shading.adopt(new ShaderMaterial({
            uniforms: { ...shading.uniforms, uNow: { value: 0 }, uPixels: { value: 700 } },
            transparent: true,
            depthWrite: false,
            blending: NormalBlending,
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
        }));
        this.points = new Points(geometry, material);
        this.points.frustumCulled = false;
        this.points.renderOrder = 7;
    }

    setEnabled(on: boolean): void {
        this.enabled = on;
        this.points.visible = on;
    }

    clear(): void {
        (this.born.array as Float32Array).fill(-1e6);
        this.born.needsUpdate = true;
    }

    /** `thrusters`: four numbers each as in the frame; `now` s of the world. */
    update(entries: readonly ThrusterEntry[], thrusters: Float32Array | undefined, position: Vector3, attitude: Quaternion, ground: number, surface: number, now: number, dt: number, pixels: number): void {
        const u = this.points.material.uniforms;
        // a float of the graphics counts 1e-3 s up to some hours; after a rewind nothing of the future is left
        if (now < u["uNow"]!.value) this.clear();
        u["uNow"]!.value = now;
        u["uPixels"]!.value = pixels;
        if (!this.enabled || dt <= 0) return;
        let written = false;
        entries.forEach((entry, i) => {
            const force = thrusters?.[4 * i] ?? 0;
            const effort = Math.min(Math.abs(force) / Math.max(force > 0 ? entry.forward : entry.reverse, 1), 1);
            if (effort < 0.05) return;
            this.at.fromArray(entry.position).applyQuaternion(attitude).add(position);
            // water goes the other way than the force
            this.jet.fromArray(entry.axis).applyQuaternion(attitude).multiplyScalar(-Math.sign(force));
            const strength = stirs(effort, this.at.z - ground, -this.jet.z);
            const airy = Math.max(0, 1 - (surface - this.at.z) / AIR) * (this.at.z < surface ? effort : 0);
            this.owed += dt * (26 * strength + 40 * airy);
            while (this.owed >= 1) {
                this.owed -= 1;
                written = true;
                if (this.random() < airy / (airy + strength)) this.bubble(now);
                else this.silt(ground, strength, now);
            }
        });
        if (written) for (const attribute of [this.start, this.motion, this.born]) attribute.needsUpdate = true;
    }

    private silt(ground: number, strength: number, now: number): void {
        const r = this.random;
        const way = Math.min((this.at.z - ground) / Math.max(-this.jet.z, 0.2), REACH);
        this.write(this.at.x + way * this.jet.x + 0.5 * (r() - 0.5), this.at.y + way * this.jet.y + 0.5 * (r() - 0.5), ground + 0.04,
            0.5 * this.jet.x + 0.5 * (r() - 0.5), 0.5 * this.jet.y + 0.5 * (r() - 0.5), 0.10 + 0.28 * strength * r(), now, 0, 0.22 + 0.3 * r());
    }

    private bubble(now: number): void {
        const r = this.random;
        this.write(this.at.x + 0.05 * (r() - 0.5), this.at.y + 0.05 * (r() - 0.5), this.at.z, 0.8 * this.jet.x + 0.2 * (r() - 0.5), 0.8 * this.jet.y + 0.2 * (r() - 0.5),
            0.5 * this.jet.z + 0.1, now, 1, 0.006 + 0.012 * r());
    }

    private write(x: number, y: number, z: number, vx: number, vy: number, vz: number, now: number, kind: number, size: number): void {
        const i = this.next;
        this.next = (i + 1) % MOST;
        this.start.setXYZ(i, x, y, z);
        this.motion.setXYZ(i, vx, vy, vz);
        this.born.setXYZW(i, now, kind, size, this.random());
    }
}

const VERTEX = LIGHT + /* glsl */ `
uniform float uNow;
uniform float uPixels;
attribute vec3 motion;
attribute vec4 born;
varying vec4 vColor;
varying float vKind;
void main() {
    float age = uNow - born.x;
    float life = age / (born.y > 0.5 ? ${BUBBLE_LIFE.toFixed(1)} : ${SILT_LIFE.toFixed(1)});
    vKind = born.y;
    // what is thrown slows down in a second; bubbles rise, sediment sinks back
    vec3 at = position + motion * (1.0 - exp(-1.2 * age)) / 1.2;
    if (born.y > 0.5) {
        at.z += 0.25 * age;
        at.xy += 0.03 * sin(9.0 * age + 6.28 * born.w + vec2(0.0, 1.6));
    } else {
        at.z -= 0.012 * age * age;
    }
    float shown = step(0.0, age) * step(life, 1.0) * (born.y > 0.5 ? step(at.z, uSurface) : 1.0);
    vec4 seen = viewMatrix * vec4(at, 1.0);
    gl_Position = shown > 0.0 ? projectionMatrix * seen : vec4(0.0, 0.0, 2.0, 1.0);
    float size = born.z * (born.y > 0.5 ? 1.0 : 0.5 + 1.8 * sqrt(max(life, 0.0)));
    float far = length(seen.xyz);
    gl_PointSize = clamp(size * uPixels / max(-seen.z, 0.1), 1.0, 420.0);
    vec3 light = 0.6 * daylight(at.z);
    for (int i = 0; i < ${MAX_LAMPS}; ++i) {
        if (i >= uLampCount) break;
        vec3 way = at - uLampAt[i];
        float d = length(way);
        light += 0.5 * LAMP_COLOR * fade(uBeam * d) * uLampPower[i] * spot(uLampCone[i], dot(way, uLampAxis[i]) / d) / (0.25 + d * d);
    }
    vec3 own = born.y > 0.5 ? vec3(0.9, 0.97, 1.0) : vec3(0.62, 0.52, 0.38);
    vec3 color = throughWater(own * light, at) * uExposure;
    // a cloud that one is in is not seen as a disc before the eye
    float thick = born.y > 0.5 ? 0.8 : 0.5 * smoothstep(0.0, 0.08, life) * (1.0 - life) * smoothstep(0.15, 0.8, far);
    vColor = vec4(sqrt(clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0)), thick * shown);
}
`;

const FRAGMENT = /* glsl */ `
precision mediump float;
varying vec4 vColor;
varying float vKind;
void main() {
    vec2 off = gl_PointCoord - 0.5;
    float d = 2.0 * length(off);
    if (d > 1.0) discard;
    float soft = vKind > 0.5 ? 0.35 + 0.65 * smoothstep(0.55, 0.9, d) : (1.0 - d) * (1.0 - d) * (1.0 + d);
    vec3 color = vColor.rgb + (vKind > 0.5 ? vec3(0.5) * smoothstep(0.3, 0.0, length(off - vec2(-0.15, -0.18))) : vec3(0.0));
    gl_FragColor = vec4(color, vColor.a * soft);
}
`;

// Marine snow: specks that hang in the water and drift with it. They tell the pilot that the vehicle moves, and which way
// the current goes. A box of them follows the eye; the shader wraps each speck into it.

import { AdditiveBlending, BufferAttribute, BufferGeometry, Points, ShaderMaterial, Vector3 } from "three";
import { makeRandom } from "../math/numbers";
import { LIGHT, MAX_LAMPS } from "./glsl";
import type { Shading } from "./shading";

const MOST = 2600;
const BOX = 9; // m

export class Snow {
    readonly points: Points<BufferGeometry, ShaderMaterial>;
    private readonly drift = new Vector3();

    constructor(shading: Shading) {
        const random = makeRandom(77);
        const seeds = new Float32Array(4 * MOST);
        for (let i = 0; i < 4 * MOST; ++i) seeds[i] = random();
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * MOST), 3));
        geometry.setAttribute("seed", new BufferAttribute(seeds, 4));
        const material = shading.adopt(new ShaderMaterial({
            uniforms: { ...shading.uniforms, uDrift: { value: this.drift }, uPixels: { value: 700 } },
            transparent: true,
            depthWrite: false,
            blending: AdditiveBlending,
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
        }));
        this.points = new Points(geometry, material);
        this.points.frustumCulled = false;
        this.points.renderOrder = 8;
    }

    setCount(count: number): void {
        this.points.geometry.setDrawRange(0, Math.min(count, MOST));
        this.points.visible = count > 0;
    }

    /** `pixels`: height of the picture over the tangent of half its field. */
    update(water: ArrayLike<number>, dt: number, pixels: number): void {
        for (let axis = 0; axis < 3; ++axis) {
            const moved = this.drift.getComponent(axis) + (water[axis] ?? 0) * dt - (axis === 2 ? 0.012 * dt : 0);
            this.drift.setComponent(axis, moved % BOX);
        }
        this.points.material.uniforms["uPixels"]!.value = pixels;
    }
}

const VERTEX = LIGHT + /* glsl */ `
uniform vec3 uDrift;
uniform float uPixels;
attribute vec4 seed;
varying vec3 vColor;
void main() {
    vec3 wobble = 0.05 * sin(uTime * (0.3 + seed.yzx) + 6.28 * seed.zxy);
    vec3 at = seed.xyz * ${BOX.toFixed(1)} + uDrift + wobble;
    vec3 world = uEye + mod(at - uEye, ${BOX.toFixed(1)}) - ${(BOX / 2).toFixed(2)};
    vec4 seen = viewMatrix * vec4(world, 1.0);
    float far = length(seen.xyz);
    gl_Position = projectionMatrix * seen;
    float size = 0.004 + 0.010 * seed.w * seed.w;
    gl_PointSize = clamp(size * uPixels / max(-seen.z, 0.05), 1.0, 9.0);
    vec3 light = 0.35 * daylight(world.z);
    for (int i = 0; i < ${MAX_LAMPS}; ++i) {
        if (i >= uLampCount) break;
        vec3 way = world - uLampAt[i];
        float d = length(way);
        light += LAMP_COLOR * fade(uBeam * d) * uLampPower[i] * spot(uLampCone[i], dot(way, uLampAxis[i]) / d) / (0.15 + d * d);
    }
    float shown = smoothstep(${(BOX / 2).toFixed(2)}, 1.5, far) * smoothstep(0.15, 0.5, far) * step(world.z, uSurface);
    vColor = light * fade(uBeam * far) * shown * (0.25 + 0.5 * seed.w) * uExposure * min(1.0, uScatter.g * 4.0 + 0.35);
}
`;

const FRAGMENT = /* glsl */ `
precision mediump float;
varying vec3 vColor;
void main() {
    vec2 off = gl_PointCoord - 0.5;
    float soft = smoothstep(0.25, 0.0, dot(off, off));
    gl_FragColor = vec4(sqrt(min(vColor, 1.0)) * soft * 0.8, 1.0);
}
`;

// Shafts of sunlight below the surface: slanted sheets that follow the eye, bright where waves gather the light. Only for graphics
// that have time for them, and only near the surface: deeper, light comes from all sides.

import { AdditiveBlending, BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from "three";
import { makeRandom } from "../math/numbers";
import { LIGHT } from "./glsl";
import type { Shading } from "./shading";

const COUNT = 26;
const AREA = 16; // m, across which they stand round the eye
const DEEPEST = 14; // m of the eye's depth below which there are none
const LENGTH = 14;

export class Shafts {
    readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

    constructor(shading: Shading) {
        const random = makeRandom(5);
        const corner: number[] = [];
        const seed: number[] = [];
        const index: number[] = [];
        for (let i = 0; i < COUNT; ++i) {
            const own = [random(), random(), random(), random()];
            for (const [side, down] of [[-1, 0], [1, 0], [-1, 1], [1, 1]]) {
                corner.push(side!, down!, 0);
                seed.push(...own);
            }
            index.push(4 * i, 4 * i + 2, 4 * i + 1, 4 * i + 1, 4 * i + 2, 4 * i + 3);
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(corner), 3));
        geometry.setAttribute("seed", new BufferAttribute(new Float32Array(seed), 4));
        geometry.setIndex(index);
        this.mesh = new Mesh(geometry, shading.adopt(new ShaderMaterial({
            uniforms: { ...shading.uniforms },
            transparent: true, depthWrite: false, side: DoubleSide, blending: AdditiveBlending, forceSinglePass: true,
            vertexShader: VERTEX, fragmentShader: FRAGMENT,
        })));
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 6;
        this.mesh.visible = false;
    }

    update(depth: number, wanted: boolean): void {
        this.mesh.visible = wanted && depth > 0.3 && depth < DEEPEST;
    }
}

const VERTEX = LIGHT + /* glsl */ `
attribute vec4 seed;
varying vec2 vAt;
varying vec3 vLight;
void main() {
    // each stands at its place in a square that repeats round the eye, and drifts with the waves
    vec2 home = seed.xy * ${AREA.toFixed(1)} + vec2(0.25, 0.17) * uTime * (0.3 + seed.z);
    vec2 top = uEye.xy + mod(home - uEye.xy, ${AREA.toFixed(1)}) - ${(AREA / 2).toFixed(1)};
    float down = position.y * ${LENGTH.toFixed(1)} * (0.5 + 0.5 * seed.w);
    vec3 axis = vec3(top - uSun.xy / uSun.z * down, uSurface - down);
    vec3 toEye = normalize(uEye - axis);
    vec3 across = normalize(cross(uSun, toEye)) * (0.10 + 0.28 * seed.w) * (1.0 + 0.6 * position.y);
    vec3 at = axis + position.x * across;
    vAt = position.xy;
    float far = distance(at, uEye);
    float flicker = 0.5 + 0.5 * sin(uTime * (0.5 + seed.w) + 40.0 * seed.x);
    float reach = distance(top, uEye.xy);
    float shown = flicker * flicker * smoothstep(${(AREA / 2).toFixed(1)}, 3.0, reach) * smoothstep(0.4, 1.6, far);
    vLight = daylight(at.z) * fade(uBeam * wetWay(at)) * uScatter * uExposure * (1.1 * shown / (1.0 + 0.25 * (uSurface - uEye.z)));
    gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
precision mediump float;
varying vec2 vAt;
varying vec3 vLight;
void main() {
    float across = 1.0 - vAt.x * vAt.x;
    gl_FragColor = vec4(vLight * (across * across * (1.0 - vAt.y) * smoothstep(0.0, 0.05, vAt.y)), 1.0);
}
`;

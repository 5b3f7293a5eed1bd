// Cables: a smooth curve through the nodes, drawn as a band that always faces the eye and is shaded as if it were round, so
// that a tether of 8 mm costs two triangles a sample and never falls below a pixel and a half.
//
// With the overlay the load shows twice, as colour and as pattern: plain below a fifth of the working load, chevrons up to
// two fifths, dense bars above, dots where it hangs slack; rings mark contacts.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, Mesh, Points, ShaderMaterial } from "three";
import { mix } from "../math/numbers";
import { sampleSpline } from "../math/spline";
import { nodeTouches, type CableFrame } from "../net/frame";
import type { CableEntry } from "../net/messages";
import { COMMON, MAX_LAMPS } from "./glsl";
import type { Shading } from "./shading";

const MOST_NODES = 1024;
const MOST_SAMPLES = 4096;

/** Nodes half-way between two frames. While a winch turns, nodes come and go at end a; so they are counted from end b. */
export function mixNodes(before: CableFrame, after: CableFrame, share: number, out: Float32Array): number {
    const count = Math.min(after.count, MOST_NODES);
    const shift = 3 * (before.count - after.count);
    for (let i = 0; i < 3 * count; ++i) {
        const old = before.nodes[i + shift];
        const now = after.nodes[i]!;
        out[i] = old === undefined ? now : mix(old, now, share);
    }
    return count;
}

export class CableModel {
    readonly group = new Group();
    private readonly nodes = new Float32Array(3 * MOST_NODES);
    private readonly samples = new Float32Array(3 * MOST_SAMPLES);
    private readonly geometry = new BufferGeometry();
    private readonly at: BufferAttribute;
    private readonly tangent: BufferAttribute;
    private readonly data: BufferAttribute;
    private readonly material: ShaderMaterial;
    private readonly marks: Points<BufferGeometry, ShaderMaterial>;
    private readonly markAt: BufferAttribute;
    private readonly working: number;
    private readonly ratio = { value: 1 };

    constructor(readonly entry: CableEntry, shading: Shading) {
        this.working = entry.working ?? (entry.break ?? 1e4) / 4;
        const dynamic = (size: number): BufferAttribute =>
            new BufferAttribute(new Float32Array(2 * MOST_SAMPLES * size), size).setUsage(DynamicDrawUsage) as BufferAttribute;
        this.at = dynamic(3);
        this.tangent = dynamic(3);
        this.data = dynamic(3);
        const side = new Float32Array(2 * MOST_SAMPLES);
        for (let i = 0; i < side.length; ++i) side[i] = i & 1 ? 1 : -1;
        const index = new Uint16Array(6 * (MOST_SAMPLES - 1));
        for (let i = 0; i < MOST_SAMPLES - 1; ++i) index.set([2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2], 6 * i);
        this.geometry.setAttribute("position", this.at);
        this.geometry.setAttribute("along", this.tangent);
        this.geometry.setAttribute("data", this.data);
        this.geometry.setAttribute("side", new BufferAttribute(side, 1));
        this.geometry.setIndex(new BufferAttribute(index, 1));
        this.material = shading.adopt(new ShaderMaterial({
            uniforms: {
                ...shading.uniforms,
                uColor: { value: new Color(entry.color ?? "#d8b23a") },
                uRadius: { value: Math.max(entry.diameter, 0.002) / 2 },
                uPixel: { value: 0.001 },
                uOverlay: { value: 0 },
                uEdged: { value: 0 },
            },
            side: DoubleSide,
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
        }));
        const mesh = new Mesh(this.geometry, this.material);
        mesh.frustumCulled = false;

        this.markAt = new BufferAttribute(new Float32Array(3 * MOST_NODES), 3).setUsage(DynamicDrawUsage) as BufferAttribute;
        const markGeometry = new BufferGeometry();
        markGeometry.setAttribute("position", this.markAt);
        this.marks = new Points(markGeometry, markMaterial(this.ratio));
        this.marks.frustumCulled = false;
        this.marks.renderOrder = 20;
        this.group.add(mesh, this.marks);
    }

    /**
     * `pixel`: m at 1 m distance that one pixel of the picture covers; `ratio`: of those pixels to one of the page; `edged`: with dark
     * edges, as on a chart.
     */
    update(before: CableFrame, after: CableFrame, share: number, overlay: boolean, pixel: number, ratio: number, edged = false): void {
        this.ratio.value = ratio;
        const count = mixNodes(before, after, share, this.nodes);
        const perSegment = Math.max(1, Math.min(6, Math.floor((MOST_SAMPLES - 1) / Math.max(count - 1, 1))));
        const total = sampleSpline(this.nodes, count, perSegment, this.samples);
        this.fill(after, total, perSegment);
        this.geometry.setDrawRange(0, 6 * Math.max(total - 1, 0));
        this.material.uniforms["uOverlay"]!.value = overlay ? 1 : 0;
        this.material.uniforms["uPixel"]!.value = pixel;
        this.material.uniforms["uEdged"]!.value = edged ? 1 : 0;
        this.marks.visible = overlay;
        if (overlay) this.placeMarks(after, count);
    }

    private fill(frame: CableFrame, total: number, perSegment: number): void {
        const s = this.samples;
        const [at, tangent, data] = [this.at.array, this.tangent.array, this.data.array];
        let along = 0;
        for (let i = 0; i < total; ++i) {
            const [p, before, after] = [3 * i, 3 * Math.max(i - 1, 0), 3 * Math.min(i + 1, total - 1)];
            const tx = s[after]! - s[before]!;
            const ty = s[after + 1]! - s[before + 1]!;
            const tz = s[after + 2]! - s[before + 2]!;
            if (i > 0) along += Math.hypot(s[p]! - s[before]!, s[p + 1]! - s[before + 1]!, s[p + 2]! - s[before + 2]!);
            const element = Math.min(Math.floor(i / perSegment), frame.tensions.length - 1);
            const load = (frame.tensions[element] ?? 0) / this.working;
            const touches = nodeTouches(frame, Math.round(i / perSegment)) ? 1 : 0;
            for (let side = 0; side < 2; ++side) {
                const v = 3 * (2 * i + side);
                at[v] = s[p]!; at[v + 1] = s[p + 1]!; at[v + 2] = s[p + 2]!;
                tangent[v] = tx; tangent[v + 1] = ty; tangent[v + 2] = tz;
                data[v] = along; data[v + 1] = load; data[v + 2] = touches;
            }
        }
        for (const attribute of [this.at, this.tangent, this.data]) {
            attribute.clearUpdateRanges();
            attribute.addUpdateRange(0, 6 * total);
            attribute.needsUpdate = true;
        }
    }

    private placeMarks(frame: CableFrame, count: number): void {
        let n = 0;
        for (let i = 0; i < count; ++i) {
            if (!nodeTouches(frame, i)) continue;
            this.markAt.setXYZ(n++, this.nodes[3 * i]!, this.nodes[3 * i + 1]!, this.nodes[3 * i + 2]!);
        }
        this.markAt.needsUpdate = true;
        this.marks.geometry.setDrawRange(0, n);
    }
}

/** Rings that are as large on the page whatever the picture's resolution, and hidden by what is nearer. */
function markMaterial(ratio: { value: number }): ShaderMaterial {
    return new ShaderMaterial({
        uniforms: { uRatio: ratio },
        transparent: true,
        depthWrite: false,
        vertexShader: /* glsl */ `
            uniform float uRatio;
            void main() {
                vec4 seen = viewMatrix * vec4(position, 1.0);
                // a little nearer than the thing that is touched, or half of the ring would be in it
                seen.xyz *= 1.0 - min(0.12 / max(-seen.z, 0.2), 0.3);
                gl_Position = projectionMatrix * seen;
                gl_PointSize = max(uRatio * clamp(30.0 / max(-seen.z, 0.5), 5.0, 13.0), 3.0);
            }`,
        fragmentShader: /* glsl */ `
            precision mediump float;
            void main() {
                float d = length(gl_PointCoord - 0.5) * 2.0;
                float ring = smoothstep(0.45, 0.6, d) * smoothstep(1.0, 0.85, d);
                float dark = smoothstep(0.3, 0.45, d) * smoothstep(1.0, 0.95, d);
                if (dark < 0.05) discard;
                gl_FragColor = vec4(mix(vec3(0.05, 0.03, 0.0), vec3(1.0, 0.78, 0.36), ring), dark * 0.9);
            }`,
    });
}

const VERTEX = /* glsl */ `
uniform float uRadius;
uniform float uPixel;
attribute vec3 along;
attribute vec3 data;
attribute float side;
varying vec3 vWorld;
varying vec3 vSide;
varying vec3 vToEye;
varying float vAcross;
varying vec3 vData;
varying float vWidth;
void main() {
    vec4 seen = viewMatrix * vec4(position, 1.0);
    vec3 toEye = normalize(-seen.xyz);
    vec3 across = cross(mat3(viewMatrix) * along, toEye);
    across = dot(across, across) > 1e-12 ? normalize(across) : vec3(1.0, 0.0, 0.0);
    float pixel = uPixel * length(seen.xyz);
    float width = max(uRadius, 0.75 * pixel);
    seen.xyz += side * width * across;
    mat3 back = transpose(mat3(viewMatrix));
    vWorld = position;
    vSide = back * across;
    vToEye = back * toEye;
    vAcross = side;
    vData = data;
    vWidth = width / uRadius;
    gl_Position = projectionMatrix * seen;
}
`;

const FRAGMENT = COMMON + /* glsl */ `
uniform vec3 uColor;
uniform float uOverlay;
uniform float uEdged;
varying vec3 vWorld;
varying vec3 vSide;
varying vec3 vToEye;
varying float vAcross;
varying vec3 vData;
varying float vWidth;

void main() {
    if (uEdged > 0.5 && abs(vAcross) > 0.7) {
        gl_FragColor = vec4(0.01, 0.03, 0.04, 1.0);
        return;
    }
    vec3 n = normalize(vSide * vAcross + vToEye * sqrt(max(1.0 - vAcross * vAcross, 0.0)));
    vec3 light = daylight(vWorld.z) * (0.36 + 0.16 * n.z + 0.5 * max(dot(n, uSun), 0.0));
    for (int i = 0; i < ${MAX_LAMPS}; ++i) {
        if (i >= uLampCount) break;
        vec3 way = uLampAt[i] - vWorld;
        float d = length(way);
        way /= d;
        light += LAMP_COLOR * fade(uBeam * (d * uWet)) * uLampPower[i] * spot(uLampCone[i], -dot(way, uLampAxis[i]))
            * max(dot(n, way), 0.0) / (0.25 + d * d);
    }
    vec3 color = uColor * (0.9 + 0.1 * cos(vAcross * 3.0)) * light;
    if (uOverlay < 0.5) {
        gl_FragColor = vec4(finish(throughWater(color, vWorld)), 1.0);
        return;
    }
    // The overlay is an instrument: it keeps its colour through the water, only dimmed a little with distance.
    float load = vData.y;
    vec3 tint = uColor;
    float mark = 0.0;
    // A pattern that is finer than some pixels would be dots: there its mean is drawn.
    float pixel = fwidth(vData.x);
    if (load > 0.4) {
        tint = vec3(1.0, 0.17, 0.11);
        mark = mix(step(0.5, fract(vData.x * 6.0)), 0.25, smoothstep(0.2, 0.4, 6.0 * pixel));
    } else if (load > 0.2) {
        tint = vec3(1.0, 0.50, 0.05);
        mark = mix(step(0.62, fract(vData.x * 2.5 + 0.35 * abs(vAcross))), 0.2, smoothstep(0.2, 0.4, 2.5 * pixel));
    } else if (load < 0.003) {
        tint = mix(uColor, vec3(0.55, 0.85, 1.0), 0.6);
        mark = mix(step(0.55, fract(vData.x * 2.0)), 0.2, smoothstep(0.2, 0.4, 2.0 * pixel));
    }
    float far = distance(vWorld, uEye);
    vec3 overlay = tint * mix(1.0, 0.28, mark) * (0.55 + 0.45 * max(dot(n, vToEye), 0.0)) * max(uEdged, 0.35 + 0.65 * exp(-far * 0.03));
    vec3 seen = throughWater(color, vWorld);
    gl_FragColor = vec4(finish(mix(seen, overlay / uExposure, 0.72)), 1.0);
}
`;

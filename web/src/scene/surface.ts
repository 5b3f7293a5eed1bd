// The sea surface, from both sides, with the server's waves. A grid of rings follows the camera; it is fine where the camera is.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from "three";
import { clamp } from "../math/numbers";
import { largestComponents, type WaveComponent } from "../math/waves";
import { COMMON, MAX_WAVES, WAVES } from "./glsl";
import type { Shading } from "./shading";

const SPOKES = 56;
const RINGS = 34;
const RADIUS = 260;

function ringGrid(): BufferGeometry {
    const positions: number[] = [0, 0, 0];
    const index: number[] = [];
    for (let ring = 1; ring <= RINGS; ++ring) {
        // near rings half a metre apart, far ones tens of metres
        const radius = RADIUS * ((Math.exp((4.6 * ring) / RINGS) - 1) / (Math.exp(4.6) - 1));
        for (let spoke = 0; spoke < SPOKES; ++spoke) {
            const angle = (2 * Math.PI * (spoke + (ring & 1) * 0.5)) / SPOKES;
            positions.push(radius * Math.cos(angle), radius * Math.sin(angle), 0);
        }
    }
    const at = (ring: number, spoke: number): number => (ring === 0 ? 0 : 1 + (ring - 1) * SPOKES + (spoke % SPOKES));
    for (let ring = 0; ring < RINGS; ++ring) {
        for (let spoke = 0; spoke < SPOKES; ++spoke) {
            if (ring > 0) index.push(at(ring, spoke), at(ring + 1, spoke), at(ring, spoke + 1));
            index.push(at(ring, spoke + (ring > 0 ? 1 : 0)), at(ring + 1, spoke), at(ring + 1, spoke + 1));
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setIndex(index);
    return geometry;
}

export class Surface {
    readonly mesh: Mesh;
    private components: WaveComponent[] = [];
    private all: readonly WaveComponent[] = [];
    private limit = MAX_WAVES;

    constructor(private readonly shading: Shading) {
        const material = shading.adopt(new ShaderMaterial({
            uniforms: { ...shading.uniforms },
            side: DoubleSide,
            forceSinglePass: true,
            transparent: true,
            depthWrite: false,
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
        }));
        this.mesh = new Mesh(ringGrid(), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 5;
    }

    setWaves(components: readonly WaveComponent[]): void {
        this.all = components;
        this.components = largestComponents(components, this.limit);
        this.shading.uniforms.uWaveCount.value = this.components.length;
    }

    /** How many of the waves to draw: the largest. */
    setLimit(count: number): void {
        this.limit = Math.min(count, MAX_WAVES);
        this.setWaves(this.all);
    }

    /** The waves that are drawn. */
    get drawn(): readonly WaveComponent[] {
        return this.components;
    }

    /** `x`, `y`: where the eye is; `height`: how far above the surface. The higher, the further it sees. */
    update(time: number, x: number, y: number, height: number): void {
        this.mesh.position.set(x, y, 0);
        this.mesh.scale.setScalar(clamp(height / 12, 1, 12));
        this.components.forEach(([amplitude, omega, k, direction, phase], i) => {
            // The phase is reduced here, in double precision: after an hour the shader could not tell it from noise.
            const angle = (phase - omega * time) % (2 * Math.PI);
            this.shading.uniforms.uWave.value[i]!.set(amplitude, k * Math.cos(direction), k * Math.sin(direction), angle);
        });
    }
}

const VERTEX = WAVES + /* glsl */ `
uniform float uSurface;
varying vec3 vWorld;
varying vec2 vSlope;
varying float vScale;
void main() {
    vScale = length(modelMatrix[0].xyz);
    vec3 world = (modelMatrix * vec4(position, 1.0)).xyz;
    vec3 wave = waveAt(world.xy);
    // Far away the grid is too coarse for the waves: they become a slope that only shades.
    float near = exp(-length(position.xy) * 0.02);
    world.z = uSurface + wave.x * near;
    vWorld = world;
    vSlope = wave.yz * near;
    gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}
`;

const FRAGMENT = COMMON + /* glsl */ `
varying vec3 vWorld;
varying vec2 vSlope;
varying float vScale;
void main() {
    vec3 ray = normalize(vWorld - uEye);
    float far = distance(vWorld, uEye);
    float calm = 1.0 / (1.0 + 0.03 * far + 0.001 * far * far);
    // Ripples that no wave component describes, so that a calm pool is not a mirror.
    vec2 a = texture2D(uNoise, vWorld.xy * 0.055 + vec2(0.011, 0.008) * uTime).rg;
#ifdef LOW
    vec2 b = vec2(0.5);
#else
    vec2 b = texture2D(uNoise, vWorld.xy * 0.13 - vec2(0.015, 0.010) * uTime + 0.5).gr;
#endif
    vec2 slope = vSlope + (0.34 * calm + 0.04) * (a + b - 1.0);
    vec3 n = normalize(vec3(-slope, 1.0));
    if (uEye.z < uSurface || !gl_FrontFacing) {
        // From below: within Snell's window the sky, outside it the water once more (Snell 1621; n = 1.333).
        float cosine = max(dot(ray, n), 0.0);
        float sine2 = 1.7769 * (1.0 - cosine * cosine);
        float window = 1.0 - smoothstep(0.74, 1.04, sine2);
        vec3 outside = normalize(ray + n * 0.6);
        vec3 sky = skyColor(vec3(outside.xy, abs(outside.z))) * 1.25 ;
        vec3 down = vec3(ray.xy, -abs(ray.z));
        vec3 mirrored = waterGlow(down, uSunColor, 60.0);
        vec3 color = mix(mirrored, sky * uSunColor, window);
        gl_FragColor = vec4(finish(throughWater(color, vec3(vWorld.xy, uSurface - 0.001))), 1.0);
        return;
    }
    float cosine = max(dot(-ray, n), 0.02);
    float mirror = 0.02 + 0.98 * pow(1.0 - cosine, 5.0);
    vec3 up = reflect(ray, n);
    vec3 color = skyColor(vec3(up.xy, abs(up.z)));
    // What comes up out of the water is drawn behind this; the film itself adds its reflection and a little haze.
    vec3 haze = vec3(0.72, 0.82, 0.90);
    float distant = smoothstep(60.0, 250.0, far / vScale);
    color = mix(color, haze, distant * 0.7);
    gl_FragColor = vec4(finish(color), clamp(max(mirror, 0.75 * distant * distant), 0.0, 1.0));
}
`;

// The material of everything solid, and the values that all materials share. What a look does not have (tiles, growth, shine)
// is left out of its shader; so is, at low quality, what a software renderer cannot afford.

import { Color, DoubleSide, FrontSide, ShaderMaterial, Vector2, Vector3, Vector4, type DataTexture, type Texture } from "three";
import { COMMON, MAX_LAMPS, MAX_WAVES } from "./glsl";
import { makeNoiseTexture } from "./textures";

function vectors<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
}

/** Values that all materials of one scene share, by reference. */
export class Shading {
    readonly noise: DataTexture = makeNoiseTexture();
    readonly uniforms = {
        uEye: { value: new Vector3() },
        uSurface: { value: 0 },
        uWet: { value: 1 },
        uBeam: { value: new Vector3(0.4, 0.3, 0.3) },
        uDiffuse: { value: new Vector3(0.3, 0.08, 0.1) },
        uScatter: { value: new Vector3(0.2, 0.2, 0.2) },
        uSun: { value: new Vector3(0.25, -0.18, 0.95).normalize() },
        uSunColor: { value: new Vector3(1, 0.97, 0.9) },
        uExposure: { value: new Vector3(1, 1, 1) },
        uEyeLight: { value: new Vector3(1, 1, 1) },
        uTime: { value: 0 },
        uNoise: { value: this.noise as Texture },
        uLampCount: { value: 0 },
        uLampAt: { value: vectors(MAX_LAMPS, () => new Vector3()) },
        uLampAxis: { value: vectors(MAX_LAMPS, () => new Vector3(1, 0, 0)) },
        uLampCone: { value: vectors(MAX_LAMPS, () => new Vector2(0.5, 0.7)) },
        uLampPower: { value: new Array<number>(MAX_LAMPS).fill(0) },
        uGlowSteps: { value: 3 },
        uGlowAt: { value: new Vector3() },
        uGlowAxis: { value: new Vector3(1, 0, 0) },
        uGlowCone: { value: new Vector2(0.5, 0.7) },
        uGlowPower: { value: 0 },
        uGlowNear: { value: 0 },
        uWaveCount: { value: 0 },
        uWave: { value: vectors(MAX_WAVES, () => new Vector4()) },
        uShadowMap: { value: null as Texture | null },
        uShadowAt: { value: new Vector3() },
        uShadowSize: { value: 14 },
    };

    private readonly materials = new Set<ShaderMaterial>();
    private variant: Record<string, number> = {};

    /** What all shaders are compiled with from now on: LOW, CAUSTICS, SHADOWS. */
    setVariant(variant: Record<string, number>): void {
        if (JSON.stringify(variant) === JSON.stringify(this.variant)) return;
        const old = Object.keys(this.variant);
        this.variant = variant;
        for (const material of this.materials) {
            for (const name of old) delete material.defines[name];
            Object.assign(material.defines, variant);
            material.needsUpdate = true;
        }
    }

    /** Lets a material follow the variant. */
    adopt<T extends ShaderMaterial>(material: T): T {
        Object.assign(material.defines ??= {}, this.variant);
        this.materials.add(material);
        material.addEventListener("dispose", () => this.materials.delete(material));
        return material;
    }

    /** A material of its own with the shared values in it. */
    make(look: Look): ShaderMaterial {
        const defines: Record<string, number> = {};
        if (look.gloss) defines["GLOSS"] = 1;
        if (look.growth) defines["GROWTH"] = 1;
        if (look.tile) defines["TILE"] = 1;
        if (look.pool) defines["POOL"] = 1;
        if (look.ripple) defines["RIPPLE"] = 1;
        if (look.painted) defines["PAINTED"] = 1;
        if (look.map) defines["MAPPED"] = 1;
        return this.adopt(new ShaderMaterial({
            defines,
            vertexShader: SOLID_VERTEX,
            fragmentShader: SOLID_FRAGMENT,
            side: look.doubleSided ? DoubleSide : FrontSide,
            uniforms: {
                ...this.uniforms,
                uColor: { value: new Color(look.color) },
                uColor2: { value: new Color(look.second ?? look.color) },
                uScale: { value: look.scale ?? 1 },
                uGloss: { value: look.gloss ?? 0 },
                uGrowth: { value: look.growth ?? 0 },
                uTile: { value: look.tile ?? 0 },
                uRipple: { value: look.ripple ?? 0 },
                uEmit: { value: look.emit ?? 0 },
                uMap: { value: look.map ?? null },
            },
        }));
    }

    dispose(): void {
        this.noise.dispose();
    }
}

export interface Look {
    color: string;
    /** the other colour that patches have */
    second?: string;
    /** m, size of the pattern */
    scale?: number;
    /** 0..1, shine */
    gloss?: number;
    /** 0..1, how much lives on it */
    growth?: number;
    /** m, size of tiles; 0: none */
    tile?: number;
    /** tiles of several colours, lanes on the bottom, a band at the water's edge */
    pool?: boolean;
    /** 0..1, ripples of sand */
    ripple?: number;
    /** it shines by itself */
    emit?: number;
    doubleSided?: boolean;
    /** the colours of its vertices (`paint`) */
    painted?: boolean;
    /** a texture of colours, at `mapAt` */
    map?: Texture;
}

const SOLID_VERTEX = /* glsl */ `
attribute vec3 local;
attribute vec3 facing;
varying vec3 vWorld;
varying vec3 vNormal;
varying vec3 vLocal;
varying vec3 vLocalNormal;
#ifdef PAINTED
attribute vec3 paint;
varying vec3 vPaint;
#endif
#ifdef MAPPED
attribute vec2 mapAt;
varying vec2 vMapAt;
#endif
void main() {
    vec4 placed = vec4(position, 1.0);
    vec3 bent = normal;
    #ifdef USE_INSTANCING
        placed = instanceMatrix * placed;
        bent = mat3(instanceMatrix) * bent;
    #endif
    vec4 world = modelMatrix * placed;
    vWorld = world.xyz;
    vNormal = mat3(modelMatrix) * bent;
    vLocal = local;
    vLocalNormal = facing;
    #ifdef PAINTED
        vPaint = paint;
    #endif
    #ifdef MAPPED
        vMapAt = mapAt;
    #endif
    gl_Position = projectionMatrix * viewMatrix * world;
}
`;

const SOLID_FRAGMENT = COMMON + /* glsl */ `
uniform vec3 uColor;
uniform vec3 uColor2;
uniform float uScale;
uniform float uGloss;
uniform float uGrowth;
uniform float uTile;
uniform float uRipple;
uniform float uEmit;
varying vec3 vWorld;
varying vec3 vNormal;
varying vec3 vLocal;
varying vec3 vLocalNormal;
#ifdef PAINTED
varying vec3 vPaint;
#endif
#ifdef MAPPED
uniform sampler2D uMap;
varying vec2 vMapAt;
#endif

// the two coordinates in the plane that the surface faces most
vec2 onSurface() {
    vec3 n = abs(vLocalNormal);
    if (n.z > n.x && n.z > n.y) return vLocal.xy;
    if (n.x > n.y) return vLocal.yz;
    return vLocal.xz;
}

#ifdef SHADOWS
uniform sampler2D uShadowMap;
uniform vec3 uShadowAt;
uniform float uShadowSize;
// 1 lit, 0 in the shade of something nearer to the sun; the map looks down along the sun's ray
float sunReaches(vec3 p, vec3 n) {
    vec3 q = p + 0.05 * n - uShadowAt;
    vec2 at = (q.xy - uSun.xy * (q.z / uSun.z)) / uShadowSize;
    float off = max(abs(at.x), abs(at.y));
    if (off > 0.98) return 1.0;
    vec2 uv = at * 0.5 + 0.5;
    float lit = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 shift = vec2(i == 0 || i == 2 ? -0.7 : 0.7, i < 2 ? -0.7 : 0.7) / 1024.0;
        lit += step(texture2D(uShadowMap, uv + shift).r, q.z + 0.06) * 0.25;
    }
    return mix(1.0, lit, smoothstep(0.98, 0.8, off));
}
#endif

#ifdef CAUSTICS
float causticsAt(vec3 p) {
    float depth = uSurface - p.z;
    float strength = uWet * smoothstep(0.0, 0.4, depth) / (1.0 + 0.16 * depth + 0.03 * depth * depth);
    // along the sun's ray to the surface: the pattern slants down walls as light does
    vec2 at = p.xy + uSun.xy / uSun.z * depth;
    float a = texture2D(uNoise, at * 0.27 + vec2(0.021, 0.013) * uTime).a;
    float b = texture2D(uNoise, at * 0.21 - vec2(0.016, 0.024) * uTime + 0.37).a;
    return 1.0 + strength * (5.5 * min(a, b) - 0.45);
}
#endif

void main() {
    vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
    vec3 toEye = uEye - vWorld;
    float far = length(toEye);
    vec2 at = onSurface();
    vec4 coarse = texture2D(uNoise, at / uScale);
#ifndef LOW
    // once more, turned and larger, so that nobody sees it repeat
    float wide = texture2D(uNoise, vec2(0.8 * at.x + 0.6 * at.y, 0.8 * at.y - 0.6 * at.x) / (4.3 * uScale) + 0.17).r;
    coarse.r = 0.5 + 1.3 * (0.5 * (coarse.r + wide) - 0.5);
#endif
    vec3 albedo = mix(uColor, uColor2, smoothstep(0.38, 0.62, coarse.r));
#ifdef PAINTED
    albedo *= vPaint * (1.0 - 0.22 * smoothstep(0.38, 0.62, coarse.r));
#endif
#ifdef MAPPED
    albedo *= texture2D(uMap, vMapAt).rgb;
#endif
#ifdef LOW
    albedo *= 0.62 + 0.5 * coarse.g + 0.17 * coarse.b;
#else
    vec4 fine = texture2D(uNoise, at * (5.3 / uScale) + 0.31);
    albedo *= 0.62 + 0.5 * fine.g + 0.35 * coarse.b * fine.r;
    coarse.g = fine.b;
#endif
#ifdef GROWTH
    float depth = uSurface - vWorld.z;
    // most lives where there is light, none above the tide
    float band = uGrowth * clamp(2.0 * depth + 0.5, 0.0, 1.0) * (0.35 + 0.65 / (1.0 + 0.14 * max(depth, 0.0)));
    float cover = smoothstep(0.66, 0.44, coarse.r - 0.10 * n.z + 0.18 * coarse.g + 0.22 * (1.0 - band)) * step(0.01, band);
    albedo = mix(albedo, mix(vec3(0.13, 0.15, 0.06), vec3(0.40, 0.29, 0.19), coarse.g), cover);
#ifndef LOW
    // patches of soft corals and sponges, and of barnacles
    vec4 patches = texture2D(uNoise, at * (1.7 / uScale) + 0.63);
    vec4 tiny = texture2D(uNoise, vec2(0.6 * at.x - 0.8 * at.y, 0.8 * at.x + 0.6 * at.y) * (8.3 / uScale) + 0.11);
    float coral = smoothstep(0.56, 0.68, patches.r) * smoothstep(0.30, 0.55, 0.5 * (fine.g + tiny.g)) * min(2.0 * band, 1.0);
    albedo = mix(albedo, mix(vec3(0.66, 0.24, 0.08), vec3(0.60, 0.44, 0.12), fine.r), 0.8 * coral);
    // twice, at sizes that do not go together: no pattern comes again
    tiny.b = 0.5 * (tiny.b + texture2D(uNoise, vec2(0.28 * at.x - 0.96 * at.y, 0.96 * at.x + 0.28 * at.y) * (3.07 / uScale) + 0.47).b);
    float shells = smoothstep(0.50, 0.58, tiny.b) * smoothstep(0.50, 0.60, wide) * min(1.6 * band, 1.0) * (1.0 - coral);
    albedo = mix(albedo, vec3(0.66, 0.62, 0.54) * (0.7 + 0.5 * tiny.g), 0.6 * shells);
    cover = max(cover, max(coral, shells));
#endif
#endif
#ifdef TILE
    // Joints as a share of the pixel that they cover, by the integral of their pattern over it (Quilez 2018): lines that are thinner
    // than a pixel fade instead of breaking into dots.
    const float TILES_A_JOINT = 28.0;
    vec2 cell = at / uTile;
    vec2 span = max(fwidth(cell), 0.001);
    vec2 from = cell - 0.5 * span;
    vec2 to = cell + 0.5 * span;
    vec2 joint = (floor(to) + min(fract(to) * TILES_A_JOINT, 1.0) - floor(from) - min(fract(from) * TILES_A_JOINT, 1.0)) / (TILES_A_JOINT * span);
    float line = 1.0 - (1.0 - clamp(joint.x, 0.0, 1.0)) * (1.0 - clamp(joint.y, 0.0, 1.0));
    vec3 glaze = uColor;
    // the two coarsest levels, which have no caustics either, do without colours
#if defined(POOL) && (!defined(LOW) || defined(CAUSTICS))
    float near = clamp(1.3 - max(span.x, span.y), 0.0, 1.0);
    float shade = mix(0.5, fract(sin(dot(floor(cell), vec2(12.9898, 78.233))) * 43758.5453), near);
    glaze = uColor * (0.84 + 0.26 * shade);
    // some tiles are sea green, some sand; dark lanes along the bottom and a dark band with a pale one below it at the water's edge
#ifndef LOW
    glaze = mix(glaze, glaze * vec3(0.72, 1.02, 0.90), near * step(0.86, shade));
    glaze = mix(glaze, glaze * vec3(1.28, 1.08, 0.82), near * step(shade, 0.10));
#endif
    vec3 band = vec3(0.03, 0.13, 0.36);
    float lane = smoothstep(0.5, 0.5 - 2.0 * span.x / 10.0, abs(fract(cell.x / 10.0) * 10.0 - 5.0) - 0.01);
    glaze = mix(glaze, band, smoothstep(0.7, 0.9, abs(vNormal.z)) * lane * step(vWorld.z, uSurface));
    float under = uSurface - vWorld.z;
    float edge = smoothstep(0.9, 0.7, abs(vNormal.z)) * (smoothstep(-0.30, -0.28, under) - smoothstep(0.24, 0.26, under));
    glaze = mix(glaze, band, edge);
#endif
    albedo = mix(glaze, vec3(0.34, 0.39, 0.40), line);
#endif
#if defined(RIPPLE) && !defined(LOW)
    float near = uRipple * clamp(1.0 - far * 0.1, 0.0, 1.0);
    float phase = 15.0 * (0.94 * vWorld.x + 0.34 * vWorld.y) + 9.0 * coarse.r;
    n = normalize(n + near * 0.20 * cos(phase) * vec3(0.94, 0.34, 0.0));
    albedo *= 1.0 + near * 0.10 * sin(phase);
#endif

    vec3 sky = daylight(vWorld.z);
    float sunlit = max(dot(n, uSun), 0.0);
#ifdef SHADOWS
    float lit = sunlit > 0.0 ? sunReaches(vWorld, n) : 0.0;
#else
    float lit = 1.0;
#endif
#ifdef CAUSTICS
    float web = mix(1.0, causticsAt(vWorld), smoothstep(0.0, 0.3, n.z));
#else
    float web = 1.0;
#endif
    // water scatters daylight to all sides; from below comes what the bottom returns
    vec3 light = sky * (0.34 + 0.18 * n.z + 0.60 * sunlit * lit * web);

    float shine = 0.0;
    vec3 eyeward = toEye / far;
#ifdef LOW
    vec3 way = uLampAt[0] - vWorld;
    float d2 = dot(way, way);
    float d = sqrt(d2);
    float power = uLampPower[0] * spot(uLampCone[0], -dot(way, uLampAxis[0]) / d) / (0.25 + d2);
    light += LAMP_COLOR * fade(uBeam * (d * uWet)) * (power * max(dot(n, way), 0.0) / d);
#else
    for (int i = 0; i < ${MAX_LAMPS}; ++i) {
        if (i >= uLampCount) break;
        vec3 way = uLampAt[i] - vWorld;
        float d = length(way);
        way /= d;
        float power = uLampPower[i] * spot(uLampCone[i], -dot(way, uLampAxis[i])) / (0.25 + d * d);
        light += LAMP_COLOR * fade(uBeam * (d * uWet)) * (power * max(dot(n, way), 0.0));
#ifdef GLOSS
        shine += power * pow(max(dot(n, normalize(way + eyeward)), 0.0), 24.0);
#endif
    }
#endif
    vec3 color = albedo * light;
#if defined(GLOSS) && !defined(LOW)
    // Nothing that has lain in the sea is polished: it shines in spots, and where something lives on it not at all.
    float polish = uGloss * smoothstep(0.25, 0.75, fine.g);
#ifdef GROWTH
    polish *= 0.25 * (1.0 - cover);
#endif
    color += polish * 0.5 * LAMP_COLOR * shine / (1.0 + shine);
    color += uGloss * sky * 0.8 * lit * pow(max(dot(n, normalize(uSun + eyeward)), 0.0), 60.0);
    color += uGloss * 0.10 * sky * pow(1.0 - max(dot(n, eyeward), 0.0), 4.0);
#endif
    color += uEmit * uColor;
    gl_FragColor = vec4(finish(throughWater(color, vWorld)), 1.0);
}
`;

// Shader text that all materials share. World axes, z up; colours are linear until finish().
//
// Two forms of everything: the full one, and one with LOW defined for software renderers. Those gain nothing from branches on
// uniforms (they compute both sides), so what is not wanted is left out when the shader is compiled.
//
// Exponentials are the dearest thing a software renderer does, and there are a dozen in each pixel of a foggy picture: fade(x)
// stands for exp(-x), right within 0.007, in six multiplications and a division.
//
// Light reaches the camera from a surface, weakened over the stretch of water between (beam attenuation), plus what that
// water scatters towards the camera: daylight along the ray in closed form, lamps by a few samples placed evenly in angle
// as seen from the lamp (Kulla and Fajardo 2012), where their light is strongest.

export const MAX_LAMPS = 4;
export const MAX_WAVES = 24;

/** Light in water; may stand in vertex shaders too. */
export const LIGHT = /* glsl */ `
precision highp float;
uniform vec3 uEye;
uniform float uSurface;
uniform float uWet;
uniform vec3 uBeam;
uniform vec3 uDiffuse;
uniform vec3 uScatter;
uniform vec3 uSun;
uniform vec3 uSunColor;
uniform vec3 uEyeLight;   // daylight where the eye is, or at the surface when it is above
uniform vec3 uExposure;   // the camera's exposure and white balance
uniform float uTime;
uniform sampler2D uNoise;
uniform int uLampCount;
uniform vec3 uLampAt[${MAX_LAMPS}];
uniform vec3 uLampAxis[${MAX_LAMPS}];
uniform vec2 uLampCone[${MAX_LAMPS}];
uniform float uLampPower[${MAX_LAMPS}];
uniform int uGlowSteps;
uniform vec3 uGlowAt;
uniform vec3 uGlowAxis;
uniform vec2 uGlowCone;
uniform float uGlowPower;

const vec3 LAMP_COLOR = vec3(0.96, 1.0, 0.98);

vec3 fade(vec3 x) {
    vec3 y = 1.0 + max(x, 0.0) * 0.03125;
    y *= y;
    y *= y;
    y *= y;
    y *= y;
    return 1.0 / (y * y);
}

// m of the way from the eye to p that lie under water
float wetWay(vec3 p) {
    float a = uEye.z - uSurface;
    float b = p.z - uSurface;
    float way = distance(uEye, p) * uWet;
    if (a <= 0.0 && b <= 0.0) return way;
    if (a > 0.0 && b > 0.0) return 0.0;
    return way * (a < 0.0 ? a : b) / -abs(a - b);
}

vec3 daylight(float z) {
    return uSunColor * fade(uDiffuse * ((uSurface - z) * uWet));
}

// daylight scattered towards the eye over a stretch of water that begins in this light
vec3 waterGlow(vec3 ray, vec3 light, float way) {
    vec3 k = max(uBeam - uDiffuse * ray.z, vec3(0.015));
    float forward = max(dot(ray, uSun), 0.0);
    float phase = 0.13 + 0.05 * ray.z + 0.15 * forward * forward * forward;
    return phase * uScatter * light / k * (1.0 - fade(k * way));
}

float spot(vec2 cone, float cosine) {
    return smoothstep(cone.x, cone.y, cosine);
}

// light of the lamps scattered towards the eye by the water before a distance
#ifdef LOW
uniform float uGlowNear;   // 1 where the lamps are beside the eye, 0 where they are seen from afar
vec3 lampGlow(vec3 ray, float way) {
    return uScatter * LAMP_COLOR * (uGlowNear * spot(uGlowCone, dot(ray, uGlowAxis))) * (1.0 - fade(2.0 * uBeam * way));
}
#else
vec3 lampGlow(vec3 ray, float way) {
    if (uGlowSteps == 0 || uGlowPower <= 0.0) return vec3(0.0);
    float nearest = dot(uGlowAt - uEye, ray);
    float off = max(length(uGlowAt - uEye - nearest * ray), 0.12);
    float first = atan(-nearest / off);
    float last = atan((way - nearest) / off);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 5; ++i) {
        if (i >= uGlowSteps) break;
        float angle = mix(first, last, (float(i) + 0.5) / float(uGlowSteps));
        float t = nearest + off * tan(angle);
        vec3 q = uEye + t * ray - uGlowAt;
        float d = length(q);
        sum += spot(uGlowCone, dot(q, uGlowAxis) / d) * fade(uBeam * (t + d));
    }
    return sum * uScatter * LAMP_COLOR * (0.0011 * uGlowPower * (last - first) / (off * float(uGlowSteps)));
}
#endif

vec3 throughWater(vec3 color, vec3 p) {
    vec3 ray = normalize(p - uEye);
    float way = wetWay(p);
    return color * fade(uBeam * way) + (waterGlow(ray, uEyeLight, way) + lampGlow(ray, way)) * uWet;
}

vec3 skyColor(vec3 ray) {
    float up = max(ray.z, 0.0);
    vec3 sky = mix(vec3(0.72, 0.82, 0.90), vec3(0.20, 0.42, 0.72), sqrt(up));
#ifndef LOW
    float sun = max(dot(ray, uSun), 0.0);
    sky += vec3(1.0, 0.86, 0.62) * (0.25 * pow(sun, 24.0) + 3.0 * pow(sun, 900.0));
#endif
    return sky;
}

`;

export const COMMON = LIGHT + /* glsl */ `
// filmic curve (Narkowicz 2015), display encoding (a square root stands for the power of 1/2.2), and a grain of half a step that hides banding in dark water
vec3 finish(vec3 color) {
    color = max(color * uExposure, 0.0);
    color = clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
    color = sqrt(color);
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return color + (grain - 0.5) / 255.0;
}
`;

export const WAVES = /* glsl */ `
uniform int uWaveCount;
uniform vec4 uWave[${MAX_WAVES}];      // amplitude, k cos, k sin, phase - omega t
// height above the mean surface and the surface's two slopes
vec3 waveAt(vec2 at) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < ${MAX_WAVES}; ++i) {
        if (i >= uWaveCount) break;
        vec4 w = uWave[i];
        float angle = dot(w.yz, at) + w.w;
        sum.x += w.x * cos(angle);
        sum.yz -= w.x * w.yz * sin(angle);
    }
    return sum;
}
`;

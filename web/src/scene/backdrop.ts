// What is behind everything: water that goes on, or the sky.

import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial } from "three";
import { COMMON } from "./glsl";
import type { Shading } from "./shading";

export function makeBackdrop(shading: Shading): Mesh {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const material = shading.adopt(new ShaderMaterial({
        uniforms: { ...shading.uniforms },
        depthWrite: false,
        vertexShader: /* glsl */ `
            varying vec3 vRay;
            void main() {
                vec4 seen = inverse(projectionMatrix) * vec4(position.xy, 1.0, 1.0);
                vRay = transpose(mat3(viewMatrix)) * (seen.xyz / seen.w);
                gl_Position = vec4(position.xy, 0.99999, 1.0); // drawn last of the opaque: only where nothing else is
            }`,
        fragmentShader: COMMON + /* glsl */ `
            varying vec3 vRay;
            void main() {
                vec3 ray = normalize(vRay);
                vec3 color;
                if (uWet > 0.5 && uEye.z < uSurface) {
                    // up to the surface, if that is where the ray goes
                    float way = ray.z > 0.001 ? min((uSurface - uEye.z) / ray.z, 300.0) : 300.0;
                    color = waterGlow(ray, uEyeLight, way) + lampGlow(ray, way);
                } else if (uWet > 0.5 && ray.z < 0.0) {
                    color = mix(vec3(0.72, 0.82, 0.90), waterGlow(ray, uSunColor, 300.0), smoothstep(-0.045, -0.14, ray.z));
                } else {
                    color = skyColor(ray);
                    if (ray.z < 0.0) color = mix(color, vec3(0.16, 0.18, 0.20), smoothstep(0.0, -0.25, ray.z));
                }
                gl_FragColor = vec4(finish(color), 1.0);
            }`,
    }));
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 4;
    return mesh;
}

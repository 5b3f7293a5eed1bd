// Shade of the sun round the vehicle: a picture taken along the sun's rays that holds the height of what they meet first.

import { Color, HalfFloatType, NearestFilter, OrthographicCamera, RGBAFormat, ShaderMaterial, WebGLRenderTarget, type Scene, type Vector3,
    type WebGLRenderer } from "three";
import type { Shading } from "./shading";

const SIZE = 1024;
/** Layer of what throws shade. */
export const SHADE_LAYER = 1;
const NOTHING = new Color(-1000, 0, 0);
const before = new Color();

export class SunShade {
    private readonly target = new WebGLRenderTarget(SIZE, SIZE, { type: HalfFloatType, format: RGBAFormat, minFilter: NearestFilter,
        magFilter: NearestFilter, depthBuffer: true, generateMipmaps: false });
    private readonly camera = new OrthographicCamera(-1, 1, 1, -1, 0.1, 200);
    private readonly material: ShaderMaterial;

    constructor(private readonly shading: Shading) {
        this.camera.layers.set(SHADE_LAYER);
        shading.uniforms.uShadowMap.value = this.target.texture;
        this.material = new ShaderMaterial({
            uniforms: { uSun: shading.uniforms.uSun, uShadowAt: shading.uniforms.uShadowAt, uShadowSize: shading.uniforms.uShadowSize },
            vertexShader: /* glsl */ `
                uniform vec3 uSun;
                uniform vec3 uShadowAt;
                uniform float uShadowSize;
                varying float vHeight;
                void main() {
                    vec4 placed = vec4(position, 1.0);
                    #ifdef USE_INSTANCING
                        placed = instanceMatrix * placed;
                    #endif
                    vec3 q = (modelMatrix * placed).xyz - uShadowAt;
                    vHeight = q.z;
                    gl_Position = vec4((q.xy - uSun.xy * (q.z / uSun.z)) / uShadowSize, -q.z / 100.0, 1.0);
                }`,
            fragmentShader: /* glsl */ `
                varying float vHeight;
                void main() { gl_FragColor = vec4(vHeight, 0.0, 0.0, 1.0); }`,
        });
    }

    render(renderer: WebGLRenderer, scene: Scene, centre: Vector3): void {
        const size = this.shading.uniforms.uShadowSize.value;
        // Moves by whole pixels: edges do not crawl.
        const step = (2 * size) / SIZE;
        this.shading.uniforms.uShadowAt.value.set(Math.round(centre.x / step) * step, Math.round(centre.y / step) * step, centre.z);
        // For culling only: a box that holds everything between the sun and the region.
        this.camera.left = this.camera.bottom = -1.6 * size;
        this.camera.right = this.camera.top = 1.6 * size;
        this.camera.position.set(centre.x, centre.y, centre.z + 100);
        this.camera.lookAt(centre.x, centre.y, centre.z);
        this.camera.updateProjectionMatrix();
        renderer.getClearColor(before);
        const alpha = renderer.getClearAlpha();
        scene.overrideMaterial = this.material;
        renderer.setRenderTarget(this.target);
        renderer.setClearColor(NOTHING, 1);
        renderer.clear();
        renderer.render(scene, this.camera);
        renderer.setRenderTarget(null);
        renderer.setClearColor(before, alpha);
        scene.overrideMaterial = null;
    }
}

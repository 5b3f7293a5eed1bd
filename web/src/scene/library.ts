// Models from files: binary glTF, drawn with the project's own shader, so that water, lamps and shade fall on them as on everything else. Of a
// file's materials colour, texture, roughness, shine by itself and sidedness are taken, and from `extras` growth and the size of the pattern.
// What a file is for is told by its name and its extras (docs/models.md); the page needs no other knowledge of it.

import { Box3, BufferAttribute, BufferGeometry, Group, Mesh, Vector3, type Matrix4, type MeshStandardMaterial, type Object3D, type Texture } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { Levels } from "./detail";
import { rememberLocal } from "./geometry";
import type { Look, Shading } from "./shading";

/** Something of one material, in its model's frame. */
export interface ModelPart {
    geometry: BufferGeometry;
    look: Look;
}

export interface ModelNode {
    name: string;
    extras: Record<string, unknown>;
    parts: ModelPart[];
}

export interface LoadedModel {
    name: string;
    extras: Record<string, unknown>;
    nodes: ModelNode[];
}

const number = (value: unknown, other: number): number => (typeof value === "number" ? value : other);

function lookFrom(material: MeshStandardMaterial, painted: boolean): Look {
    const extras = material.userData;
    const color = `#${material.color.getHexString()}`;
    const emitted = material.emissive.r + material.emissive.g + material.emissive.b > 0;
    return {
        color, second: color, painted, scale: number(extras["scale"], 0.5), gloss: Math.max(1 - material.roughness, 0), growth: number(extras["growth"], 0),
        doubleSided: material.side !== 0, ...(emitted ? { emit: 1 } : {}), ...(material.map ? { map: material.map } : {}),
    };
}

/** As the project's shader wants it: floats, no index, `paint` for colours, `mapAt` where there is a texture. */
function geometryFrom(source: BufferGeometry, place: Matrix4, map: Texture | null): BufferGeometry {
    const flat = source.index ? source.toNonIndexed() : source;
    if (!flat.getAttribute("normal")) flat.computeVertexNormals();
    const out = new BufferGeometry();
    const count = flat.getAttribute("position").count;
    const copy = (from: string, to: string, size: number): void => {
        const attribute = flat.getAttribute(from);
        const values = new Float32Array(size * count);
        for (let i = 0; i < count; ++i) for (let k = 0; k < size; ++k) values[size * i + k] = attribute.getComponent(i, k);
        out.setAttribute(to, new BufferAttribute(values, size));
    };
    copy("position", "position", 3);
    copy("normal", "normal", 3);
    if (flat.getAttribute("color")) copy("color", "paint", 3);
    if (map && flat.getAttribute("uv")) copy("uv", "mapAt", 2);
    out.applyMatrix4(place);
    return rememberLocal(out);
}

function partsOf(object: Object3D): ModelPart[] {
    const parts: ModelPart[] = [];
    object.updateMatrixWorld(true);
    object.traverse((child) => {
        if (!(child instanceof Mesh)) return;
        const material = child.material as MeshStandardMaterial;
        const painted = (child.geometry as BufferGeometry).getAttribute("color") !== undefined;
        parts.push({ geometry: geometryFrom(child.geometry as BufferGeometry, child.matrixWorld, material.map), look: lookFrom(material, painted) });
    });
    return parts;
}

export async function parseModel(name: string, bytes: ArrayBuffer): Promise<LoadedModel> {
    const { scene } = await new GLTFLoader().parseAsync(bytes, "");
    return { name, extras: scene.userData, nodes: scene.children.map((child) => ({ name: child.name, extras: child.userData, parts: partsOf(child) })) };
}

/** Which of a model's nodes are drawn where little time is left (level 1) and where there is more (level 0); those without a level always. */
export function nodesOf(model: LoadedModel, level: 0 | 1): ModelNode[] {
    const coarse = model.nodes.some(({ extras }) => extras["level"] === 1);
    return model.nodes.filter(({ extras }) => extras["level"] === undefined || extras["level"] === (coarse ? level : 0));
}

/** A group of meshes of its own: geometry is shared by all that are made from a model, and freed with none of them. */
export function meshesOf(nodes: readonly ModelNode[], shading: Shading): Group {
    const group = new Group();
    for (const { parts } of nodes) for (const { geometry, look } of parts) group.add(new Mesh(geometry.clone(), shading.make(look)));
    return group;
}

/** Details of a model are about so much of its size. */
const DETAIL_SHARE = 1 / 40;

/** Fine and coarse, of which one is shown. */
export function makeLevels(model: LoadedModel, shading: Shading): { group: Group; levels: Levels } {
    const group = new Group();
    const [fine, coarse] = ([0, 1] as const).map((level) => meshesOf(nodesOf(model, level), shading)) as [Group, Group];
    group.add(fine, coarse);
    return { group, levels: new Levels(fine, coarse, DETAIL_SHARE * boundsOf(model).getSize(new Vector3()).length()) };
}

export function boundsOf(model: LoadedModel): Box3 {
    const bounds = new Box3();
    for (const { geometry } of model.nodes.flatMap(({ parts }) => parts)) {
        geometry.computeBoundingBox();
        bounds.union(geometry.boundingBox!);
    }
    return bounds;
}

/** Who leaves or reloads the page breaks off what is on its way: no news for anybody. */
let leaving = false;
for (const event of ["beforeunload", "pagehide"]) globalThis.addEventListener?.(event, () => (leaving = true));
globalThis.addEventListener?.("pageshow", () => (leaving = false));

export function complain(text: string): void {
    if (!leaving) console.error(text);
}

export class Library {
    private readonly models = new Map<string, LoadedModel>();

    /** All that the server has; what cannot be read is left out, and said. */
    async load(address = "models/"): Promise<void> {
        const list = (await (await fetch(`${address}list.json`)).json()) as string[];
        await Promise.all(list.filter((file) => file.endsWith(".glb")).map(async (file) => {
            const name = file.slice(0, -4);
            try {
                const reply = await fetch(address + file);
                if (!reply.ok) throw new Error(`status ${reply.status}`);
                this.models.set(name, await parseModel(name, await reply.arrayBuffer()));
            } catch (error) {
                complain(`The model ${file} could not be read: ${error instanceof Error ? error.message : String(error)}`);
            }
        }));
    }

    add(model: LoadedModel): void {
        this.models.set(model.name, model);
    }

    /** By its name, or the longest name that it begins with; null: there is none. */
    find(name: string): LoadedModel | null {
        let best: LoadedModel | null = null;
        for (const model of this.models.values()) {
            if (name.startsWith(model.name) && !model.extras["fits"] && model.name.length > (best?.name.length ?? 0)) best = model;
        }
        return best;
    }

    /** Those that dress shapes. */
    get fitting(): LoadedModel[] {
        return [...this.models.values()].filter(({ extras }) => extras["fits"] !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
    }
}

// Geometry from the shapes of the protocol, and the few forms that pictures need besides. Every geometry carries, next to
// position and normal, the two as they were in the shape's own frame (`local`, `facing`): patterns stick to those, so that
// shapes can be joined into one drawing call and tiles still follow their wall.

import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, IcosahedronGeometry, Matrix4, Quaternion,
    SphereGeometry, Vector3 } from "three";
import { mergeGeometries, mergeVertices, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { makeRandom } from "../math/numbers";
import type { MeshEntry, Quat, ShapeEntry, Vec3 } from "../net/messages";

/** Keeps a copy of position and normal in the shape's own frame; drops what the shaders do not use. */
export function rememberLocal(geometry: BufferGeometry): BufferGeometry {
    geometry.deleteAttribute("uv");
    geometry.setAttribute("local", geometry.getAttribute("position").clone());
    geometry.setAttribute("facing", geometry.getAttribute("normal").clone());
    return geometry;
}

export function quaternionOf(q: Quat | undefined): Quaternion {
    return q ? new Quaternion(q[1], q[2], q[3], q[0]).normalize() : new Quaternion();
}

export function vectorOf(v: Vec3 | undefined): Vector3 {
    return v ? new Vector3(v[0], v[1], v[2]) : new Vector3();
}

export function poseMatrix(position: Vec3 | undefined, attitude: Quat | undefined): Matrix4 {
    return new Matrix4().compose(vectorOf(position), quaternionOf(attitude), new Vector3(1, 1, 1));
}

/** Along z, as the protocol has it; three.js builds along y. */
export function cylinderAlongZ(radius: number, length: number, topRadius = radius, sides = 0): BufferGeometry {
    const around = sides || Math.round(Math.min(Math.max(14 + 10 * radius, 14), 36));
    return new CylinderGeometry(topRadius, radius, length, around, 1).rotateX(Math.PI / 2);
}

function rockGeometry(radius: number, seed: number): BufferGeometry {
    const ball = new IcosahedronGeometry(radius, 3);
    const random = makeRandom(seed);
    const bumps = Array.from({ length: 9 }, () => ({
        axis: new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).normalize(),
        size: 0.16 * (random() - 0.6),
    }));
    const position = ball.getAttribute("position");
    const p = new Vector3();
    for (let i = 0; i < position.count; ++i) {
        p.fromBufferAttribute(position, i).normalize();
        let height = 1;
        for (const bump of bumps) height += bump.size * Math.max(p.dot(bump.axis), 0) ** 2;
        p.multiplyScalar(radius * height);
        position.setXYZ(i, p.x, p.y, p.z);
    }
    // Collision sees a ball; the picture stays within a tenth of it.
    ball.deleteAttribute("normal");
    ball.deleteAttribute("uv");
    const smooth = mergeVertices(ball, 1e-5 * radius);
    smooth.computeVertexNormals();
    return smooth;
}

export function decodeBase64(text: string): ArrayBuffer {
    const bytes = atob(text);
    const out = new Uint8Array(bytes.length);
    for (let i = 0; i < bytes.length; ++i) out[i] = bytes.charCodeAt(i);
    return out.buffer;
}

export function meshGeometry(mesh: MeshEntry): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(decodeBase64(mesh.vertices)), 3));
    geometry.setIndex(new BufferAttribute(new Uint32Array(decodeBase64(mesh.triangles)), 1));
    // Edges sharper than this stay edges.
    return toCreasedNormals(geometry, 0.7);
}

export function shapeGeometry(shape: ShapeEntry, meshes: readonly MeshEntry[], seed = 1): BufferGeometry | null {
    let geometry: BufferGeometry;
    switch (shape.kind) {
        case "box": {
            const [x, y, z] = shape.size ?? [1, 1, 1];
            geometry = new BoxGeometry(x, y, z);
            break;
        }
        case "sphere":
            geometry = shape.material === "rock" ? rockGeometry(shape.radius ?? 0.5, seed)
                : new SphereGeometry(shape.radius ?? 0.5, 24, 16).rotateX(Math.PI / 2);
            break;
        case "cylinder":
            geometry = cylinderAlongZ(shape.radius ?? 0.5, shape.length ?? 1);
            break;
        case "capsule":
            geometry = new CapsuleGeometry(shape.radius ?? 0.5, shape.length ?? 1, 6, 18).rotateX(Math.PI / 2);
            break;
        case "mesh": {
            const mesh = meshes[shape.mesh ?? -1];
            if (!mesh) return null;
            geometry = meshGeometry(mesh);
            break;
        }
        default:
            return null;
    }
    rememberLocal(geometry);
    geometry.applyMatrix4(poseMatrix(shape.position, shape.attitude));
    return geometry;
}

/** One geometry out of many; `facing` and `local` stay as they are. */
export function joinGeometries(parts: BufferGeometry[]): BufferGeometry {
    const plain = parts.map((part) => (part.index ? part.toNonIndexed() : part));
    const joined = mergeGeometries(plain, false);
    for (const part of parts) part.dispose();
    return joined;
}

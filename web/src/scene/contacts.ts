// Arrows where bodies touch: they point the way of the force on the first body and grow with its logarithm.

import { BufferGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { Contact } from "../net/frame";
import { cylinderAlongZ, joinGeometries, rememberLocal } from "./geometry";

const MOST = 64;

/** m: 1 N a tenth, each factor of ten a quarter more. */
export function arrowLength(force: number): number {
    return force > 0 ? Math.max(0.1, 0.1 + 0.25 * Math.log10(Math.max(force, 1))) : 0;
}

export class ContactArrows {
    readonly mesh: InstancedMesh<BufferGeometry>;
    private readonly matrix = new Matrix4();
    private readonly turn = new Quaternion();
    private readonly direction = new Vector3();
    private readonly up = new Vector3(0, 0, 1);

    constructor() {
        const arrow = joinGeometries([rememberLocal(cylinderAlongZ(0.025, 0.75, undefined, 8).translate(0, 0, 0.375)),
            rememberLocal(cylinderAlongZ(0.07, 0.25, 0.001, 12).translate(0, 0, 0.875))]);
        // Drawn over the picture: a foot's arrow begins in its leg, and no water dims it.
        const material = new MeshBasicMaterial({ color: "#ffb454", depthTest: false, transparent: true });
        this.mesh = new InstancedMesh(arrow, material, MOST);
        this.mesh.renderOrder = 9;
        this.mesh.count = 0;
        this.mesh.frustumCulled = false;
    }

    update(contacts: readonly Contact[]): void {
        const count = Math.min(contacts.length, MOST);
        for (let i = 0; i < count; ++i) {
            const { point, force } = contacts[i]!;
            this.direction.set(force[0]!, force[1]!, force[2]!);
            const length = arrowLength(this.direction.length());
            this.turn.setFromUnitVectors(this.up, this.direction.normalize());
            this.matrix.compose(new Vector3(point[0], point[1], point[2]), this.turn, new Vector3(length, length, length));
            this.mesh.setMatrixAt(i, this.matrix);
        }
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}

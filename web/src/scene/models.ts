// Bodies of vehicles: models by the vehicle's name; others are built from the parts that the server sends. Body axes: x forward, y to port, z up;
// metres. Thrusters, lamps and gripper are added from the data.

import { Group, Mesh } from "three";
import type { MeshEntry, VehicleEntry } from "../net/messages";
import type { Levels } from "./detail";
import { shapeGeometry } from "./geometry";
import { makeLevels, type Library } from "./library";
import { lookOf } from "./looks";
import type { Shading } from "./shading";

export interface Hull {
    group: Group;
    /** of detail; absent: it has one */
    levels?: Levels;
}

function fromParts(vehicle: VehicleEntry, meshes: readonly MeshEntry[], shading: Shading): Hull {
    const group = new Group();
    vehicle.parts.forEach((part, i) => {
        const geometry = shapeGeometry(part, meshes, i + 1);
        if (geometry) group.add(new Mesh(geometry, shading.make({ ...lookOf(part.material, part.color), scale: 0.4 })));
    });
    return { group };
}

/** Null: the page has no picture of it; its collision shapes must do. */
export function makeHull(vehicle: VehicleEntry, meshes: readonly MeshEntry[], library: Library, shading: Shading): Hull | null {
    const model = vehicle.model ? library.find(vehicle.model) : null;
    if (model) return makeLevels(model, shading);
    return vehicle.parts.length > 0 ? fromParts(vehicle, meshes, shading) : null;
}

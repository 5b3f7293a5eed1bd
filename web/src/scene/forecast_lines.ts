// What was forecast, drawn into the picture: the way home as a line with a ring at each way-point, the vehicle's track and its
// tether some seconds ahead as dashes, the tether pulled tight as a thin line with a cross where it would hang. They differ in
// pattern, not in colour alone.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, LineDashedMaterial, LineSegments, type Material } from "three";
import type { Forecast, ForecastKinds, Point } from "../net/messages";

const HOME = "#7dff9a";
const AHEAD = "#8fd6ff";
const HAUL = "#ff9d5c";
const RING = 0.15; // m
const CROSS = 0.25; // m

function geometryOf(points: readonly (readonly number[])[]): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flatMap((p) => [p[0]!, p[1]!, p[2]!])), 3));
    return geometry;
}

/** Drawn over everything: an aid must be seen where a bar is in front of it. */
function plain(color: string): LineBasicMaterial {
    return new LineBasicMaterial({ color, transparent: true, opacity: 0.9, depthTest: false });
}

function dashes(color: string): LineDashedMaterial {
    return new LineDashedMaterial({ color, transparent: true, opacity: 0.9, depthTest: false, dashSize: 0.3, gapSize: 0.2 });
}

function line(points: readonly (readonly number[])[], material: LineBasicMaterial): Line {
    const drawn = new Line(geometryOf(points), material);
    if (material instanceof LineDashedMaterial) drawn.computeLineDistances();
    return drawn;
}

function rings(points: readonly (readonly number[])[]): LineSegments {
    const corners: number[][] = [];
    for (const [x, y, z] of points) {
        for (let i = 0; i < 12; ++i) {
            for (const k of [i, i + 1]) corners.push([x! + RING * Math.cos((k * Math.PI) / 6), y! + RING * Math.sin((k * Math.PI) / 6), z!]);
        }
    }
    return new LineSegments(geometryOf(corners), plain(HOME));
}

function crosses(points: readonly Point[]): LineSegments {
    const corners: number[][] = [];
    for (const [x, y, z] of points) {
        corners.push([x - CROSS, y - CROSS, z - CROSS], [x + CROSS, y + CROSS, z + CROSS], [x - CROSS, y + CROSS, z - CROSS], [x + CROSS, y - CROSS, z + CROSS]);
    }
    return new LineSegments(geometryOf(corners), plain(HAUL));
}

export class ForecastLines {
    readonly group = new Group();

    constructor() {
        this.group.renderOrder = 30;
    }

    show(forecast: Forecast | null, kinds: ForecastKinds): void {
        for (const drawn of this.group.children as Line[]) {
            drawn.geometry.dispose();
            (drawn.material as Material).dispose();
        }
        this.group.clear();
        if (!forecast) return;
        const add = (name: string, ...drawn: Line[]): void => {
            for (const object of drawn) {
                object.name = name;
                object.frustumCulled = false;
                this.group.add(object);
            }
        };
        const home = (forecast.home ?? []).map(([x, y, z]): Point => [x, y, z]);
        if (kinds.home && home.length > 1) add("home", line(home, plain(HOME)), rings(home.slice(1, -1)));
        if (kinds.ahead && forecast.ahead) {
            if (forecast.ahead.track.length > 1) add("ahead", line(forecast.ahead.track, dashes(AHEAD)));
            if (forecast.ahead.tether.length > 1) add("ahead", line(forecast.ahead.tether, dashes(AHEAD)));
        }
        if (kinds.haul && forecast.haul && forecast.haul.line.length > 1) {
            add("haul", line(forecast.haul.line, plain(HAUL)));
            if (forecast.haul.arcs.length > 0) add("haul", crosses(forecast.haul.arcs.map(({ point }) => point)));
        }
    }
}

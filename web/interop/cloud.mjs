// Point clouds of sonars, as foxglove.PointCloud holds them, against a wall whose place is known.
import assert from "node:assert/strict";

// A wall 10 m ahead, wider and higher than the fan sees, and a vehicle with its two sonars looking at it.
export const scene = `hawser: 1
duration: 3
output: {interval: 0.05}
environment: {water: {}}
bodies:
  - {name: wall, motion: fixed, position: [10.2, 0, -5], shapes: [{box: [0.4, 60, 20]}]}
vehicles:
  - {name: rov, model: bluerov2, position: [0, 0, -5]}
`;
const WALL = 10;
const APERTURE = (20 * Math.PI) / 180; // of the multibeam sonar, vehicles/parts/multibeam_sonar.yaml
const WIDTH = Math.PI / 180; // of a beam
const BIN = (20 - 0.1) / 512; // it begins at 20 m, blind below 0.1

export function readPoints({ point_stride: stride, fields, data }) {
  assert.deepEqual(fields.map(({ name, type }) => [name, type]), [["x", 7], ["y", 7], ["z", 7], ["intensity", 7]]);
  const bytes = Buffer.from(data, "base64");
  assert.equal(bytes.length % stride, 0);
  return Array.from({ length: bytes.length / stride }, (_, i) =>
    Object.fromEntries(fields.map(({ name, offset }) => [name, bytes.readFloatLE(i * stride + offset)])),
  );
}

function rotate({ x, y, z, w }, v) {
  const cross = (a, b) => ({ x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x });
  const t = cross({ x, y, z }, v), u = cross({ x, y, z }, t);
  return { x: v.x + 2 * (w * t.x + u.x), y: v.y + 2 * (w * t.y + u.y), z: v.z + 2 * (w * t.z + u.z) };
}

// Frames of a message of /tf: the place of a frame's origin in the world, and its x axis there.
function place(transforms, name) {
  const own = transforms.find((transform) => transform.child_frame_id === name);
  assert.ok(own, `no frame ${name}`);
  const up = own.parent_frame_id === "world" ? null : place(transforms, own.parent_frame_id);
  const turn = (v) => (up ? up.turn(rotate(own.rotation, v)) : rotate(own.rotation, v));
  const at = up ? up.turn(own.translation) : own.translation;
  return { x: at.x + (up ? up.x : 0), turn };
}

// Echoes of the wall lie where it is: a beam within 40 degrees of the axis shows it from the nearest point that the beam meets to the
// farthest, at the upper and lower edge of its aperture, to one bin. Returns how many points are of nothing.
export function checkWall(cloud, transforms) {
  assert.equal(cloud.frame_id, "rov.forward");
  const { x, turn } = place(transforms, cloud.frame_id);
  const away = WALL - x;
  let strays = 0, hits = 0, nearest = Infinity;
  for (const point of readPoints(cloud)) {
    assert.equal(point.z, 0);
    const range = Math.hypot(point.x, point.y);
    const ahead = turn({ x: point.x / range, y: point.y / range, z: 0 }).x;
    if (ahead < Math.cos((40 * Math.PI) / 180)) continue;
    const bearing = Math.acos(ahead);
    const near = away / Math.cos(Math.max(bearing - WIDTH / 2, 0)) - BIN;
    const far = away / Math.cos(bearing + WIDTH / 2) / Math.cos(APERTURE / 2) + BIN;
    if (range > near && range < far) {
      hits += 1;
      if (Math.abs(point.y) < 0.1) nearest = Math.min(nearest, range);
    } else strays += 1;
  }
  assert.ok(hits > 100, `${hits} points of the wall`);
  assert.ok(Math.abs(nearest - away) <= BIN, `the wall is ${away} m away and shown at ${nearest}`);
  return strays;
}

// MCAP files read back by @mcap/core, and glTF files by their own rules: node mcap.mjs PROGRAM SOURCE
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { checkWall, readPoints, scene as wall } from "./cloud.mjs";

const [program, source] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "hawser-mcap-"));
const hawser = (...args) => execFileSync(program, args, { stdio: ["ignore", "pipe", "inherit"] }).toString();

class File {
  constructor(path) {
    this.handle = openSync(path);
    this.bytes = statSync(path).size;
  }
  async size() {
    return BigInt(this.bytes);
  }
  async read(offset, length) {
    const out = new Uint8Array(Number(length));
    assert.equal(readSync(this.handle, out, 0, out.length, Number(offset)), out.length);
    return out;
  }
}

async function readMessages(path) {
  const reader = await McapIndexedReader.Initialize({ readable: new File(path) });
  const topics = new Map();
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    const schema = reader.schemasById.get(channel.schemaId);
    assert.equal(channel.messageEncoding, "json");
    assert.equal(schema.encoding, "jsonschema");
    const list = topics.get(channel.topic) ?? { schema: schema.name, messages: [] };
    JSON.parse(new TextDecoder().decode(schema.data));
    list.messages.push({ time: message.logTime, value: JSON.parse(new TextDecoder().decode(message.data)) });
    topics.set(channel.topic, list);
  }
  return { reader, topics };
}

function readTable(path) {
  const lines = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(","));
  return lines.slice(2).map((row) => Object.fromEntries(lines[0].map((name, i) => [name, Number(row[i])])));
}

try {
  const scene = join(folder, "scene.yaml");
  writeFileSync(
    scene,
    `hawser: 1
duration: 3
output: {interval: 0.01}
environment: {water: {}}
bodies:
  - {name: load, mass: 2000, inertia: [300, 300, 300], position: [1, 0, -9], volume: 0.5, shapes: [{box: [1, 2, 3]}, {sphere: 0.4, position: [0, 0, 2]}, {cylinder: {radius: 0.2, length: 1}}, {capsule: {radius: 0.2, length: 1}}]}
cables:
  - name: wire
    sections: [{length: 9, elements: 6, diameter: 0.02, mass_per_length: 2, EA: 1e6}]
    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load, at: [0, 0, 1.5]}}
`,
  );
  const live = join(folder, "live.mcap");
  const table = join(folder, "run.csv");
  hawser("run", scene, "--quiet", "--out", folder, "--csv", table, "--mcap", live);
  const converted = join(folder, "converted.mcap");
  hawser("convert", join(folder, "results.h5"), converted);
  const rows = readTable(table);
  assert.equal(rows.length, 301);
  for (const path of [live, converted]) {
    const { reader, topics } = await readMessages(path);
    assert.ok(reader.chunkIndexes.length >= 1 && reader.statistics !== undefined);
    const counts = [...topics.values()].reduce((sum, topic) => sum + topic.messages.length, 0);
    assert.equal(Number(reader.statistics.messageCount), counts);
    // every number comes back to the bit
    assert.equal(topics.get("/wire").messages.length, rows.length);
    rows.forEach((row, i) => {
      const wire = topics.get("/wire").messages[i];
      assert.equal(Number(wire.time), Math.round(row["world.time"] * 1e9));
      assert.equal(wire.value.a.tension, row["wire.a.tension"]);
      assert.equal(wire.value.node[3].position.z, row["wire.node[3].position.z"]);
      assert.equal(topics.get("/load").messages[i].value.position.x, row["load.position.x"]);
      assert.equal(topics.get("/world").messages[i].value.energy.value, row["world.energy"]);
    });
    const frames = topics.get("/tf");
    assert.equal(frames.schema, "foxglove.FrameTransforms");
    const frame = frames.messages[100].value.transforms[0];
    assert.equal(frame.child_frame_id, "load");
    assert.equal(frame.translation.z, rows[100]["load.position.z"]);
    const { x, y, z, w } = frame.rotation;
    assert.ok(Math.abs(x * x + y * y + z * z + w * w - 1) < 1e-12);
    const entities = topics.get("/scene").messages[100].value.entities;
    assert.equal(topics.get("/scene").schema, "foxglove.SceneUpdate");
    const load = entities.find((entity) => entity.id === "load");
    assert.deepEqual(load.cubes[0].size, { x: 1, y: 2, z: 3 });
    assert.equal(load.spheres.length, 1);
    assert.equal(load.cylinders.length, 2);
    const wire = entities.find((entity) => entity.id === "wire");
    assert.equal(wire.lines[0].points.length, 7);
    assert.equal(wire.lines[0].points[6].x, rows[100]["wire.node[6].position.x"]);
  }
  // without its index too, as a stream
  const stream = new McapStreamReader({ validateCrcs: true });
  stream.append(readFileSync(live));
  let messages = 0;
  for (let record = stream.nextRecord(); record !== undefined; record = stream.nextRecord())
    messages += record.type === "Message" ? 1 : 0;
  assert.ok(stream.done() && messages > 1000);

  // what a file holds that a killed run left behind: whole chunks, no summary
  const torn = new McapStreamReader();
  const bytes = readFileSync(live);
  torn.append(bytes.subarray(0, bytes.length - 2000));
  let whole = 0;
  for (let record = torn.nextRecord(); record !== undefined; record = torn.nextRecord()) whole += record.type === "Message" ? 1 : 0;
  assert.ok(whole > 1000);

  // sonars: a ping each tenth of a second, in the frame of the sonar, the wall at its place; nothing else is changed by it
  const sonarScene = join(folder, "sonar.yaml");
  writeFileSync(sonarScene, wall);
  const [clouds, beside, alone] = ["clouds.mcap", "beside.csv", "alone.csv"].map((name) => join(folder, name));
  hawser("run", sonarScene, "--quiet", "--csv", beside, "--mcap", clouds);
  hawser("run", sonarScene, "--quiet", "--csv", alone);
  assert.deepEqual(readFileSync(beside), readFileSync(alone));
  const sonar = (await readMessages(clouds)).topics;
  const pings = sonar.get("/rov/forward/points");
  assert.equal(pings.schema, "foxglove.PointCloud");
  assert.deepEqual(pings.messages.map(({ time }) => Number(time) / 1e8), Array.from({ length: 31 }, (_, i) => i));
  let strays = 0;
  for (const { time, value } of pings.messages) {
    assert.equal(value.timestamp.sec * 1e9 + value.timestamp.nsec, Number(time));
    strays += checkWall(value, sonar.get("/tf").messages.find((message) => message.time === time).value.transforms);
  }
  // one ping in e^2 shows something where nothing is: 4 of 31, their number's deviation 2
  assert.ok(strays <= 12, `${strays} points of nothing`);
  // the scanning sonar: twenty beams a second, each 0.9 degrees further to starboard
  const beams = sonar.get("/rov/scanning/points").messages;
  assert.equal(beams.length, 61);
  beams.slice(0, 40).forEach(({ value }, i) => {
    const points = readPoints(value).filter((point) => Math.abs(point.x - 10) < 1);
    assert.ok(points.length > 0);
    for (const { x, y } of points) assert.ok(Math.abs(Math.atan2(-y, x) - (i * 0.9 * Math.PI) / 180) < 1e-6);
  });
  // where the vehicle's place is not recorded, clouds say themselves where they are
  hawser("run", sonarScene, "--quiet", "--csv", beside, "--mcap", clouds, "--channels", "rov.velocity.*");
  const placed = (await readMessages(clouds)).topics.get("/rov/forward/points").messages[0].value;
  assert.equal(placed.frame_id, "world");
  assert.ok(Math.abs(placed.pose.position.x - 0.2) < 1e-9 && Math.abs(placed.pose.position.z + 4.88) < 1e-9);

  // glTF
  const glb = join(folder, "scene.glb");
  hawser("convert", join(folder, "results.h5"), glb);
  const data = readFileSync(glb);
  assert.equal(data.toString("latin1", 0, 4), "glTF");
  assert.equal(data.readUInt32LE(8), data.length);
  const length = data.readUInt32LE(12);
  const gltf = JSON.parse(data.toString("utf8", 20, 20 + length));
  const binary = data.subarray(20 + length + 8);
  assert.equal(data.readUInt32LE(20 + length), binary.length);
  assert.equal(gltf.buffers[0].byteLength, binary.length);
  const read = (accessor) => {
    const { bufferView, count, type, componentType } = gltf.accessors[accessor];
    const view = gltf.bufferViews[bufferView];
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    assert.equal(view.byteLength, 4 * width * count);
    assert.equal(view.byteOffset % 4, 0);
    const array = componentType === 5125 ? Uint32Array : Float32Array;
    return new array(binary.buffer.slice(binary.byteOffset + view.byteOffset, binary.byteOffset + view.byteOffset + view.byteLength));
  };
  for (const mesh of gltf.meshes) {
    const [primitive] = mesh.primitives;
    const points = gltf.accessors[primitive.attributes.POSITION].count;
    const corners = read(primitive.indices);
    assert.ok(corners.every((corner) => corner < points));
    // closed and outward: every edge is used once in either direction, and the volume is above zero
    const p = read(primitive.attributes.POSITION);
    const edges = new Set();
    let volume = 0;
    for (let i = 0; i < corners.length; i += 3) {
      const t = [0, 1, 2].map((k) => corners[i + k]);
      for (let k = 0; k < 3; ++k) {
        const edge = `${t[k]},${t[(k + 1) % 3]}`;
        assert.ok(!edges.has(edge));
        edges.add(edge);
      }
      const [a, b, c] = t.map((corner) => [p[3 * corner], p[3 * corner + 1], p[3 * corner + 2]]);
      volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    for (const edge of edges) assert.ok(edges.has(edge.split(",").reverse().join(",")));
    assert.ok(volume > 0);
  }
  const load = gltf.nodes.findIndex((node) => node.name === "load");
  const [animation] = gltf.animations;
  const moved = animation.channels.find((channel) => channel.target.node === load && channel.target.path === "translation");
  const sampler = animation.samplers[moved.sampler];
  const times = read(sampler.input);
  const places = read(sampler.output);
  assert.equal(times.length, rows.length);
  rows.forEach((row, i) => {
    assert.equal(times[i], Math.fround(row["world.time"]));
    assert.equal(places[3 * i + 2], Math.fround(row["load.position.z"]));
  });
  assert.ok(gltf.nodes.some((node) => node.name === "wire[5]"));
  console.log(`${messages} messages and ${gltf.nodes.length} nodes read back`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

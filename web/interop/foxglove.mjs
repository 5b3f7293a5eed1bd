// The live stream read by Foxglove's own client, and by clients that mean no good: node foxglove.mjs PROGRAM SOURCE
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import protocol from "@foxglove/ws-protocol";
import WebSocket from "ws";
import { checkWall, scene as wall } from "./cloud.mjs";

const { FoxgloveClient } = protocol;

const [program, source] = process.argv.slice(2);
// a port that is free now
async function findFree() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  return port;
}
const free = await findFree();
// the build-up is over before anybody is served: messages of 30 s before the start would have no time stamp
const server = spawn(program, ["serve", `${source}/scenes/rov_with_tms.yaml`, "--foxglove", `${free}`, "--set", "environment.waves.ramp=0", "--set", "start.build_up=30"], {
  stdio: ["ignore", "pipe", "inherit"],
});
let output = "";
server.stdout.on("data", (data) => (output += data));
const ended = once(server, "exit");

async function findPort() {
  for (let i = 0; i < 600; ++i) {
    const match = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(output);
    if (match) return Number(match[1]);
    await wait(50);
  }
  throw new Error(`no address: ${output}`);
}

// ms: nothing is decided by it, a busy machine may take its time.
const HANG = 120_000;

// An answer in plain text to a request in plain text: all of it, or the head of one that goes on.
async function ask(port, text, most = HANG) {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  const goesOn = new Promise((resolve) =>
    socket.on("data", (data) => {
      answer += data.toString("latin1");
      if (/^HTTP\/1\.1 101[^]*\r\n\r\n/.test(answer)) resolve();
    }),
  );
  socket.on("error", () => {});
  socket.write(text);
  await Promise.race([once(socket, "close"), goesOn, wait(most, null, { ref: false })]);
  socket.destroy();
  return answer;
}

async function readStream(port) {
  const client = new FoxgloveClient({ ws: new WebSocket(`ws://127.0.0.1:${port}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
  const next = (name) => new Promise((resolve) => client.on(name, resolve));
  const info = next("serverInfo");
  const channels = await next("advertise");
  assert.deepEqual((await info).supportedEncodings, ["json"]);
  const topics = new Map(channels.map((channel) => [channel.topic, channel]));
  for (const topic of ["/rov", "/umbilical", "/tf", "/scene", "/log", "/world"]) assert.ok(topics.has(topic), topic);
  assert.equal(topics.get("/tf").schemaName, "foxglove.FrameTransforms");
  JSON.parse(topics.get("/scene").schema);
  const wanted = new Map(["/umbilical", "/tf", "/scene", "/world"].map((topic) => [client.subscribe(topics.get(topic).id), topic]));
  const seen = new Map();
  let times = 0;
  client.on("time", () => (times += 1));
  await new Promise((resolve, reject) => {
    client.on("message", ({ subscriptionId, timestamp, data }) => {
      const topic = wanted.get(subscriptionId);
      const list = seen.get(topic) ?? [];
      list.push({ timestamp, value: JSON.parse(new TextDecoder().decode(data)) });
      seen.set(topic, list);
      if (wanted.size === seen.size && [...seen.values()].every((l) => l.length >= 10)) resolve();
    });
    setTimeout(() => reject(new Error("messages do not come")), HANG).unref();
  });
  assert.ok(times > 0);
  const worlds = seen.get("/world");
  for (let i = 1; i < worlds.length; ++i) assert.ok(worlds[i].timestamp > worlds[i - 1].timestamp);
  assert.equal(Number(worlds[0].timestamp), Math.round(worlds[0].value.time * 1e9));
  const tension = seen.get("/umbilical")[0].value.a.tension;
  assert.ok(tension > 5e3 && tension < 5e4, `${tension} N`);
  assert.ok(seen.get("/tf")[0].value.transforms.some((frame) => frame.child_frame_id === "rov"));
  const tether = seen.get("/scene")[0].value.entities.find((entity) => entity.id === "tether");
  assert.ok(tether.lines[0].points.length >= 7);
  const [first] = wanted.keys();
  client.unsubscribe(first);
  // what was on its way may still come, but not while ten more of another topic do
  for (let last = -1, start = Date.now(); seen.get("/umbilical").length !== last; ) {
    assert.ok(Date.now() < start + HANG, "it goes on after the end of its subscription");
    last = seen.get("/umbilical").length;
    const more = worlds.length + 10;
    while (worlds.length < more && Date.now() < start + HANG) await wait(20);
  }
  client.close();
  return worlds.length;
}

// The clouds of a sonar that looks at a wall, at the sonar's rate in simulated time, from the moment somebody subscribes.
async function readClouds() {
  const folder = mkdtempSync(join(tmpdir(), "hawser-foxglove-"));
  const path = join(folder, "wall.yaml");
  writeFileSync(path, wall);
  const live = spawn(program, ["serve", path, "--foxglove", `${await findFree()}`], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let text = "";
    live.stdout.on("data", (data) => (text += data));
    for (const start = Date.now(); !/ws:[^]*Ctrl-C/.test(text) && Date.now() < start + HANG; ) await wait(20);
    const [, port] = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(text);
    const client = new FoxgloveClient({ ws: new WebSocket(`ws://127.0.0.1:${port}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
    const channels = await new Promise((resolve) => client.on("advertise", resolve));
    const topics = new Map(channels.map((channel) => [channel.topic, channel]));
    assert.equal(topics.get("/rov/forward/points").schemaName, "foxglove.PointCloud");
    const wanted = new Map(["/rov/forward/points", "/tf"].map((topic) => [client.subscribe(topics.get(topic).id), topic]));
    const clouds = [];
    let frames;
    await new Promise((resolve, reject) => {
      client.on("message", ({ subscriptionId, data }) => {
        const value = JSON.parse(new TextDecoder().decode(data));
        if (wanted.get(subscriptionId) === "/tf") frames = value.transforms;
        else clouds.push(value);
        if (clouds.length >= 10 && frames !== undefined) resolve();
      });
      wait(HANG, null, { ref: false }).then(() => reject(new Error("no clouds")));
    });
    client.close();
    const times = clouds.map(({ timestamp }) => 10 * (timestamp.sec + 1e-9 * timestamp.nsec));
    // the first moment of each tenth of a second at which the world could be looked at; a busy machine may leave some out
    times.slice(1).forEach((time, i) => assert.ok(Math.floor(time + 1e-3) > Math.floor(times[i] + 1e-3), `${times}`));
    for (const cloud of clouds) checkWall(cloud, frames);
    return clouds.length;
  } finally {
    live.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  const pings = await readClouds();
  const port = await findPort();
  const count = await readStream(port);

  const head = (lines) => `GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${lines}\r\n`;
  // the example of RFC 6455, 1.3
  assert.match(await ask(port, head("Sec-WebSocket-Protocol: foxglove.sdk.v1, foxglove.websocket.v1\r\n")), /s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
  assert.match(await ask(port, head("Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n")), /400 .*The subprotocol foxglove\.websocket\.v1 is spoken here/s);
  assert.match(await ask(port, head("Origin: https://evil.example\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n")), /^HTTP\/1\.1 403/);
  assert.match(await ask(port, head("Origin: https://app.foxglove.dev\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n")), /^HTTP\/1\.1 101/);
  assert.match(await ask(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), /^HTTP\/1\.1 426/);
  assert.match(await ask(port, "x".repeat(20000)), /^HTTP\/1\.1 431/);
  await ask(port, "\0\r\n\r\n", 1000);

  // frames that are none, and messages that are no JSON: a sentence or the end, and the stream goes on for others
  for (const bytes of [[0x81, 0x05, 1, 2, 3, 4, 5], [0xf1, 0x80, 0, 0, 0, 0], [0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0], [0x89, 0xfe, 0, 200]]) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(head("Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n"));
    await once(socket, "data");
    socket.write(Buffer.from(bytes));
    await Promise.race([once(socket, "close"), wait(1000)]);
    socket.destroy();
  }
  const bad = new WebSocket(`ws://127.0.0.1:${port}`, ["foxglove.websocket.v1"]);
  const answers = [];
  bad.on("message", (data, binary) => binary || answers.push(JSON.parse(data.toString())));
  await once(bad, "open");
  for (const text of ["{", "[]", "{}", '{"op":"subscribe"}', '{"op":"subscribe","subscriptions":[{"id":1,"channelId":999}]}', '{"op":"advertise"}'])
    bad.send(text);
  const refused = () => answers.filter((answer) => answer.op === "status").length;
  for (const start = Date.now(); refused() < 4 && Date.now() < start + HANG; ) await wait(20);
  assert.ok(refused() >= 4);
  bad.close();
  await readStream(port);
  server.kill("SIGTERM");
  const [code] = await ended;
  assert.equal(code, 0);
  // those that were told the protocol are clients, those that were turned away are not
  const [, clients, away] = /Foxglove: (\d+) clients, \d+ messages, .* (\d+) connections refused/.exec(output).map(Number);
  assert.equal(clients, 9);
  assert.ok(away >= 4, output);
  console.log(`${pings} pings, ${count} messages of /world, then refused and malformed clients survived`);
} finally {
  server.kill("SIGKILL");
}

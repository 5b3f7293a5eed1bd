// An autopilot at the other end of ArduPilot's JSON simulator interface, written from its wire format alone: binary servo
// packets out, one line of JSON back, read as SIM_JSON.cpp reads it (first place of a name, "key":value without spaces).
// It drives `hawser serve` as a small ArduSub would: arms, dives and holds a depth in a current with the tether out.
//
//     node ardupilot_peer.mjs HAWSER SCENE
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import assert from 'node:assert/strict';

const [program, scene] = process.argv.slice(2);
const PORT = 20000 + (process.pid % 20000);
const RATE = 200;

// ArduSub's frame "vectored 6DOF" (AP_Motors6DOF.cpp): roll, pitch, yaw, throttle, forward, lateral of each motor.
const MOTORS = [
    [0, 0, 1, 0, -1, 1], [0, 0, -1, 0, -1, -1], [0, 0, -1, 0, 1, 1], [0, 0, 1, 0, 1, -1],
    [1, -1, 0, -1, 0, 0], [-1, -1, 0, -1, 0, 0], [1, 1, 0, -1, 0, 0], [-1, 1, 0, -1, 0, 0],
];

function packet(frame, pulses, rate = RATE, magic = pulses.length === 16 ? 18458 : 29569) {
    const data = Buffer.alloc(8 + 2 * pulses.length);
    data.writeUInt16LE(magic, 0);
    data.writeUInt16LE(rate, 2);
    data.writeUInt32LE(frame, 4);
    pulses.forEach((pulse, i) => data.writeUInt16LE(pulse, 8 + 2 * i));
    return data;
}

// As SIM_JSON.cpp: the first place of the key, two characters on, a number or a list.
function field(text, key) {
    const at = text.indexOf(key);
    if (at < 0) return undefined;
    const rest = text.slice(at + key.length + 2);
    if (rest[0] !== '[') return parseFloat(rest);
    return rest.slice(1, rest.indexOf(']')).split(',').map(Number);
}

function readState(message) {
    const text = message.toString();
    assert.ok(text.startsWith('\n{') && text.endsWith('}\n'), `a line break before and after: ${JSON.stringify(text)}`);
    JSON.parse(text); // it is JSON too
    assert.doesNotMatch(text, /nan|inf|: | :/i);
    return {
        time: field(text, 'timestamp'), gyro: field(text, 'gyro'), accel: field(text, 'accel_body'),
        position: field(text, 'position'), q: field(text, 'quaternion'), velocity: field(text, 'velocity'),
        range: field(text, 'rng_1'),
    };
}

// Angles of a quaternion that takes forward-right-down to north-east-down.
function angles([w, x, y, z]) {
    return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(2 * (w * y - z * x)),
        Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

// Axes in -1..1 to pulses, as AP_Motors6DOF mixes them.
function mix(roll, pitch, yaw, throttle, forward, lateral) {
    const axes = [roll, pitch, yaw, throttle, forward, lateral];
    const pulses = MOTORS.map((factors) => {
        const sum = factors.reduce((total, factor, i) => total + factor * axes[i], 0);
        return Math.round(1500 + 400 * Math.max(-1, Math.min(1, sum)));
    });
    while (pulses.length < 16) pulses.push(0);
    return pulses;
}

const child = spawn(program, ['serve', scene, '--ardupilot', String(PORT)], { stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
child.stdout.on('data', (data) => { output += data; });
const socket = dgram.createSocket('udp4');
let arrived = [], waiting = null;
socket.on('message', (message) => {
    if (waiting) { const resolve = waiting; waiting = null; resolve(message); } else arrived.push(message);
});
const send = (data) => new Promise((resolve) => socket.send(data, PORT, '127.0.0.1', resolve));
function receive(timeout = 5000) {
    if (arrived.length > 0) return Promise.resolve(arrived.shift());
    return new Promise((resolve) => {
        const timer = setTimeout(() => { waiting = null; resolve(null); }, timeout);
        waiting = (message) => { clearTimeout(timer); resolve(message); };
    });
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let frame = 0;
async function step(pulses) {
    await send(packet(++frame, pulses));
    const message = await receive();
    assert.ok(message, `no answer to frame ${frame}`);
    return readState(message);
}

async function fly() {
    for (let i = 0; i < 500 && !output.includes('Ctrl-C ends it.'); ++i) await sleep(20);
    assert.match(output, new RegExp(`ArduPilot: waiting for ArduSub on UDP 127.0.0.1:${PORT}, in lock-step`));

    // at rest and level an accelerometer feels -g along down
    let state = await step(mix(0, 0, 0, 0, 0, 0));
    assert.ok(Math.abs(state.accel[2] + 9.81) < 0.5, `specific force ${state.accel}`);
    assert.ok(state.position[2] > 0, 'down is positive');
    assert.ok(state.range > 0, 'the bottom is seen');

    // the same frame again moves nothing; garbage is ignored
    const time = state.time;
    await send(packet(frame, mix(0, 0, 0, 1, 0, 0)));
    assert.equal(readState(await receive()).time, time);
    for (const bad of [Buffer.alloc(0), Buffer.from('hello'), packet(99, mix(0, 0, 0, 0, 0, 0), RATE, 18459),
        packet(99, mix(0, 0, 0, 0, 0, 0), 0), packet(99, mix(0, 0, 0, 0, 0, 0)).subarray(0, 39), Buffer.alloc(1400, 7)]) {
        await send(bad);
    }
    assert.equal(await receive(300), null);

    // lock-step: one step of 1 / rate each; 32 outputs work too
    const wide = mix(0, 0, 0, 0, 0, 0).concat(new Array(16).fill(1500));
    await send(packet(++frame, wide));
    state = readState(await receive());
    assert.ok(Math.abs(state.time - time - 1 / RATE) < 1e-9);

    // each axis of ArduSub's frame moves the vehicle its way
    const axes = [['yaw', [0, 0, 0.5, 0, 0, 0], (s) => s.gyro[2]], ['forward', [0, 0, 0, 0, 0.5, 0], (s) => s.forward],
        ['lateral', [0, 0, 0, 0, 0, 0.5], (s) => s.right], ['throttle', [0, 0, 0, -0.8, 0, 0], (s) => s.velocity[2]],
        ['roll', [0.3, 0, 0, 0, 0, 0], (s) => s.gyro[0]], ['pitch', [0, 0.3, 0, 0, 0, 0], (s) => s.gyro[1]]];
    for (const [name, wanted, read] of axes) {
        const see = (s) => {
            const yaw = angles(s.q)[2];
            s.forward = s.velocity[0] * Math.cos(yaw) + s.velocity[1] * Math.sin(yaw);
            s.right = s.velocity[1] * Math.cos(yaw) - s.velocity[0] * Math.sin(yaw);
            return read(s);
        };
        const before = see(state);
        for (let i = 0; i < 60; ++i) state = await step(mix(...wanted));
        const change = see(state) - before;
        assert.ok(change > 0.01, `${name} moved by ${change}`);
        for (let i = 0; i < 400; ++i) state = await step(stabilise(state));
    }

    // dive to 5 m and hold depth and heading in the current, the tether out
    let sum = 0, depths = [];
    const target = 5, heading = 0;
    for (let i = 0; i < 40 * RATE; ++i) {
        const error = target - state.position[2];
        if (Math.abs(error) < 0.5) sum += error / RATE;
        const down = Math.max(-0.6, Math.min(0.6, 0.8 * error + 0.2 * sum - 0.6 * state.velocity[2]));
        state = await step(stabilise(state, -down, heading));
        if (i >= 30 * RATE) depths.push(state.position[2]);
    }
    const worst = Math.max(...depths.map((d) => Math.abs(d - target)));
    assert.ok(worst < 0.1, `depth was off by ${worst} m`);
    console.log(`held 5 m within ${worst.toFixed(3)} m over 10 s, drifted ${Math.hypot(state.position[0], state.position[1]).toFixed(2)} m`);

    // an autopilot that starts anew counts its frames from the beginning
    frame = 0;
    state = await step(mix(0, 0, 0, 0, 0, 0));
}

// A controller of attitude that would be ArduSub's.
function stabilise(state, throttle = 0, heading = null) {
    const [roll, pitch, yaw] = angles(state.q);
    const [p, q, r] = state.gyro;
    const limit = (value) => Math.max(-0.3, Math.min(0.3, value));
    const turn = heading === null ? 0 : Math.atan2(Math.sin(heading - yaw), Math.cos(heading - yaw));
    return mix(limit(-0.6 * roll - 0.2 * p), limit(-0.6 * pitch - 0.2 * q), limit(0.4 * turn - 0.3 * r), throttle, 0, 0);
}

let status = 0;
try {
    await fly();
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.on('exit', resolve));
    assert.equal(code, 0);
    assert.match(output, /ArduPilot: \d+ packets, 1 repeated, 6 malformed and ignored, \d+ answers, 0 not sent/);
} catch (error) {
    console.error(error);
    console.error(output);
    status = 1;
    child.kill('SIGKILL');
}
socket.close();
process.exit(status);

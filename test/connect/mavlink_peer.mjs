// A ground station made of npm's node-mavlink, at the other end of `hawser serve --mavlink`: it reads every message that the
// vehicle sends, sets parameters, arms, dives, holds the depth, steers by both ways, and falls silent.
//
//     node mavlink_peer.mjs HAWSER FOLDER_WITH_NODE_MODULES
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import dgram from 'node:dgram';
import assert from 'node:assert/strict';

const [program, folder] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const { MavLinkPacketSplitter, MavLinkPacketParser, MavLinkProtocolV2, common, minimal } = require('node-mavlink');
const mappings = ['minimal', 'common', 'standard', 'ardupilotmega'].map((name) => require(`mavlink-mappings/dist/lib/${name}`));
const REGISTRY = Object.assign({}, ...mappings.map((mapping) => mapping.REGISTRY));

const socket = dgram.createSocket('udp4');
await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
const port = socket.address().port;
const child = spawn(program, ['serve', 'bluerov2_heavy', '--mavlink', `127.0.0.1:${port}`, '--origin', '59.9,10.7'],
    { stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
child.stdout.on('data', (data) => { output += data; });

const splitter = new MavLinkPacketSplitter();
const parser = splitter.pipe(new MavLinkPacketParser());
let vehicle = null;
const latest = {}, named = {}, parameters = {}, texts = [], acknowledgements = [];
let unknown = 0;
socket.on('message', (data, from) => { vehicle = from; splitter.write(data); });
parser.on('data', (packet) => {
    const type = REGISTRY[packet.header.msgid];
    if (!type) { unknown += 1; return; }
    const message = packet.protocol.data(packet.payload, type);
    latest[type.MSG_NAME] = message;
    if (type.MSG_NAME === 'NAMED_VALUE_FLOAT') named[message.name] = message.value;
    if (type.MSG_NAME === 'PARAM_VALUE') parameters[message.paramId] = message;
    if (type.MSG_NAME === 'STATUSTEXT') texts.push(message.text);
    if (type.MSG_NAME === 'COMMAND_ACK') acknowledgements.push(message);
});

const protocol = new MavLinkProtocolV2(255, 190);
let sequence = 0;
function send(message) {
    const data = protocol.serialize(message, sequence++ % 256);
    socket.send(data, vehicle.port, vehicle.address);
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// A limit against hanging only: a busy machine may take its time.
async function until(what, condition, seconds = 120) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
        if (condition()) return;
        await sleep(20);
    }
    throw new Error(`waited in vain for: ${what}`);
}
// s of the vehicle's own time: on a busy machine it goes more slowly than the clock
const time = () => latest.ATTITUDE.timeBootMs / 1000;
async function command(number, params = []) {
    const message = new common.CommandLong();
    message.command = number;
    message.targetSystem = 1;
    message.targetComponent = 1;
    params.forEach((value, i) => { message[`_param${i + 1}`] = value; });
    acknowledgements.length = 0;
    send(message);
    await until(`an answer to command ${number}`, () => acknowledgements.some((a) => a.command === number));
    return acknowledgements.find((a) => a.command === number).result;
}
function steer({ x = 0, y = 0, z = 500, r = 0, buttons = 0 }) {
    const message = new common.ManualControl();
    Object.assign(message, { target: 1, x, y, z, r, buttons });
    send(message);
}
async function repeatFor(seconds, act) {
    const hang = Date.now() + 120_000;
    for (const end = time() + seconds; time() < end; await sleep(50)) {
        assert.ok(Date.now() < hang, 'its time does not pass');
        act();
    }
}
const steerFor = (seconds, sticks) => repeatFor(seconds, () => steer(sticks));
async function press(button) { // and let go
    steer({ buttons: 1 << button });
    await sleep(60);
    steer({});
    await sleep(60);
}
const armed = () => (latest.HEARTBEAT.baseMode & 128) !== 0;
const depth = () => -latest.VFR_HUD.alt;

async function fly() {
    // everything that it sends
    const names = ['HEARTBEAT', 'SYS_STATUS', 'ATTITUDE', 'LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT', 'VFR_HUD',
        'SCALED_PRESSURE2', 'DISTANCE_SENSOR', 'SERVO_OUTPUT_RAW', 'NAMED_VALUE_FLOAT'];
    await until('telemetry', () => names.every((name) => latest[name] !== undefined));
    const values = ['CamTilt', 'CamPan', 'TetherTrn', 'Lights1', 'Lights2', 'PilotGain', 'InputHold', 'RollPitch', 'RFTarget', 'Gripper'];
    await until('named values', () => values.every((name) => named[name] !== undefined));
    assert.equal(latest.HEARTBEAT.type, minimal.MavType.SUBMARINE);
    assert.equal(latest.HEARTBEAT.autopilot, minimal.MavAutopilot.GENERIC);
    assert.equal(latest.HEARTBEAT.customMode, 19);
    assert.equal(latest.SYS_STATUS.batteryRemaining, -1);
    assert.ok(!armed());
    assert.ok(Math.abs(latest.GLOBAL_POSITION_INT.lat - 59.9e7) < 100);
    assert.ok(Math.abs(latest.SCALED_PRESSURE2.pressAbs - 1013.25 - 100.55 * depth()) < 1);
    assert.ok(Math.abs(latest.DISTANCE_SENSOR.currentDistance - 100 * (50 - depth())) < 3);
    assert.equal(latest.SERVO_OUTPUT_RAW.servo1Raw, 1500);

    // parameters: all, one by name, one set, one refused
    const list = new common.ParamRequestList();
    list.targetSystem = 1;
    list.targetComponent = 1;
    send(list);
    await until('parameters', () => Object.keys(parameters).length > 0 &&
        Object.keys(parameters).length === parameters.FS_PILOT_INPUT?.paramCount);
    assert.equal(parameters.FS_PILOT_TIMEOUT.paramValue, 3);
    assert.equal(parameters.BTN6_FUNCTION.paramValue, 3);
    const set = new common.ParamSet();
    Object.assign(set, { targetSystem: 1, targetComponent: 1, paramId: 'SURGE_EXPO', paramValue: 0.5, paramType: 9 });
    delete parameters.SURGE_EXPO;
    send(set);
    await until('the new value', () => parameters.SURGE_EXPO?.paramValue === 0.5);
    set.paramValue = 7;
    delete parameters.SURGE_EXPO;
    send(set);
    await until('the old value', () => parameters.SURGE_EXPO?.paramValue === 0.5);
    const read = new common.ParamRequestRead();
    Object.assign(read, { targetSystem: 1, targetComponent: 1, paramIndex: -1, paramId: 'FS_PILOT_INPUT' });
    delete parameters.FS_PILOT_INPUT;
    send(read);
    await until('one parameter', () => parameters.FS_PILOT_INPUT?.paramValue === 2);

    // commands that it has and has not
    assert.equal(await command(512, [148]), 0);
    await until('its version', () => latest.AUTOPILOT_VERSION !== undefined);
    assert.equal(await command(246, [1]), 3); // reboot
    assert.equal(await command(512, [12345]), 2);
    assert.equal(await command(511, [31, 100000]), 0);
    await until('attitude as quaternion', () => latest.ATTITUDE_QUATERNION !== undefined);
    const missions = new common.MissionRequestList();
    Object.assign(missions, { targetSystem: 1, targetComponent: 1 });
    send(missions);
    await until('that there is no mission', () => latest.MISSION_COUNT?.count === 0);

    // equipment
    assert.equal(await command(205, [-45]), 0);
    assert.equal(await command(211, [1, 0]), 0); // let go: open
    await until('the camera', () => Math.abs(named.CamTilt - 0.25) < 0.01);
    await until('the gripper', () => named.Gripper > 0.9);
    await press(14);
    await press(14);
    await until('the lights', () => Math.abs(named.Lights1 - 0.25) < 0.01);
    await press(11);
    await until('the gain', () => named.PilotGain === 0.75);

    // arm, dive, hold
    assert.equal(await command(400, [1]), 0);
    await until('armed', armed);
    await steerFor(4, { z: 0 });
    const deep = depth();
    assert.ok(deep > 1, `it dived to ${deep} m`);
    const mode = new common.SetMode();
    Object.assign(mode, { targetSystem: 1, baseMode: 1, customMode: 2 });
    send(mode);
    await until('depth hold', () => latest.HEARTBEAT.customMode === 2);
    assert.equal(await command(176, [1, 99]), 2);
    await steerFor(3, {});
    const held = depth();
    await steerFor(1.5, {});
    assert.ok(Math.abs(depth() - held) < 0.1, `depth went from ${held} to ${depth()}`);

    // by pulses, as a radio: forward on channel 5
    const override = new common.RcChannelsOverride();
    Object.assign(override, { targetSystem: 1, targetComponent: 1 });
    for (let i = 1; i <= 8; ++i) override[`chan${i}Raw`] = i === 5 ? 1700 : 65535;
    const before = latest.LOCAL_POSITION_NED;
    await repeatFor(1.5, () => send(override));
    const sent = time();
    await until('what it went after that', () => time() > sent + 0.3);
    const yaw = latest.ATTITUDE.yaw;
    const way = (latest.LOCAL_POSITION_NED.x - before.x) * Math.cos(yaw) + (latest.LOCAL_POSITION_NED.y - before.y) * Math.sin(yaw);
    assert.ok(way > 0.2, `it went ${way} m forward`);
    assert.ok(armed());

    // garbage between good frames
    socket.send(Buffer.from('fd not a frame'), vehicle.port, vehicle.address);
    socket.send(Buffer.from([0xfd, 1, 0, 0, 0, 1, 1, 0, 0, 0, 5, 1, 2]), vehicle.port, vehicle.address);
    socket.send(Buffer.alloc(1400, 0xfd), vehicle.port, vehicle.address);

    // silence: within four seconds it is disarmed, and says why
    const start = time();
    await until('the failsafe', () => !armed());
    const silence = time() - start;
    assert.ok(silence > 1.5 && silence < 5, `disarmed after ${silence} s`);
    assert.ok(texts.includes('Lost manual control') && texts.includes('Disarmed'), texts.join());
    assert.equal(unknown, 0);
}

let status = 0;
try {
    await fly();
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.on('exit', resolve));
    assert.equal(code, 0);
    const counts = /MAVLink: (\d+) frames, 0 of unknown messages, (\d+) malformed and ignored, \d+ sent, 0 not sent/.exec(output);
    assert.ok(counts && Number(counts[1]) > 100 && Number(counts[2]) > 1, output);
    console.log(output.trim().split('\n').pop());
} catch (error) {
    console.error(error);
    console.error(output, texts, named);
    status = 1;
    child.kill('SIGKILL');
}
socket.close();
process.exit(status);

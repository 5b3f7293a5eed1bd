import { readFileSync } from "node:fs";
import { defaultSettings } from "../../src/settings";
import { ArmSender, jointRates, tipRates } from "../../src/input/arm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KEYBOARD_ONE_HAND, KEYBOARD_PRESETS, KEYBOARD_TWO_HANDS, PAD_ARDUSUB, PAD_COCKPIT, PAD_JOYSTICK, PAD_PRESETS, controlName,
    type Control, type InputMap } from "../../src/input/bindings";
import { calibrate, CalibrationRun, UNCALIBRATED } from "../../src/input/calibration";
import { messageFor } from "../../src/input/commands";
import { InputHub } from "../../src/input/hub";
import { easeStep, hatPressed, pressedActions, readAxes, type DeviceState } from "../../src/input/mapping";
import { controlHint, instrumentOf } from "../../src/input/named";
import { PilotSender, type PilotMessage } from "../../src/input/pilot";
import { bindAction, bindAxis, PadListener } from "../../src/input/remap";

function state(keys: string[] = [], axes: number[] = [], buttons: number[] = []): DeviceState {
    const pressed = new Array<number>(17).fill(0);
    for (const index of buttons) pressed[index] = 1;
    return { keys: new Set(keys), pad: { axes: axes.length ? axes : [0, 0, 0, 0], buttons: pressed }, calibration: [] };
}

describe("controls that lessons name", () => {
    const settings = defaultSettings();
    // lessons name nothing else: io/schema_lesson.c
    const named = [...readFileSync("../io/schema_lesson.c", "utf8").split("hwLessonControlChoices[] = {")[1]!.split("{NULL")[0]!.matchAll(/"(\w+)"/g)].map((match) => match[1]!);

    it("are said as the device in hand has them", () => {
        expect(["arm", "mode_hold", "forward", "down", "turn_left", "lights_up"].map((name) => controlHint(name, settings, "keys"))).toEqual(["Enter", "5", "W", "F", "Q", "]"]);
        expect(["arm", "mode_hold", "forward", "back", "turn_left"].map((name) => controlHint(name, settings, "pad")))
            .toEqual(["Start", "A + X", "left stick, ahead", "left stick, back", "right stick, to the left"]);
        expect(["arm", "mode_hold", "forward", "down", "tether_out"].map((name) => controlHint(name, settings, "touch"))).toEqual(["Arm", "Hold", "left stick up", "right stick down", "Out"]);
        const joystick = { ...settings, pad: { preset: "joystick" as const, map: PAD_JOYSTICK } };
        expect(["arm", "forward", "turn_right"].map((name) => controlHint(name, joystick, "pad"))).toEqual(["Button 1", "Axis 2 ahead", "Axis 1 to the right"]);
        const one = { ...settings, keyboard: { preset: "one_hand" as const, map: KEYBOARD_ONE_HAND } };
        expect(["forward", "turn_right"].map((name) => controlHint(name, one, "keys"))).toEqual(["Up", "Right"]);
    });

    it("are all known to the page", () => {
        expect(named.length).toBeGreaterThan(25);
        for (const name of named) expect(controlHint(name, settings, "keys"), name).not.toBe("");
        expect(instrumentOf("down")).toBe(".depth-panel");
        expect(instrumentOf("gripper_open")).toBe(".item.gripper");
    });
});

describe("the presets", () => {
    it("fly with the sticks as Cockpit and ArduSub do", () => {
        // left stick forward and right, right stick up and turned right: browsers count down as positive
        const { sticks } = readAxes([PAD_COCKPIT], state([], [0.3, -0.8, 0.5, -0.4]));
        expect(sticks).toEqual([0.8, 0.3, 0.4, 0.5]);
        expect(readAxes([PAD_ARDUSUB], state([], [0.3, -0.8, 0.5, -0.4])).sticks).toEqual(sticks);
    });

    it("hold ArduSub's default buttons", () => {
        const expected: [number, string][] = [[1, "mode_manual"], [2, "mode_depth"], [3, "mode_stabilize"], [8, "disarm"], [9, "arm"], [10, "tilt_center"],
            [11, "input_hold"], [4, "tilt_down"], [5, "tilt_up"], [12, "gain_up"], [13, "gain_down"], [14, "lights_down"], [15, "lights_up"]];
        for (const [button, action] of expected) expect([...pressedActions([PAD_ARDUSUB], state([], [], [button]))]).toEqual([action]);
    });

    it("give Cockpit's buttons a second meaning under A", () => {
        expect([...pressedActions([PAD_COCKPIT], state([], [], [7]))]).toEqual(["tilt_up"]);
        expect([...pressedActions([PAD_COCKPIT], state([], [], [0, 7]))]).toEqual(["shift", "gripper_open"]);
        expect([...pressedActions([PAD_COCKPIT], state([], [], [0, 2]))]).toEqual(["shift", "mode_hold"]);
    });

    it("give the joystick of the micro ROV simulator its table", () => {
        const { sticks } = readAxes([PAD_JOYSTICK], state([], [0.6, -0.5, 0.25]));
        expect(sticks).toEqual([0.5, 0, -0.25, 0.6]);
        const names = [1, 2, 3, 4, 5, 6, 7].map((button) => [...pressedActions([PAD_JOYSTICK], state([], [], [button]))][0]);
        expect(names).toEqual(["axes", "view_control", "view_reset", "gripper_close", "gripper_open", "lights_down", "lights_up"]);
        const hat = (value: number): unknown => [...pressedActions([PAD_JOYSTICK], state([], [0, 0, 0, 0, 0, 0, 0, 0, 0, value]))][0];
        // eight directions clockwise from up in steps of 2/7
        expect([-1, -1 + 4 / 7, -1 + 8 / 7, -1 + 12 / 7, 1.28].map(hat)).toEqual(["tilt_up", "zoom_in", "tilt_down", "zoom_out", undefined]);
    });

    it("use no control twice", () => {
        const maps: [string, InputMap][] = [...Object.entries(KEYBOARD_PRESETS), ...Object.entries(PAD_PRESETS)].map(([name, preset]) => [name, preset.map]);
        for (const [name, map] of maps) {
            const used = Object.values(map.actions).flat().map((control: Control) => `${control.device} ${controlName(control)}`);
            const axes = Object.values(map.axes).flat().flatMap((control) => (control.device === "keys" ? [control.plus, control.minus] : []));
            expect(new Set(used).size, name).toBe(used.length);
            const codes = Object.values(map.actions).flat().flatMap((control: Control) => (control.device === "key" ? [control.code] : []));
            for (const code of axes) expect(codes, name).not.toContain(code);
        }
    });

    it("fly with the keyboard, with both hands or one", () => {
        expect(readAxes([KEYBOARD_TWO_HANDS], state(["KeyW", "KeyA", "KeyR", "KeyQ"])).steps).toEqual([1, -1, 1, -1]);
        expect(readAxes([KEYBOARD_ONE_HAND], state(["ArrowDown", "ArrowRight", "PageUp"])).steps).toEqual([-1, 0, 1, 1]);
    });
});

describe("hats", () => {
    it("press two directions at a corner", () => {
        const upRight = -1 + 2 / 7;
        expect(hatPressed(upRight, "up") && hatPressed(upRight, "right")).toBe(true);
        expect(hatPressed(upRight, "down")).toBe(false);
    });
});

describe("keys as axes", () => {
    it("reach the end in a quarter of a second and let go in an eighth", () => {
        let value = 0;
        let steps = 0;
        while (value < 0.9999) {
            value = easeStep(value, 1, 1 / 60);
            ++steps;
        }
        expect(steps).toBe(15);
        steps = 0;
        while (value > 0.0001) {
            value = easeStep(value, 0, 1 / 60);
            ++steps;
        }
        expect(steps).toBe(8);
    });
});

describe("calibration", () => {
    it("maps an uneven stick to the full range with a true centre", () => {
        const calibration = { low: -0.8, centre: 0.1, high: 0.9 };
        expect([-0.8, 0.1, 0.9, -0.35, 2].map((reading) => calibrate(calibration, reading))).toEqual([-1, 0, 1, expect.closeTo(-0.5, 12), 1]);
    });
    it("learns from rest and movement", () => {
        const run = new CalibrationRun();
        for (const noise of [0.04, 0.05, 0.06, 0.9]) run.feed([noise, -1]);
        run.startMoving();
        for (const value of [-0.7, 0, 0.95]) run.feed([value, -1]);
        const [stick, lever] = run.finish();
        // the median of the resting readings: the one bump does not count
        expect(stick).toEqual({ low: -0.7, centre: 0.06, high: 0.95 });
        expect(lever).toEqual({ ...UNCALIBRATED, centre: -1 });
    });
});

describe("remapping", () => {
    it("takes the control from whatever had it", () => {
        const map = structuredClone(KEYBOARD_TWO_HANDS);
        const robbed = bindAction(map, "mark", { device: "key", code: "KeyV" });
        expect(robbed).toEqual(["view_next"]);
        expect([...pressedActions([map], state(["KeyV"]))]).toEqual(["mark"]);
    });
    it("lets no control both fly and act", () => {
        const map = structuredClone(KEYBOARD_TWO_HANDS);
        expect(bindAction(map, "mark", { device: "key", code: "KeyW" })).toEqual(["surge"]);
        expect(map.axes.surge).toEqual([]);
        // an axis takes both of its keys, from actions and from another axis; with shift a key is another control
        expect(bindAction(map, "mute", { device: "key", code: "KeyA", shift: true })).toEqual([]);
        expect(bindAxis(map, "heave", { device: "keys", plus: "KeyA", minus: "KeyM" }).sort()).toEqual(["sway"]);
        expect(bindAxis(map, "surge", { device: "keys", plus: "KeyT", minus: "KeyG" }).sort()).toEqual(["tilt_down", "tilt_up"]);
        expect(bindAxis(map, "surge", { device: "keys", plus: "KeyT", minus: "KeyG" })).toEqual([]);
        expect(map.axes.surge).toEqual([{ device: "keys", plus: "KeyT", minus: "KeyG" }]);
    });
    it("hears a button, and a stick that leaves its rest", () => {
        const listener = new PadListener({ axes: [0, -1], buttons: [0, 1] });
        expect(listener.button({ axes: [0, -1], buttons: [0, 1] })).toBeNull();
        expect(listener.button({ axes: [0, -1], buttons: [1, 1] })).toEqual({ device: "button", index: 0 });
        expect(listener.stick({ axes: [0.1, 0.2], buttons: [] })).toEqual({ index: 1, sign: 1 });
        expect(listener.stick({ axes: [0.1, -1], buttons: [] })).toBeNull();
    });
});

describe("the pilot's messages", () => {
    function sender() {
        const sent: PilotMessage[] = [];
        return { sent, pilot: new PilotSender((message) => { sent.push(message); return true; }) };
    }
    it("are silent at rest, and repeat while a stick is held", () => {
        const { sent, pilot } = sender();
        for (let now = 0; now < 1; now += 1 / 60) pilot.update([0, 0, 0, 0], now);
        expect(sent.length).toBe(0);
        for (let now = 1; now < 2; now += 1 / 60) pilot.update([0.5, 0, 0, 0], now);
        expect(sent.length).toBeGreaterThanOrEqual(4); // every 250 ms is asked for
        expect(sent.length).toBeLessThanOrEqual(6);
        expect(sent.every((message) => message.axes[0] === 0.5)).toBe(true);
    });
    it("come at most sixty times a second, however fast the page draws", () => {
        const { sent, pilot } = sender();
        for (let i = 0; i < 240; ++i) pilot.update([Math.sin(i), 0, 0, 0], i / 240);
        expect(sent.length).toBeLessThanOrEqual(61);
    });
    it("say zero at once when the page loses the focus", () => {
        const { sent, pilot } = sender();
        pilot.update([1, 0, 0, 0], 0);
        pilot.zero(0.001);
        expect(sent.at(-1)!.axes).toEqual([0, 0, 0, 0]);
        pilot.zero(0.002);
        expect(sent.length).toBe(2);
    });
    it("keep the axes while input hold is on, and count on", () => {
        const { sent, pilot } = sender();
        pilot.update([0.4, 0, 0, 0], 0);
        pilot.toggleHold([0.4, 0, 0, 0], 0.1);
        pilot.update([0, 0, 0, 0], 0.5);
        expect(sent.at(-1)).toMatchObject({ axes: [0.4, 0, 0, 0], hold: true });
        pilot.toggleHold([0, 0, 0, 0], 1);
        expect(sent.at(-1)!.hold).toBeUndefined();
        expect(sent.map((message) => message.seq)).toEqual([1, 2, 3]);
    });
    it("try again when the connection did not take them", () => {
        let open = false;
        const sent: PilotMessage[] = [];
        const pilot = new PilotSender((message) => { if (open) sent.push(message); return open; });
        pilot.update([1, 0, 0, 0], 0);
        open = true;
        pilot.update([1, 0, 0, 0], 0.02);
        expect(sent.length).toBe(1);
    });
});

describe("actions", () => {
    it("stop what they began when released", () => {
        expect(messageFor("tilt_up", true, true, 0.5)).toMatchObject({ name: "camera_tilt_rate_deg", value: 35 });
        expect(messageFor("tilt_up", false, true, 0.5)).toMatchObject({ value: 0 });
        expect(messageFor("tether_out", true, true, 0.7)).toEqual({ type: "tether", action: "pay_out", rate: 0.7 });
        expect(messageFor("tether_out", false, true, 0.7)).toEqual({ type: "tether", action: "hold" });
        expect(messageFor("gripper_open", false, true, 0.5)).toMatchObject({ value: "stop" });
    });
    it("arm and disarm in turn", () => {
        expect(messageFor("arm_toggle", true, false, 0.5)).toMatchObject({ name: "arm", value: true });
        expect(messageFor("arm_toggle", true, true, 0.5)).toMatchObject({ name: "arm", value: false });
        expect(messageFor("arm", false, false, 0.5)).toBeNull();
    });
});

describe("keys pressed between two pictures", () => {
    const did: string[] = [];
    let hub: InputHub;
    let listeners: Map<string, (event: unknown) => void>;

    const key = (type: "keydown" | "keyup", code: string): void => listeners.get(type)!({ code, target: null, preventDefault: () => undefined });
    const press = (code: string): void => {
        key("keydown", code);
        key("keyup", code);
    };

    beforeEach(() => {
        for (const name of ["HTMLElement", "HTMLInputElement", "HTMLTextAreaElement", "HTMLSelectElement"]) vi.stubGlobal(name, class {});
        vi.stubGlobal("navigator", {});
        listeners = new Map();
        const target = { addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener), document: { addEventListener: () => undefined } };
        did.length = 0;
        hub = new InputHub(target as unknown as Window, { action: (action, pressed) => did.push(pressed ? action : `-${action}`), zeroed: () => undefined, pads: () => undefined });
        hub.maps = [KEYBOARD_TWO_HANDS];
    });
    afterEach(() => {
        vi.unstubAllGlobals();
    });
    /** What happens without shift itself. */
    const poll = (): string[] => {
        hub.poll(0.02);
        return did.splice(0).filter((action) => !action.endsWith("shift"));
    };

    it("act with the shift that was held when they went down, wherever a picture falls", () => {
        const strokes: (() => void)[] = [() => key("keydown", "ShiftLeft"), () => key("keydown", "KeyO"), () => key("keyup", "KeyO"), () => key("keyup", "ShiftLeft")];
        for (let pictures = 0; pictures < 1 << strokes.length; ++pictures) {
            const seen: string[] = [];
            strokes.forEach((stroke, i) => {
                stroke();
                if ((pictures >> i) & 1) seen.push(...poll());
            });
            seen.push(...poll(), ...poll());
            expect(seen).toEqual(["forecast_haul"]);
        }
    });
    it("act each, in their order", () => {
        press("KeyY");
        key("keydown", "ShiftLeft");
        press("KeyY");
        key("keyup", "ShiftLeft");
        press("KeyO");
        press("KeyO");
        expect(poll()).toEqual(["forecast_home", "forecast_ahead", "overlay", "overlay"]);
        expect(poll()).toEqual([]);
    });
    it("begin nothing else when shift comes or goes before they do", () => {
        key("keydown", "ShiftLeft");
        key("keydown", "KeyO");
        expect(poll()).toEqual(["forecast_haul"]);
        key("keyup", "ShiftLeft");
        expect(poll()).toEqual([]);
        expect(poll()).toEqual([]);
        key("keydown", "ShiftLeft");
        expect(poll()).toEqual([]);
        key("keyup", "KeyO");
        expect(poll()).toEqual([]);
        key("keydown", "KeyO");
        expect(poll()).toEqual(["forecast_haul"]);
    });
    it("last for one picture at least", () => {
        press("KeyG");
        expect(poll()).toEqual(["tilt_down"]);
        expect(hub.isActive("tilt_down")).toBe(true);
        expect(poll()).toEqual(["-tilt_down"]);
        press("KeyW");
        hub.poll(0.02);
        expect(hub.axes[0]).toBeGreaterThan(0);
    });
});

describe("sticks that move an arm", () => {
    const entry = { name: "rov.arm", tool: true, jaw: true, joints: Array.from({ length: 6 }, (_, i) => ({ name: `j${i}`, slides: false, low: -1, high: 1 })) };

    it("move its tip along the vehicle's axes, and with shift turn the hand", () => {
        expect(tipRates([1, 0.5, -0.25, 0], false)).toEqual([1, -0.5, -0.25, 0, 0, -0]);
        expect(tipRates([1, 0.5, -0.25, 1], true)).toEqual([0, 0, 0, 0.5, 0.25, -1]);
        expect(jointRates([0, 1, 0.5, -1], false, 6)).toEqual([1, 0.5, 0, 1, 0, 0]);
        expect(jointRates([0, 1, 0.5, -1], true, 6)).toEqual([0, 0, 0, 0, 1, 0.5]);
    });

    it("send rates while something moves, the same again now and then, and one word at the end", () => {
        const sent: object[] = [];
        const sender = new ArmSender((message) => sent.push(message) > 0);
        sender.next([entry], 0);
        sender.update(entry, [0, 0, 0, 0], false, 0, 0);
        expect(sent).toEqual([]);
        sender.update(entry, [1, 0, 0, 0], false, 0, 0.1);
        sender.update(entry, [1, 0, 0, 0], false, 0, 0.2);
        sender.update(entry, [1, 0, 0, 0], false, 0, 0.5);
        sender.update(entry, [0, 0, 0, 0], false, 0, 0.51);
        sender.update(entry, [0, 0, 0, 0], false, 0, 2);
        expect(sent.map((message) => (message as { tool: number[] }).tool[0])).toEqual([1, 1, 0]);
        sender.mode = "joint";
        sender.update(entry, [0, 0, 0, 0], false, -1, 3);
        expect(sent.at(-1)).toEqual({ type: "manipulate", arm: 0, joints: [0, 0, 0, 0, 0, 0], jaw: -1 });
        sender.next([entry], 4);
        expect(sender.chosen).toBe(-1);
        expect(sent.at(-1)).toEqual({ type: "manipulate", arm: 0, joints: [], jaw: 0 });
    });
});

// Which key, button or stick does what. A map is data: it is stored, edited in the menu, and comes in presets.

import type { PilotAxis } from "../net/messages";
import type { ActionId } from "./actions";

export type HatDirection = "up" | "right" | "down" | "left";

/** A control that is pressed or not. `shift`: acts only while the shift control is held, the others only while it is not. */
export type Control =
    | { device: "key"; code: string; shift?: boolean }
    | { device: "button"; index: number; shift?: boolean }
    | { device: "stick"; index: number; sign: 1 | -1; shift?: boolean }
    | { device: "hat"; index: number; direction: HatDirection; shift?: boolean };

/** A control with a range: a stick's axis, or a pair of keys or buttons. */
export type AxisControl =
    | { device: "keys"; plus: string; minus: string }
    | { device: "stick"; index: number; sign: 1 | -1 }
    | { device: "buttons"; plus: number; minus: number };

export interface InputMap {
    axes: Record<PilotAxis, AxisControl[]>;
    actions: Partial<Record<ActionId, Control[]>>;
}

const key = (code: string, shift = false): Control => (shift ? { device: "key", code, shift } : { device: "key", code });
const button = (index: number, shift = false): Control =>
    (shift ? { device: "button", index, shift } : { device: "button", index });
const keys = (plus: string, minus: string): AxisControl[] => [{ device: "keys", plus, minus }];
const stick = (index: number, sign: 1 | -1): AxisControl[] => [{ device: "stick", index, sign }];
const hat = (direction: HatDirection): Control => ({ device: "hat", index: 9, direction });

const KEY_ACTIONS: InputMap["actions"] = {
    shift: [key("ShiftLeft"), key("ShiftRight")],
    arm: [key("Enter")],
    disarm: [key("Backspace")],
    gain_up: [key("Equal"), key("NumpadAdd")],
    gain_down: [key("Minus"), key("NumpadSubtract")],
    input_hold: [key("KeyH")],
    reset_turns: [key("Digit0")],
    mode_manual: [key("Digit1")],
    mode_stabilize: [key("Digit2")],
    mode_depth: [key("Digit3")],
    mode_heading: [key("Digit4")],
    mode_hold: [key("Digit5")],
    mode_altitude: [key("Digit6")],
    mode_station: [key("Digit7")],
    tilt_up: [key("KeyT")],
    tilt_down: [key("KeyG")],
    tilt_center: [key("KeyC")],
    zoom_in: [key("KeyX")],
    zoom_out: [key("KeyZ")],
    lights_up: [key("BracketRight")],
    lights_down: [key("BracketLeft")],
    gripper_open: [key("KeyL")],
    gripper_close: [key("KeyK")],
    tether_out: [key("Period")],
    tether_in: [key("Comma")],
    tether_hold: [key("Slash")],
    tether_auto: [key("Slash", true)],
    view_next: [key("KeyV")],
    view_previous: [key("KeyV", true)],
    view_pilot: [key("KeyP")],
    view_reset: [key("KeyB")],
    view_control: [key("KeyN")],
    view_left: [key("ArrowLeft")],
    view_right: [key("ArrowRight")],
    view_up: [key("ArrowUp")],
    view_down: [key("ArrowDown")],
    axes: [key("KeyJ")],
    overlay: [key("KeyO")],
    forecast_home: [key("KeyY")],
    forecast_ahead: [key("KeyY", true)],
    forecast_haul: [key("KeyO", true)],
    arm_select: [key("Digit8")],
    arm_mode: [key("Digit9")],
    sonar: [key("Semicolon")],
    sonar_next: [key("Semicolon", true)],
    sonar_longer: [key("Quote")],
    sonar_shorter: [key("Quote", true)],
    sensors: [key("Backslash")],
    pause: [key("Space"), key("F8")],
    mark: [key("KeyI")],
    hud: [key("KeyU")],
    mute: [key("KeyM")],
    help: [key("F1")],
    menu: [key("Escape")],
};

/** Both hands on the letters. */
export const KEYBOARD_TWO_HANDS: InputMap = {
    axes: {
        surge: keys("KeyW", "KeyS"),
        sway: keys("KeyD", "KeyA"),
        heave: keys("KeyR", "KeyF"),
        yaw: keys("KeyE", "KeyQ"),
    },
    actions: KEY_ACTIONS,
};

/** The right hand alone flies: arrows and the block above them. The viewpoint moves with the mouse. */
export const KEYBOARD_ONE_HAND: InputMap = {
    axes: {
        surge: keys("ArrowUp", "ArrowDown"),
        sway: keys("End", "Delete"),
        heave: keys("PageUp", "PageDown"),
        yaw: keys("ArrowRight", "ArrowLeft"),
    },
    actions: { ...KEY_ACTIONS, view_left: [], view_right: [], view_up: [], view_down: [] },
};

// Standard gamepad: 0 A, 1 B, 2 X, 3 Y, 4 LB, 5 RB, 6 LT, 7 RT, 8 Back, 9 Start, 10 and 11 sticks pressed, 12 up, 13 down,
// 14 left, 15 right, 16 Guide.
const STICKS: InputMap["axes"] = { surge: stick(1, -1), sway: stick(0, 1), heave: stick(3, -1), yaw: stick(2, 1) };

const PAD_COMMON: InputMap["actions"] = {
    arm: [button(9)],
    disarm: [button(8)],
    mode_manual: [button(1)],
    mode_depth: [button(2)],
    mode_stabilize: [button(3)],
    tilt_center: [button(10)],
    input_hold: [button(11)],
    gain_up: [button(12)],
    gain_down: [button(13)],
    lights_down: [button(14)],
    lights_up: [button(15)],
};

/** As Cockpit, the Blue Robotics ground station, has it; what it leaves free carries the tether and the zoom. */
export const PAD_COCKPIT: InputMap = {
    axes: STICKS,
    actions: {
        ...PAD_COMMON,
        shift: [button(0)],
        sonar: [button(16)],
        view_previous: [button(4)],
        view_next: [button(5)],
        tilt_down: [button(6)],
        tilt_up: [button(7)],
        gripper_close: [button(6, true)],
        gripper_open: [button(7, true)],
        arm_select: [button(4, true)],
        arm_mode: [button(5, true)],
        mode_hold: [button(2, true)],
        mode_heading: [button(3, true)],
        zoom_out: [button(14, true)],
        zoom_in: [button(15, true)],
        tether_out: [button(12, true)],
        tether_in: [button(13, true)],
        tether_hold: [button(1, true)],
        reset_turns: [button(10, true)],
        view_control: [button(11, true)],
        menu: [button(9, true)],
        pause: [button(8, true)],
    },
};

/** The defaults of ArduSub's firmware; triggers, which it leaves free, work the gripper. */
export const PAD_ARDUSUB: InputMap = {
    axes: STICKS,
    actions: {
        ...PAD_COMMON,
        shift: [button(16)],
        tilt_down: [button(4)],
        tilt_up: [button(5)],
        gripper_close: [button(6)],
        gripper_open: [button(7)],
        view_next: [button(0)],
        tether_out: [button(12, true)],
        tether_in: [button(13, true)],
        tether_hold: [button(1, true)],
        zoom_out: [button(14, true)],
        zoom_in: [button(15, true)],
        arm_select: [button(4, true)],
        arm_mode: [button(5, true)],
        mode_hold: [button(2, true)],
        mode_heading: [button(3, true)],
    },
};

/**
 * A joystick as in the micro ROV simulator of Fabekovic, Eskinja and Vukic, table 1 (its "roll" is yaw: the vehicle has no
 * roll). Buttons are numbered from 1 there. The hat is axis 9 of most sticks; those with a standard mapping have buttons.
 */
export const PAD_JOYSTICK: InputMap = {
    axes: { surge: stick(1, -1), sway: [], heave: stick(2, -1), yaw: stick(0, 1) },
    actions: {
        arm_toggle: [button(0)],
        axes: [button(1)],
        view_control: [button(2)],
        view_reset: [button(3)],
        gripper_close: [button(4)],
        gripper_open: [button(5)],
        lights_down: [button(6)],
        lights_up: [button(7)],
        tilt_up: [hat("up"), button(12)],
        zoom_in: [hat("right"), button(15)],
        tilt_down: [hat("down"), button(13)],
        zoom_out: [hat("left"), button(14)],
        view_next: [button(8)],
        mode_depth: [button(9)],
        mode_manual: [button(10)],
    },
};

export const KEYBOARD_PRESETS = {
    two_hands: { title: "Two hands", map: KEYBOARD_TWO_HANDS },
    one_hand: { title: "One hand, right", map: KEYBOARD_ONE_HAND },
} as const;

export const PAD_PRESETS = {
    cockpit: { title: "Cockpit", map: PAD_COCKPIT },
    ardusub: { title: "ArduSub", map: PAD_ARDUSUB },
    joystick: { title: "Joystick (micro ROV simulator)", map: PAD_JOYSTICK },
} as const;

export type KeyboardPreset = keyof typeof KEYBOARD_PRESETS;
export type PadPreset = keyof typeof PAD_PRESETS;

export function sameControl(a: Control, b: Control): boolean {
    return a.device === b.device && controlName(a) === controlName(b);
}

const BUTTON_NAMES = ["A", "B", "X", "Y", "LB", "RB", "LT", "RT", "Back", "Start", "L stick", "R stick", "Up", "Down", "Left",
    "Right", "Guide"];
const KEY_NAMES: Record<string, string> = {
    Equal: "=", Minus: "-", BracketLeft: "[", BracketRight: "]", Period: ".", Comma: ",", Slash: "/", Semicolon: ";",
    Quote: "'", Backslash: "\\", Backquote: "`", ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right",
    ShiftLeft: "Shift", ShiftRight: "Right Shift", Escape: "Esc", PageUp: "Page Up", PageDown: "Page Down",
    NumpadAdd: "Keypad +", NumpadSubtract: "Keypad -", Space: "Space", Delete: "Del",
};

export function keyName(code: string): string {
    return KEY_NAMES[code] ?? code.replace(/^Key|^Digit/, "").replace(/^Numpad/, "Keypad ");
}

export function buttonName(index: number): string {
    return BUTTON_NAMES[index] ?? `Button ${index + 1}`;
}

/** What the menu and the help call a control. */
export function controlName(control: Control): string {
    const shift = control.shift ? "Shift + " : "";
    switch (control.device) {
        case "key": return shift + keyName(control.code);
        case "button": return shift + buttonName(control.index);
        case "stick": return `${shift}Axis ${control.index + 1}${control.sign > 0 ? "+" : "-"}`;
        case "hat": return `${shift}Hat ${control.direction}`;
    }
}

export function axisControlName(control: AxisControl): string {
    switch (control.device) {
        case "keys": return `${keyName(control.plus)} / ${keyName(control.minus)}`;
        case "stick": return `Axis ${control.index + 1}${control.sign > 0 ? "" : " reversed"}`;
        case "buttons": return `${buttonName(control.plus)} / ${buttonName(control.minus)}`;
    }
}

export interface ControlNames {
    axis(control: AxisControl): string;
    control(control: Control): string;
}

const STICK_NAMES = ["left stick, sideways", "left stick, ahead", "right stick, sideways", "right stick, ahead"];

/** What is printed on the device: gamepads have two sticks and lettered buttons, joysticks number everything. */
export function padNames(preset: PadPreset): ControlNames {
    if (preset === "joystick") return { axis: axisControlName, control: (control) => (control.device === "button" ? `${control.shift ? "Shift + " : ""}Button ${control.index + 1}` : controlName(control)) };
    const stickName = (control: AxisControl & { device: "stick" }): string => {
        const name = STICK_NAMES[control.index];
        if (!name) return axisControlName(control);
        // browsers count towards the pilot as positive
        const usual = name.endsWith("ahead") ? control.sign < 0 : control.sign > 0;
        return usual ? name : `${name}, reversed`;
    };
    return { axis: (control) => (control.device === "stick" ? stickName(control) : axisControlName(control)), control: controlName };
}

export const KEYBOARD_NAMES: ControlNames = { axis: axisControlName, control: controlName };

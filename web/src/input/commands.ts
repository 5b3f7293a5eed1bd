// What actions say to the server. Actions of the page itself (views, menu, sound) are not here.

import type { ActionId } from "./actions";

export type Message = { type: string } & Record<string, unknown>;

const TILT_RATE = 35; // deg/s
const ZOOM_RATE = 1; // 1/s
const LIGHT_STEP = 0.125;

const command = (name: string, value?: unknown): Message => (value === undefined ? { type: "command", name } : { type: "command", name, value });

/** Null: this action does not concern the server, or not at the release. */
export function messageFor(action: ActionId, pressed: boolean, armed: boolean, tetherRate: number): Message | null {
    switch (action) {
        case "tilt_up": return command("camera_tilt_rate_deg", pressed ? TILT_RATE : 0);
        case "tilt_down": return command("camera_tilt_rate_deg", pressed ? -TILT_RATE : 0);
        case "zoom_in": return command("camera_zoom_rate", pressed ? ZOOM_RATE : 0);
        case "zoom_out": return command("camera_zoom_rate", pressed ? -ZOOM_RATE : 0);
        case "gripper_open": return command("gripper", pressed ? "open" : "stop");
        case "gripper_close": return command("gripper", pressed ? "close" : "stop");
        case "tether_out": return pressed ? { type: "tether", action: "pay_out", rate: tetherRate } : { type: "tether", action: "hold" };
        case "tether_in": return pressed ? { type: "tether", action: "haul_in", rate: tetherRate } : { type: "tether", action: "hold" };
        default: break;
    }
    if (!pressed) return null;
    switch (action) {
        case "arm": return command("arm", true);
        case "disarm": return command("arm", false);
        case "arm_toggle": return command("arm", !armed);
        case "gain_up": return command("gain_step", 1);
        case "gain_down": return command("gain_step", -1);
        case "reset_turns": return command("reset_turns");
        case "mode_manual": return command("mode", "manual");
        case "mode_stabilize": return command("mode", "stabilize");
        case "mode_depth": return command("mode", "depth_hold");
        case "mode_heading": return command("mode", "heading_hold");
        case "mode_hold": return command("mode", "hold");
        case "mode_altitude": return command("mode", "altitude_hold");
        case "mode_station": return command("mode", "station");
        case "tilt_center": return command("camera_center");
        case "lights_up": return command("lights_step", LIGHT_STEP);
        case "lights_down": return command("lights_step", -LIGHT_STEP);
        case "tether_hold": return { type: "tether", action: "hold" };
        case "tether_auto": return { type: "tether", action: "auto" };
        default: return null;
    }
}

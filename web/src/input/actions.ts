// Everything a key or a button can do. "hold" actions act from press to release, "press" actions once.

export interface ActionEntry {
    title: string;
    group: "Vehicle" | "Modes" | "Camera and lights" | "Gripper" | "Tether" | "Views" | "Arms" | "Sensors" | "Page";
    kind: "press" | "hold";
}

const entry = (group: ActionEntry["group"], title: string, kind: ActionEntry["kind"] = "press"): ActionEntry =>
    ({ group, title, kind });

export const ACTIONS = {
    shift: entry("Vehicle", "Shift", "hold"),
    arm: entry("Vehicle", "Arm"),
    disarm: entry("Vehicle", "Disarm"),
    arm_toggle: entry("Vehicle", "Arm or disarm"),
    gain_up: entry("Vehicle", "Gain up"),
    gain_down: entry("Vehicle", "Gain down"),
    input_hold: entry("Vehicle", "Input hold"),
    reset_turns: entry("Vehicle", "Reset the turns counter"),
    mode_manual: entry("Modes", "Manual"),
    mode_stabilize: entry("Modes", "Stabilize"),
    mode_depth: entry("Modes", "Depth hold"),
    mode_heading: entry("Modes", "Heading hold"),
    mode_hold: entry("Modes", "Depth and heading hold"),
    mode_altitude: entry("Modes", "Altitude hold"),
    mode_station: entry("Modes", "Station keeping"),
    tilt_up: entry("Camera and lights", "Tilt up", "hold"),
    tilt_down: entry("Camera and lights", "Tilt down", "hold"),
    tilt_center: entry("Camera and lights", "Camera to the centre"),
    zoom_in: entry("Camera and lights", "Zoom in", "hold"),
    zoom_out: entry("Camera and lights", "Zoom out", "hold"),
    lights_up: entry("Camera and lights", "Lights brighter"),
    lights_down: entry("Camera and lights", "Lights dimmer"),
    gripper_open: entry("Gripper", "Open", "hold"),
    gripper_close: entry("Gripper", "Close", "hold"),
    tether_out: entry("Tether", "Pay out", "hold"),
    tether_in: entry("Tether", "Haul in", "hold"),
    tether_hold: entry("Tether", "Hold the tether"),
    tether_auto: entry("Tether", "Let the handler mind the tether"),
    forecast_home: entry("Tether", "Way home on or off"),
    forecast_ahead: entry("Tether", "Ghost of the next seconds on or off"),
    forecast_haul: entry("Tether", "Haul-in forecast on or off"),
    view_next: entry("Views", "Next view"),
    view_previous: entry("Views", "Previous view"),
    view_pilot: entry("Views", "Pilot camera"),
    view_control: entry("Views", "Sticks move the viewpoint", "hold"),
    view_reset: entry("Views", "Reset the viewpoint"),
    view_left: entry("Views", "Viewpoint to the left", "hold"),
    view_right: entry("Views", "Viewpoint to the right", "hold"),
    view_up: entry("Views", "Viewpoint up", "hold"),
    view_down: entry("Views", "Viewpoint down", "hold"),
    axes: entry("Views", "Coordinate axes on or off"),
    overlay: entry("Views", "Tether overlay on or off"),
    arm_select: entry("Arms", "Sticks to the next arm, or back to the vehicle"),
    arm_mode: entry("Arms", "Arm by its tip or by its joints"),
    sonar: entry("Sensors", "Sonar on or off"),
    sonar_next: entry("Sensors", "Next sonar"),
    sonar_longer: entry("Sensors", "Longer range of the sonar"),
    sonar_shorter: entry("Sensors", "Shorter range of the sonar"),
    sensors: entry("Sensors", "Readings of the sensors on or off"),
    pause: entry("Page", "Pause"),
    mark: entry("Page", "Mark this moment"),
    hud: entry("Page", "Instruments on or off"),
    mute: entry("Page", "Sound on or off"),
    help: entry("Page", "Keys and buttons"),
    menu: entry("Page", "Menu"),
} as const satisfies Record<string, ActionEntry>;

export type ActionId = keyof typeof ACTIONS;
export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];

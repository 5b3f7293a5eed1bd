// The JSON messages of docs/protocol.md, version 1. Angles are radians except in keys that end in _deg.

import type { AxisTuning } from "../math/conditioning";
import type { WaveComponent } from "../math/waves";

export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = "hawser.1";

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export interface CatalogEntry {
    name: string;
    title: string;
    summary?: string;
}

export interface TetherEntry extends CatalogEntry {
    length: { min: number; max: number; default: number };
}

export interface Catalog {
    vehicles: CatalogEntry[];
    /** m of visibility that the water there has */
    surroundings: (CatalogEntry & { visibility?: number })[];
    tethers: TetherEntry[];
    scenes: CatalogEntry[];
    lessons?: (CatalogEntry & { par: number; pass: number })[];
    modes: string[];
}

export type HandlerMode = "hold" | "manual" | "auto";

export interface FlightOptions {
    vehicle?: string;
    surroundings?: string;
    scene?: string;
    current?: { speed: number; direction_deg: number };
    waves?: { height: number; period: number; direction_deg: number };
    visibility?: number;
    tether?: { type: string; length: number; out: number } | null;
    handler?: HandlerMode;
    record?: boolean;
    title?: string;
    /** who flies, for the logbook */
    pilot?: string;
    group?: string;
    phase?: string;
}

export interface Preset {
    kind: "surroundings" | "scene" | "results";
    title: string;
}

/** A scene that is being written (`hawser train LESSON --watch`): how it was when it was saved last. */
export interface DraftEntry {
    /** how often it was read */
    count: number;
    good: boolean;
    file: string;
    /** line and column from 1, 0: it has no place; the line itself */
    error?: { message: string; hint: string; line: number; column: number; excerpt: string };
    lesson?: DraftLesson;
}

/** Everything of a lesson that has a place; m, s. */
export interface DraftLesson {
    title: string;
    objectives: number;
    par: number;
    zones: { kind: "objective" | "recover" | "station"; name: string; position: Vec3; radius: number }[];
    gates: { name: string; position: Vec3; direction: Vec3; radius: number }[];
    looks: { name: string; at: Vec3; near: number; far: number }[];
    path: Vec3[];
    obstacles: { name: string; position: Vec3 }[];
    freezes: number[];
}

export type DraftMessage = { type: "draft" } & DraftEntry;

export interface HelloReply {
    version: number;
    server: string;
    mode: "train" | "view";
    resumed?: boolean;
    instructor?: boolean;
    /** a study is under way */
    study?: boolean;
    catalog: Catalog;
    defaults: FlightOptions;
    preset: Preset | null;
    draft?: DraftEntry | null;
    limits?: { frame_rate?: number; flights?: number };
}

export interface StartReply {
    flight: string;
    secret: string;
    options: FlightOptions;
}

export interface OpenReply {
    kind: "preset" | "scene" | "replay" | "watch" | "results" | "surroundings";
    title: string;
    start: number;
    end: number | null;
    flight?: string | null;
}

export interface StateMessage {
    type: "state";
    paused: boolean;
    /** frozen by the instructor: nobody else sees anything */
    blank?: boolean;
    speed: number;
    recording: boolean;
    handler?: HandlerMode;
    /** once an action was noted or flown: s that are noted, the step that is flown */
    action?: { noting: number | null; playing: { at: number; count: number; given_up: number } | null };
    start: number;
    end: number | null;
}

export interface AlertMessage {
    type: "alert";
    time: number;
    level: "info" | "warning" | "alarm";
    code: string;
    text: string;
    over?: boolean;
}

export interface EndedMessage {
    type: "ended";
    reason: "stopped" | "taken" | "idle" | "failed" | "shutdown";
    message?: string;
    flight?: string;
    hash?: string;
    time?: number;
}

export interface ErrorMessage {
    type: "error";
    id?: number;
    code: string;
    message: string;
    hint?: string;
}

export interface FlightEntry {
    flight: string;
    title: string;
    vehicle: string;
    surroundings: string;
    started: string;
    duration: number;
    status: string;
    hash?: string;
    bytes: number;
    pilot?: string;
}

export interface Mark {
    time: number;
    text: string;
}

export interface ChannelEntry {
    name: string;
    unit: string;
}

/** A step of a study: a lesson, or the rating of a pair. */
export interface StudyStep {
    phase: string;
    lesson?: string;
    runs?: number;
    pair?: number;
    question?: string;
    rated?: boolean;
}

/** What a participant of a study does. */
export interface StudyReply {
    title: string;
    group: string;
    steps: StudyStep[];
}

/** An input of the world; null: it follows the scene's own signal. */
export interface InputEntry {
    name: string;
    unit: string;
    value: number | null;
}

export interface ShapeEntry {
    kind: "box" | "sphere" | "cylinder" | "capsule" | "mesh";
    size?: Vec3;
    radius?: number;
    length?: number;
    mesh?: number;
    position?: Vec3;
    attitude?: Quat;
    material?: string;
    color?: string;
    name?: string;
}

export interface BodyEntry {
    name: string;
    slot?: number;
    vehicle?: number;
    mechanism?: string;
    position?: Vec3;
    attitude?: Quat;
    shapes: ShapeEntry[];
}

export interface ThrusterEntry {
    name?: string;
    position: Vec3;
    axis: Vec3;
    diameter: number;
    blades: number;
    hand: number;
    forward: number;
    reverse: number;
}

export interface LightEntry {
    position: Vec3;
    axis: Vec3;
    beam_deg: number;
    lumens: number;
    tilts?: boolean;
}

export interface GripperEntry {
    position: Vec3;
    axis: Vec3;
    opening: number;
    length: number;
}

export interface CameraEntry {
    position: Vec3;
    attitude?: Quat;
    hfov_deg: number;
    tilt_deg: [number, number];
    zoom: number;
}

/** An imaging sonar: the shortest and longest range that can be chosen, and the chosen one, m. */
export interface SonarEntry {
    name: string;
    kind: "multibeam" | "scanning";
    range: [number, number];
    most: number;
    /** rad, that it covers */
    fan: number;
    beams: number;
    bins: number;
    rate: number;
}

/** An instrument; `values` names what frames hold of it after `valid` and `age`. */
export interface InstrumentEntry {
    name: string;
    kind: string;
    values: string[];
}

/** An arm: its joints without the fingers, with their stops (null: none), rad or m. */
export interface ArmEntry {
    name: string;
    joints: { name: string; slides: boolean; low: number | null; high: number | null }[];
    /** its tip can be commanded */
    tool: boolean;
    jaw: boolean;
}

export interface VehicleEntry {
    name: string;
    model: string;
    title: string;
    body: number;
    parts: ShapeEntry[];
    thrusters: ThrusterEntry[];
    camera: CameraEntry;
    lights: LightEntry[];
    gripper?: GripperEntry | null;
    tether?: Vec3;
    gains?: number[];
    speed?: number;
    sonars?: SonarEntry[];
    arms?: ArmEntry[];
}

export interface CableEntry {
    name: string;
    diameter: number;
    color?: string;
    break?: number;
    working?: number;
    length?: number;
}

export type SeabedEntry =
    | { kind: "plane"; depth: number; material?: string }
    | { kind: "heightfield"; columns: number; rows: number; spacing: number; origin: Vec3; heights: string; material?: string }
    | { kind: "mesh"; mesh: number; material?: string };

export interface EnvironmentEntry {
    gravity?: number;
    water?: { density: number; surface: number };
    waves?: { components: WaveComponent[] };
    seabed?: SeabedEntry | null;
    visibility?: number;
}

export interface MeshEntry {
    vertices: string;
    triangles: string;
}

export interface SceneMessage {
    type: "scene";
    revision: number;
    session: "flight" | "scene" | "replay" | "watch";
    flight?: string;
    name?: string;
    title?: string;
    time: number;
    options?: FlightOptions;
    environment: EnvironmentEntry;
    meshes?: MeshEntry[];
    bodies: BodyEntry[];
    vehicles: VehicleEntry[];
    cables: CableEntry[];
    instruments?: InstrumentEntry[];
    /** a program outside that flies the vehicle by its thrusters */
    autopilot?: string;
    view?: { camera: Vec3; target: Vec3 };
    lesson?: LessonEntry;
    /** of a replay: its recording has the ghost of a second tether */
    ghost?: boolean;
}

/** What a lesson asks for; the parts of an objective hold all at once. */
export interface ObjectiveEntry {
    name: string;
    text: string;
    hold: number;
    zone?: { position: Vec3; radius: number };
    gate?: { position: Vec3; direction: Vec3; radius: number };
    heading?: number;
    /** names of the controls that do it, a space between two */
    controls?: string;
}

export interface LessonEntry {
    title: string;
    why: string;
    briefing: string;
    par: number;
    limit: number | null;
    /** points that pass, and the share of the task that must be done */
    pass_score: number;
    pass_task: number;
    aids: "all" | "chart" | "instruments";
    hints: boolean;
    /** whether the pilot has the sonars, and the readings of other instruments */
    sonar: boolean;
    sensors: boolean;
    /** who learns: in a lesson for handlers the vehicle is flown by the lesson's own pilot */
    role: "pilot" | "handler";
    /** plan: from above, with the tether, and nothing else */
    view: "pilot" | "plan";
    sequence: boolean;
    objectives: ObjectiveEntry[];
}

/** How a lesson stands; what comes after `over` is there at its end. */
export interface ProgressMessage {
    type: "progress";
    time: number;
    done: (number | null)[];
    current: number;
    holding: number;
    hits: number;
    over: boolean;
    score?: number;
    passed?: boolean;
    complete?: boolean;
    gates?: string[];
    terms?: { name: string; weight: number; value: number | null; measure: number | null }[];
}

/** A run of a lesson in the logbook. */
export interface LogbookLine {
    started: string;
    pilot: string;
    group: string;
    phase: string;
    lesson: string;
    flight: string;
    score: number;
    passed: boolean;
    complete: boolean;
    time: number;
    hits: number;
}

/** What a recorded flight teaches; docs/protocol.md. */
export interface Debrief {
    flight: string;
    title: string;
    /** empty: nobody said */
    pilot: string;
    started: string;
    duration: number;
    status: string;
    version: string;
    hash: string;
    tips: string[];
    marks: { time: number; level: string; text: string }[];
    tether: {
        obstacles: { name: string; kind: "axis" | "loop"; start: number; end: number; most: number; since: number | null }[];
        changes: { time: number; obstacle: number; from: number; to: number }[];
        handling: { start: number; end: number; paid: number; tension: number | null }[];
        cause: { time: number; body: string; stayed: boolean; text: string; remedy: string } | null;
        /** a second tether that was shown, where it was farthest from the true one */
        ghost: { model: TwinModel; start: number; end: number; time: number; apart: number } | null;
    };
    lesson?: {
        score: number;
        passed: boolean;
        complete: boolean;
        time: number;
        hits: number;
        gates: string[];
        terms: { name: string; weight: number; value: number | null; measure: number | null; text: string }[];
        events: { time: number; kind: string; text: string }[];
        trend: { flight: string; started: string; score: number; passed: boolean }[];
        probes: ProbeOutcome[];
    };
}

/** A freeze as it went. */
export interface ProbeOutcome {
    time: number;
    answered: boolean;
    confidence: number | null;
    items: { item: string; text: string; answer_text: string; truth_text: string; level: number; answer: number | null; truth: number | null; points: number | null }[];
    sketch: { plan: [number, number][]; elevation: [number, number][] } | null;
}

export interface ProbeItemEntry {
    item: string;
    level: number;
    kind: "number" | "choice" | "sketch";
    text: string;
    unit?: string;
    min?: number;
    max?: number;
    step?: number;
    choices?: { value: number; text: string }[];
}

/** A freeze with its questions; `over`: it is answered, or gone by a rewind. */
export interface ProbeMessage {
    type: "probe";
    probe: number;
    count: number;
    items: ProbeItemEntry[];
    sheet: { launch: Vec3; reach: number; obstacles: { name: string; position: [number, number] }[] };
    over?: true;
}

export type Role = "pilot" | "handler" | "winch" | "instructor" | "observer";
export type Control = "vehicle" | "tether" | "equipment" | "time" | "teaching";

export interface Member {
    member: number;
    role: Role;
    name: string;
}

/** Who is aboard, and who has which control. */
export interface CrewMessage {
    type: "crew";
    you: number;
    role: Role;
    members: Member[];
    holders: Record<Control, number | null>;
    comms: boolean;
}

/** What the instructor changed; see the protocol. */
export interface ConditionsMessage {
    type: "conditions";
    visibility: number | null;
    camera: boolean;
    video_delay: number;
    command_delay: number;
    loss: number;
    compass: { rate: number; since: number; offset: number };
    load_cell: number;
    leak: number;
    thrusters: number[];
    pending: { time: number; kind: string; value: number }[];
}

export interface SaidMessage {
    type: "said";
    member: number;
    role: Role;
    name: string;
    text: string;
}

/** The pilot's seat came to this page, or left it. */
export interface SeatMessage {
    type: "seat";
    flight: string | null;
    secret: string | null;
}

export interface ClassEntry {
    flight: string;
    title: string;
    pilot: string;
    present: boolean;
    members: Member[];
    time?: number;
    paused?: boolean;
    depth?: number | null;
    turns?: number | null;
    tension?: number | null;
    out?: number | null;
    wrap?: number | null;
    progress?: ProgressMessage;
}

export type PilotAxis = "surge" | "sway" | "heave" | "yaw";
export const PILOT_AXES: readonly PilotAxis[] = ["surge", "sway", "heave", "yaw"];

export interface TuneMessage {
    type: "tune";
    axes: Partial<Record<PilotAxis, Partial<AxisTuning>>>;
}

export type TetherAction = "pay_out" | "haul_in" | "hold" | "auto";

/** What the tether is wound round, and where it lies on something. */
export interface EntanglementMessage {
    type: "entanglement";
    wound: { name: string; number: number; certain: boolean; frees: "clockwise" | "counter_clockwise" | "back_through" }[];
    wraps: { name: string; wrap_deg: number }[];
}

export type Point = [number, number, number];

/** Which forecasts of the tether are shown. */
export interface ForecastKinds {
    home: boolean;
    ahead: boolean;
    haul: boolean;
}

/** What the tether will do; times are simulated ones in s, null: not within the time looked ahead. */
export interface Forecast {
    time: number;
    /** way-points from the vehicle to the boat, the last number the clearance (null: nothing is near) */
    home: [number, number, number, number | null][] | null;
    ahead: { end: number; wound: number | null; feature?: string; snagged: number | null; taut: number | null; track: Point[]; tether: Point[] } | null;
    /** pulled tight: where it lies, what pull (N) moves it, and behind which arc it hangs (-1: it comes home) */
    haul: { line: Point[]; length: number; slack: number; pull: number; holding: number; arcs: { name: string; point: Point; angle: number; pull: number }[] } | null;
}

/** Models of a second tether that is shown as a ghost. */
export type TwinModel = "none" | "wrap_line" | "wrap_vee" | "wrap_catenary" | "pid";

/** The ghost of a second tether, or that there is none and why. */
export interface TwinMessage {
    type: "twin";
    time: number;
    model: TwinModel;
    /** m, greatest distance of its points from the true tether */
    apart?: number;
    line?: Point[];
    message?: string;
}

/** A hint about the tether. */
export interface HintMessage {
    type: "hint";
    time: number;
    kind: "pull" | "winding" | "same_way" | "slack";
    value: number;
    text: string;
}

/** Where the vehicle will be when the commands on their way have arrived: under latency only. */
export interface GhostMessage {
    type: "ghost";
    time: number;
    at: number;
    position: Vec3;
    attitude: [number, number, number, number];
    velocity: Vec3;
}

/** A saved action that was flown has ended. */
export interface ActionMessage {
    type: "action";
    ended: "done" | "stopped" | "taken over" | "replaced" | "rewound";
    given_up: number;
}

export type ServerMessage = DraftMessage | GhostMessage | TwinMessage | ActionMessage | EntanglementMessage | HintMessage | ProgressMessage | ProbeMessage | CrewMessage | ConditionsMessage | SaidMessage | SeatMessage | SceneMessage | StateMessage | AlertMessage | EndedMessage | ErrorMessage | ReplyMessage;

export interface ReplyMessage {
    type: "reply";
    id: number;
}

/** What a text message says, or a sentence that tells why it is none of ours. */
export function parseMessage(text: string): ServerMessage | string {
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch {
        return "The server sent a message that is not JSON.";
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "The server sent something else than an object.";
    const type = (value as { type?: unknown }).type;
    switch (type) {
        case "scene": case "state": case "alert": case "ended": case "error": case "reply": case "progress":
        case "entanglement": case "crew": case "conditions": case "said": case "draft": case "seat": case "probe":
        case "ghost": case "twin": case "action": case "hint":
            return value as ServerMessage;
        default:
            return `The server sent a message of unknown type ${JSON.stringify(type)}.`;
    }
}

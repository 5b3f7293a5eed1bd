// All instruments together, and where they are on the screen.

import { type AlertMessage, type EntanglementMessage, type ConditionsMessage, type LessonEntry, type SceneMessage } from "../net/messages";
import { FrameFlag, VehicleFlag, type Frame } from "../net/frame";
import { shownVehicle } from "../crew";
import { axisControlName, controlName } from "../input/bindings";
import { controlHint, type Device } from "../input/named";
import { verticalField } from "../scene/views";
import { lockedAids, type Settings } from "../settings";
import { icon, setIcon } from "../ui/icons";
import { h, setAttribute, setClass, setText, show, svg } from "../ui/dom";
import { AlertPane, Captions } from "./alerts";
import type { ArmMode } from "../input/arm";
import { ArmPanel } from "./arm_panel";
import { AttitudeIndicator } from "./attitude";
import { EffortPanel } from "./effort";
import { LessonPanel, type LessonActions } from "./lesson_panel";
import { MapPanel } from "./map";
import { altitudeLevel, degrees, metres, modeText, percent, timeText, turnsLevel, turnsText, unwindDirection } from "./readings";
import { keepWithin } from "./room";
import { SensorPanel } from "./sensor_panel";
import { SonarPanel, type SonarActions } from "./sonar_panel";
import { DepthTape, HeadingTape } from "./tapes";
import { TetherPanel } from "./tether_panel";

/** s that a hint stays in view: two short sentences are read twice in it */
const ADVICE_TIME = 8;
/** s for which a pilot who does not move is told how to */
const HOW_TIME = 40;

/** The turns counter: a coil, the number, and an arrow that says which way to turn back. */
class TurnsPanel {
    readonly element: HTMLElement;
    private readonly number = h("b", { class: "number" });
    private readonly arrow = svg("path", { class: "arrow" });
    private readonly hint = h("span", { class: "dim" });

    constructor(reset: () => void) {
        const coil = svg("svg", { class: "icon", viewBox: "0 0 28 28", "aria-hidden": "true" },
            svg("path", { class: "coil", d: "M4 20c0-16 8-16 8 0M10 20c0-16 8-16 8 0M16 20c0-16 8-16 8 0" }));
        const arrow = svg("svg", { class: "icon", viewBox: "0 0 28 28", "aria-hidden": "true" }, this.arrow);
        this.element = h("section", { class: "plate turns", "aria-label": "Turns" }, coil, this.number, arrow,
            h("button", { type: "button", class: "tiny", title: "Reset the turns counter", "aria-label": "Reset the turns counter to 0", click: reset }, "0"), this.hint);
    }

    update(turns: number): void {
        setText(this.number, turnsText(turns));
        const level = turnsLevel(turns);
        setClass(this.element, "warning", level === "warning");
        setClass(this.element, "alarm", level === "alarm");
        const back = unwindDirection(turns);
        setAttribute(this.arrow, "d", back === null ? "M8 14h12" : back === "port" ? "M23 20c0-12-14-12-16-3M7 17l-4-5M7 17l6-3" : "M5 20c0-12 14-12 16-3M21 17l4-5M21 17l-6-3");
        setText(this.hint, back === null ? "" : `unwind ${back === "port" ? "left" : "right"}`);
    }
}

/** The controls that arm, as they are set. */
function armNames({ keyboard, pad }: Settings): string {
    const controls = [keyboard.map, pad.map].map(({ actions }) => actions.arm?.[0] ?? actions.arm_toggle?.[0]).filter((control) => control !== undefined);
    return controls.map(controlName).join(" or ") || "the control that you choose in the menu";
}

/** How to fly, by the keys as they are set. */
function howToFly({ keyboard: { map } }: Settings): string {
    const axis = (name: keyof typeof map.axes, text: string): string[] => (map.axes[name][0] ? [`${axisControlName(map.axes[name][0]).replace(" / ", " ")} ${text}`] : []);
    const action = (name: "mode_hold" | "help", text: string): string[] => (map.actions[name]?.[0] ? [`${controlName(map.actions[name][0])} ${text}`] : []);
    return [...axis("surge", "ahead and back"), ...axis("yaw", "turns"), ...axis("heave", "up and down"), ...axis("sway", "sideways"),
        ...action("mode_hold", "holds depth and heading"), ...action("help", "shows all keys")].join(" \u00b7 ");
}

export interface HudActions extends LessonActions {
    sonar: SonarActions;
    resetTurns(): void;
    openMenu(): void;
    openHelp(): void;
    toggleSound(): void;
    nextView(): void;
}

export class Hud {
    readonly element: HTMLElement;
    readonly alerts = new AlertPane();
    readonly captions = new Captions();
    private readonly heading = new HeadingTape();
    private readonly depth = new DepthTape();
    private readonly attitude = new AttitudeIndicator();
    readonly tether = new TetherPanel();
    private readonly effort = new EffortPanel();
    private readonly map = new MapPanel();
    private readonly turns: TurnsPanel;
    readonly lesson: LessonPanel;
    readonly sonar: SonarPanel;
    private readonly sensors = new SensorPanel();
    private readonly arm = new ArmPanel();
    private armAt = -1;
    private armMode: ArmMode = "tool";

    private readonly armed = h("b", { class: "armed" });
    private readonly mode = h("b", { class: "mode" });
    private readonly timer = h("span", { class: "number small" });
    private readonly recording = h("span", { class: "rec hidden" }, "\u25cf REC");
    private readonly pace = h("span", { class: "dim" });
    private readonly altitude = h("b", { class: "number" });
    private readonly speed = h("b", { class: "number" });
    private readonly altitudeRow: HTMLElement;
    private readonly view = h("button", { type: "button", class: "view-name", title: "Next view" });
    private readonly link = h("span", { class: "link" });
    private readonly rate = h("span", { class: "dim rate" });
    private readonly sound = h("button", { type: "button", class: "round", title: "Sound" });
    private readonly bottom: Record<"tilt" | "zoom" | "lights" | "gain" | "gripper" | "hold", HTMLElement>;
    /** opens the plots, where there are any */
    readonly plots = h("button", { type: "button", class: "plot-button hidden" }, "Plots");
    /** what the pilot has in hand */
    device: () => Device = () => "keys";
    /** who looks at this page flies: only they are told how */
    steered = false;
    private readonly hint = h("div", { class: "plate arm-hint hidden", role: "status" });
    private readonly pilot: HTMLElement[];
    /** below all instruments, across the page: the line of time, and sticks for fingers */
    readonly below = h("div", { class: "below" });

    setEntanglement(message: EntanglementMessage | null): void {
        this.tether.setEntanglement(message);
    }

    /** A hint, shown for a while; an empty one takes the last away. */
    advise(text: string, now: number): void {
        this.advice = { text, until: text ? now + ADVICE_TIME : 0 };
    }

    /** Who has armed and does not move is told how to, for a while; lessons say so themselves. */
    private explains(speed: number, now: number, settings: Settings): boolean {
        if (this.scene?.lesson || this.scene?.session !== "flight" || !settings.display.hints) return false;
        if (now - this.armedSince > 2 && speed > 0.25) this.flew = true;
        return !this.flew && now - this.armedSince < HOW_TIME;
    }

    private armedSince = 0;
    private flew = false;
    private advice = { text: "", until: 0 };
    private scene: SceneMessage | null = null;
    private mapClock = 0;
    private size = 1;
    /** what is wrong with the instruments; null: nothing */
    conditions: ConditionsMessage | null = null;
    /** what the lesson under way allows; undefined: no lesson limits it */
    lessonAids: LessonEntry["aids"] | undefined;

    constructor(actions: HudActions) {
        this.lesson = new LessonPanel(actions);
        this.sonar = new SonarPanel(actions.sonar);
        this.turns = new TurnsPanel(() => actions.resetTurns());
        this.view.addEventListener("click", () => actions.nextView());
        this.sound.addEventListener("click", () => actions.toggleSound());
        const item = (label: string, key: string): [HTMLElement, HTMLElement] => {
            const value = h("b", { class: "number small" });
            return [h("span", { class: `item ${key}` }, h("span", { class: "dim" }, label), value), value];
        };
        const items = { tilt: item("Tilt", "tilt"), zoom: item("Zoom", "zoom"), lights: item("Lights", "lights"), gain: item("Gain", "gain"),
            gripper: item("Gripper", "gripper"), hold: item("Input", "hold") };
        this.bottom = Object.fromEntries(Object.entries(items).map(([key, [, value]]) => [key, value])) as typeof this.bottom;
        const bar = h("section", { class: "plate bottom-bar", "aria-label": "Equipment" }, ...Object.values(items).map(([element]) => element));
        const strip = h("div", { class: "bottom-right" }, bar, this.lesson.element);
        const messages = h("div", { class: "messages" }, this.alerts.element, h("div", { class: "notices" }, this.captions.element, this.hint));
        // alarms before advice, the gravest last to go
        keepWithin(messages, [this.alerts.element, this.captions.element, this.hint], () => [this.hint, this.captions.element, ...[...this.alerts.element.children].reverse()]);

        this.altitudeRow = h("div", { class: "row" }, h("span", { class: "dim" }, "Altitude"), h("span", {}, this.altitude, h("i", {}, "m")));
        const speed = h("div", { class: "row" }, h("span", { class: "dim" }, "Speed"), h("span", {}, this.speed, h("i", {}, "m/s")));
        const right = h("section", { class: "plate depth-panel", "aria-label": "Depth and speed" }, h("header", {}, "Depth ", h("i", {}, "m")), this.depth.element, this.altitudeRow, speed);
        keepWithin(right, [this.altitudeRow], () => [speed, this.altitudeRow]);
        const status = h("section", { class: "plate status", "aria-label": "Vehicle" }, this.armed, this.mode, this.timer, this.recording, this.pace);
        const top = h("div", { class: "top-centre" }, h("div", { class: "plate heading-plate" }, this.heading.element), this.turns.element);
        const corner = h("section", { class: "plate corner", "aria-label": "Page" }, this.view, this.plots, this.link, this.rate, this.sound,
            h("button", { type: "button", class: "round", title: "Keys and buttons", "aria-label": "Keys and buttons", click: () => actions.openHelp() }, icon("help")),
            h("button", { type: "button", class: "round menu-button", title: "Menu", "aria-label": "Menu", click: () => actions.openMenu() }, icon("menu")));
        const left = h("div", { class: "left-rail" }, this.tether.element, this.sensors.element);
        const low = h("div", { class: "bottom-left" }, this.arm.element, this.map.element, this.effort.element, this.sonar.element);
        this.pilot = [status, top, left, right, low, bar];
        this.element = h("div", { class: "hud" }, h("div", { class: "regions" }, h("div", { class: "head" }, status, top, corner), left, right, low, strip, this.attitude.element, messages, this.lesson.verdict, this.below));
    }

    setScene(scene: SceneMessage): void {
        this.scene = scene;
        this.effort.setThrusters(scene.vehicles[0]?.thrusters ?? []);
        this.map.setScene(scene);
        this.sensors.setInstruments(scene.instruments ?? []);
        this.sonar.setSonars(scene.vehicles[0]?.sonars ?? []);
        this.lesson.setLesson(scene.lesson ?? null);
    }

    raise(alert: AlertMessage, now: number): void {
        this.alerts.raise(alert, now);
    }

    /** The arm that the sticks move; -1: none. */
    setArm(index: number, mode: ArmMode): void {
        this.armMode = mode;
        if (index !== this.armAt) this.arm.set(this.scene?.vehicles[0]?.arms?.[index] ?? null);
        this.armAt = index;
        document.documentElement.classList.toggle("manipulating", index >= 0);
    }

    /** Of the instruments: 1 is 13 px for a letter. */
    setSize(size: number): void {
        this.size = size;
        document.documentElement.style.setProperty("--u", size.toFixed(3));
    }

    setView(title: string, pilotView: boolean): void {
        setText(this.view, title);
        setClass(this.element, "outside", !pilotView);
    }

    setLink(text: string, good: boolean): void {
        setText(this.link, `${good ? "\u25cf" : "\u25cb"} ${text}`);
        setClass(this.link, "warning", !good);
    }

    setSound(muted: boolean): void {
        setIcon(this.sound, muted ? "mute" : "sound");
        setAttribute(this.sound, "aria-label", muted ? "Sound is off" : "Sound is on");
        setClass(this.sound, "off", muted);
    }

    setRate(text: string): void {
        setText(this.rate, text);
    }

    /** After each picture; the slow parts less often. */
    update(frame: Frame | null, modes: readonly string[], settings: Settings, now: number, dt: number): void {
        this.alerts.update(now);
        this.captions.enabled = settings.sound.captions;
        this.captions.update(now);
        const truth = frame?.vehicles[0];
        const vehicle = truth && frame ? shownVehicle(truth, this.conditions, frame.time) : undefined;
        const shown = vehicle !== undefined && settings.display.hud;
        for (const element of this.pilot) show(element, shown);
        show(this.attitude.element, shown);
        const armed = ((vehicle?.flags ?? 0) & VehicleFlag.ARMED) !== 0;
        const advised = now < this.advice.until;
        const arms = this.steered && !armed && this.scene?.lesson?.role !== "handler";
        const lost = this.steered && armed && vehicle !== undefined && this.explains(vehicle.speed, now, settings);
        if (!armed) this.armedSince = now;
        show(this.hint, shown && (advised || arms || lost) && ((frame?.flags ?? 0) & FrameFlag.REPLAY) === 0);
        setClass(this.hint, "advice", advised || lost);
        if (!frame || !vehicle || !shown) return;
        setText(this.hint, advised ? this.advice.text : armed ? howToFly(settings) : `The thrusters are off: ${this.device() === "touch" ? controlHint("arm", settings, "touch") : armNames(settings)} arms them`);
        const entry = this.scene?.vehicles[0];
        const cable = frame.cables[0];

        this.heading.update(vehicle.heading, vehicle.headingTarget);
        this.turns.update(vehicle.turns);
        // one unit of the drawing is a CSS pixel times the size of the instruments
        const half = Math.tan(verticalField(entry?.camera.hfov_deg ?? 80, vehicle.zoom, window.innerWidth / Math.max(window.innerHeight, 1)) / 2);
        this.attitude.update(vehicle.roll, vehicle.pitch, vehicle.tilt, window.innerHeight / 2 / this.size, half);
        this.depth.update(vehicle.depth, vehicle.depthTarget, vehicle.altitude, frame.time);
        setText(this.altitude, metres(vehicle.altitude));
        show(this.altitudeRow, Number.isFinite(vehicle.altitude));
        setClass(this.altitudeRow, "warning", altitudeLevel(vehicle.altitude) !== "normal");
        setText(this.speed, metres(vehicle.speed, 2));

        // Of an autopilot outside only the commands of the thrusters are known: neither its mode nor whether it is armed.
        const outside = vehicle.bypass > 1.5;
        const thrusting = (frame.thrusters[0] ?? []).some((value, i) => i % 4 === 1 && Math.abs(value) > 1e-3);
        setText(this.armed, outside ? (thrusting ? "THRUSTING" : "THRUSTERS IDLE") : armed ? "ARMED" : "DISARMED");
        setClass(this.armed, "off", outside ? !thrusting : !armed);
        setText(this.mode, outside ? (this.scene?.autopilot ?? "BY THRUSTERS").toUpperCase() : vehicle.bypass > 0.5 ? "BY DEMAND" : modeText(modes[vehicle.mode]));
        setText(this.timer, timeText(frame.time));
        show(this.recording, (frame.flags & FrameFlag.RECORDING) !== 0);
        setText(this.pace, frame.flags & FrameFlag.PAUSED ? "PAUSED" : frame.flags & FrameFlag.REPLAY ? "REPLAY" : frame.flags & FrameFlag.SLOW ? `\u25b2 ${frame.factor.toFixed(1)}\u00d7` : "");

        setText(this.bottom.tilt, degrees(vehicle.tilt));
        setText(this.bottom.zoom, `${vehicle.zoom.toFixed(1)}\u00d7`);
        setText(this.bottom.lights, percent(vehicle.lights));
        setText(this.bottom.gain, percent(vehicle.gain));
        setText(this.bottom.gripper, vehicle.flags & VehicleFlag.HOLDS_OBJECT ? "HOLDS" : percent(vehicle.gripper));
        setText(this.bottom.hold, vehicle.flags & VehicleFlag.INPUT_HOLD ? "HELD" : "free");
        show(this.bottom.gripper.parentElement!, Boolean(entry?.gripper));

        const { tension } = settings.display;
        const aids = lockedAids(settings.display.aids, this.lessonAids);
        this.tether.update(cable, this.scene?.cables[0], this.scene?.options?.waves?.height ?? 0, vehicle.tension, tension, aids);
        this.arm.update(frame.arms.get(this.armAt), this.armMode);
        this.sensors.update(frame.instruments, settings.display.sensors);
        this.effort.update(frame.thrusters[0], entry?.thrusters ?? [], vehicle.failed, dt);
        show(this.map.element, aids !== "none");
        this.mapClock += dt;
        if (this.mapClock > 0.16 && aids !== "none") {
            this.mapClock = 0;
            this.map.update(vehicle, aids === "full" ? cable : undefined);
        }
    }
}

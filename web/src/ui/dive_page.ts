// Setting up a dive. During one, what can change at once does (current, visibility); the rest waits for the next.

import { headingOfVelocity, timeText } from "../hud/readings";
import { cardinalName, toDegrees, toRadians } from "../math/angles";
import type { FlightOptions, LogbookLine, TetherEntry } from "../net/messages";
import { h, setText, show } from "./dom";
import { standingText } from "./logbook_page";
import type { Desk, Page } from "./page";
import { lessonPicture, surroundingsPicture, vehiclePicture } from "./pictures";
import { button, cards, group, select, slider, toggle, type Slider } from "./widgets";

/** The protocol counts counter-clockwise from north; sailors clockwise. */
export function compassText(directionDegrees: number): string {
    const angle = toRadians(directionDegrees);
    const heading = Math.round(toDegrees(headingOfVelocity(Math.cos(angle), Math.sin(angle)))) % 360;
    const name = cardinalName(heading);
    return `${String(heading).padStart(3, "0")}\u00b0${name ? ` ${name}` : ""}`;
}

export class DivePage implements Page {
    readonly title = "Dive";
    readonly element = h("div", { class: "dive-page" });
    private tether: TetherEntry | null = null;
    private diveButton: HTMLElement | null = null;
    private readonly place = h("small", {});
    private visibility: Slider | null = null;
    private readonly flightTime = h("span", {});
    private readonly pauseButton = button("Pause", () => this.desk.tell({ type: "pause", paused: !this.desk.session.state?.paused }));

    constructor(private readonly desk: Desk) {}

    /** The server's defaults under what was chosen last time. */
    options(): Required<Omit<FlightOptions, "scene" | "pilot" | "group" | "phase">> & { scene?: string } {
        const defaults = this.desk.session.hello?.defaults ?? {};
        const chosen = this.desk.settings.options;
        const merged = { ...defaults, ...chosen };
        // Every water has its own visibility until the pilot chooses another.
        const own = this.desk.session.hello?.catalog.surroundings.find((entry) => entry.name === merged.surroundings)?.visibility;
        return {
            vehicle: merged.vehicle ?? "", surroundings: merged.surroundings ?? "", visibility: chosen.visibility ?? own ?? defaults.visibility ?? 10,
            current: { speed: 0, direction_deg: 90, ...defaults.current, ...chosen.current },
            waves: { height: 0, period: 6, direction_deg: 0, ...defaults.waves, ...chosen.waves },
            tether: merged.tether === null ? null : { type: "", length: 100, out: 20, ...defaults.tether, ...chosen.tether },
            handler: merged.handler ?? "hold", record: merged.record ?? true, title: "",
        };
    }

    private set(part: FlightOptions): void {
        Object.assign(this.desk.settings.options, part);
        this.desk.changed();
        this.tellPlace();
    }

    /** On the button: where one dives, and with what. */
    private tellPlace(): void {
        const { catalog } = this.desk.session.hello!;
        const { surroundings, vehicle } = this.request();
        const titles = [catalog.surroundings.find(({ name }) => name === surroundings), catalog.vehicles.find(({ name }) => name === vehicle)];
        setText(this.place, titles.flatMap((entry) => (entry ? [entry.title] : [])).join(" \u00b7 "));
    }

    refresh(): void {
        const { session } = this.desk;
        const catalog = session.hello?.catalog;
        if (!catalog) {
            this.element.replaceChildren(h("p", { class: "empty" }, "Waiting for the server."));
            return;
        }
        const options = this.options();
        // A name the server does not know (another server, another version) gives way to its own.
        if (!catalog.vehicles.some((entry) => entry.name === options.vehicle)) options.vehicle = catalog.vehicles[0]?.name ?? "";
        if (!catalog.surroundings.some((entry) => entry.name === options.surroundings)) options.surroundings = catalog.surroundings[0]?.name ?? "";
        const dive = this.diveButton = button(session.flying ? "Start a new dive" : "Dive", () => this.desk.dive(this.request()), "primary dive");
        dive.append(this.place);
        this.tellPlace();
        const parts: (Node | null)[] = [
            this.flightControls(),
            cards("Surroundings", options.surroundings, catalog.surroundings.map((entry) => ({ value: entry.name, title: entry.title,
                note: entry.summary, picture: surroundingsPicture(entry.name) })), (surroundings) => {
                    delete this.desk.settings.options.visibility;
                    this.set({ surroundings });
                    this.visibility?.set(this.options().visibility);
                }),
            cards("Vehicle", options.vehicle, catalog.vehicles.map((entry) => ({ value: entry.name, title: entry.title, note: entry.summary,
                picture: vehiclePicture(entry.name) })), (vehicle) => this.set({ vehicle })),
            this.water(options),
            this.tetherGroup(options, catalog.tethers),
            group("Recording", toggle("Record the flight", options.record, (record) => this.set({ record }), "inputs and state, for replay and export").element),
        ];
        if (catalog.lessons?.length) {
            parts.splice(1, 0, group("Lessons", h("div", { class: "buttons lessons" }, ...catalog.lessons.map((lesson) => {
                const choice = button("", () => this.desk.dive({ scene: lesson.name }), "lesson-card");
                choice.dataset["lesson"] = lesson.name;
                choice.append(lessonPicture(lesson.name), h("b", {}, lesson.title), h("small", {}, lesson.summary ?? ""),
                    h("small", { class: "bounds" }, `Par ${timeText(lesson.par)} \u00b7 ${lesson.pass} points pass`, h("span", { class: "standing" })));
                return choice;
            }))));
        }
        if (catalog.scenes.length > 0) {
            parts.push(group("Other scenes", h("div", { class: "buttons" }, ...catalog.scenes.map((scene) =>
                button(scene.title, () => this.desk.openScene(scene.name))))));
        }
        this.element.replaceChildren(...parts.filter((part): part is Node => part !== null), h("div", { class: "dive-bar" }, dive));
        this.showStanding();
    }

    /** How far the pilot of the logbook has come in each lesson. */
    private showStanding(): void {
        const { name } = this.desk.settings.pilot;
        if (!name) return;
        this.desk.link.request<{ lines: LogbookLine[] }>({ type: "logbook" }).then(({ lines }) => {
            for (const lesson of this.desk.session.hello?.catalog.lessons ?? []) {
                const text = standingText(lines.filter((line) => line.pilot === name && line.lesson === lesson.title));
                const place = this.element.querySelector(`[data-lesson="${lesson.name}"] .standing`);
                if (place) setText(place, text ? ` \u00b7 ${text}` : "");
            }
        }, () => undefined);
    }

    private request(): FlightOptions {
        const options = this.options();
        const catalog = this.desk.session.hello!.catalog;
        if (!catalog.vehicles.some((entry) => entry.name === options.vehicle)) options.vehicle = catalog.vehicles[0]!.name;
        if (!catalog.surroundings.some((entry) => entry.name === options.surroundings)) options.surroundings = catalog.surroundings[0]!.name;
        if (options.tether && !catalog.tethers.some((entry) => entry.name === options.tether!.type)) {
            options.tether.type = catalog.tethers[0]?.name ?? "";
        }
        if (options.tether) {
            options.tether.length = Math.min(Math.max(options.tether.length, this.tether?.length.min ?? 1), this.tether?.length.max ?? 1e4);
            options.tether.out = Math.min(options.tether.out, options.tether.length);
        }
        return options;
    }

    /** On the screen: where there is no flight to lose, Enter dives. */
    entered(): void {
        if (!this.desk.session.flying) this.diveButton?.focus({ preventScroll: true });
    }

    tick(): void {
        const { session } = this.desk;
        if (!session.flying) return;
        setText(this.flightTime, timeText(this.desk.frame()?.time ?? 0));
        setText(this.pauseButton, session.state?.paused ? "Go on" : "Pause");
    }

    private flightControls(): HTMLElement | null {
        const { session } = this.desk;
        if (!session.flying) return null;
        const back = button("Back 10 s", () => {
            const time = (this.desk.frame()?.time ?? 0) - 10;
            this.desk.tell({ type: "seek", time: Math.max(time, session.state?.start ?? 0) });
        });
        const end = button("End the flight", () => this.desk.endSession(), "danger");
        const controls = group("In flight, ", h("div", { class: "buttons" }, this.pauseButton, back, end));
        controls.firstElementChild!.append(this.flightTime);
        this.tick();
        return controls;
    }

    private water(options: ReturnType<DivePage["options"]>): HTMLElement {
        const { current, waves } = options;
        const { flying: aloft, scene } = this.desk.session;
        // a lesson's water is its own
        const flying = aloft && !scene?.lesson;
        const sendCurrent = (): void => {
            this.set({ current: { ...current } });
            if (flying) this.desk.tell({ type: "current", speed: current.speed, direction_deg: current.direction_deg });
        };
        this.visibility = slider("Visibility", options.visibility, { min: 0.5, max: 50, step: 0.5, text: (v) => `${v.toFixed(1)} m`, change: (visibility) => {
            this.set({ visibility });
            if (flying) this.desk.tell({ type: "visibility", value: visibility });
        } });
        const later = aloft ? h("small", { class: "later" }, flying ? "Waves change with the next dive." : "The lesson has its own water: this is for the next dive.") : null;
        return group("Water",
            slider("Current", current.speed, { min: 0, max: 2, step: 0.05, text: (v) => `${v.toFixed(2)} m/s`, change: (speed) => {
                current.speed = speed;
                sendCurrent();
            } }).element,
            slider("Current goes to", current.direction_deg, { min: -180, max: 180, step: 15, text: compassText, change: (direction) => {
                current.direction_deg = direction;
                sendCurrent();
            } }).element,
            this.visibility.element,
            slider("Wave height", waves.height, { min: 0, max: 4, step: 0.1, text: (v) => (v > 0 ? `${v.toFixed(1)} m` : "calm"), change: (height) => {
                waves.height = height;
                this.set({ waves: { ...waves } });
            } }).element,
            slider("Wave period", waves.period, { min: 2, max: 15, step: 0.5, text: (v) => `${v.toFixed(1)} s`, change: (period) => {
                waves.period = period;
                this.set({ waves: { ...waves } });
            } }).element,
            slider("Waves go to", waves.direction_deg, { min: -180, max: 180, step: 15, text: compassText, change: (direction) => {
                waves.direction_deg = direction;
                this.set({ waves: { ...waves } });
            } }).element,
            later);
    }

    private tetherGroup(options: ReturnType<DivePage["options"]>, types: readonly TetherEntry[]): HTMLElement {
        const tether = options.tether ?? { type: types[0]?.name ?? "", length: 100, out: 20 };
        if (!types.some((entry) => entry.name === tether.type)) tether.type = types[0]?.name ?? "";
        this.tether = types.find((entry) => entry.name === tether.type) ?? null;
        const keep = (): void => this.set({ tether: { ...tether } });
        const limits = this.tether?.length ?? { min: 10, max: 300, default: 100 };
        const inner = h("div", {},
            select("Type", tether.type, types.map((entry) => ({ value: entry.name, title: entry.title })), (type) => {
                tether.type = type;
                keep();
                this.refresh();
            }).element,
            slider("Length", tether.length, { min: limits.min, max: limits.max, step: 5, text: (v) => `${v} m`, change: (length) => {
                tether.length = length;
                keep();
            } }).element,
            options.handler === "auto" ? null : slider("Out at the start", tether.out, { min: 2, max: 100, step: 1, text: (v) => `${v} m`, change: (out) => {
                tether.out = out;
                keep();
            } }).element,
            select("Handler", options.handler, [{ value: "hold", title: "nobody: it stays as it is" }, { value: "manual", title: "you: pay out and haul in" },
                { value: "auto", title: "a handler who keeps a little slack" }], (handler) => {
                    this.set({ handler: handler as "hold" });
                    this.refresh();
                }).element,
            this.reel());
        const present = toggle("Fly on a tether", options.tether !== null, (on) => {
            this.set({ tether: on ? tether : null });
            show(inner, on);
        });
        show(inner, options.tether !== null);
        return group("Tether", present.element, inner);
    }

    private reel(): HTMLElement | null {
        if (!this.desk.session.flying || !this.desk.session.scene?.cables.length) return null;
        const { settings } = this.desk;
        const act = (action: string): (() => void) => () => this.desk.tell({ type: "tether", action, rate: settings.tetherRate });
        return h("div", {},
            slider("Rate", settings.tetherRate, { min: 0.1, max: 2, step: 0.1, text: (v) => `${v.toFixed(1)} m/s`, change: (rate) => {
                settings.tetherRate = rate;
                this.desk.changed();
            } }).element,
            h("div", { class: "buttons" }, button("Pay out", act("pay_out")), button("Haul in", act("haul_in")), button("Hold", act("hold")), button("Automatic", act("auto"))));
    }
}

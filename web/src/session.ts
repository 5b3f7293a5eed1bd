// The session that is open: what the server last said about it, and the state that it puts the page into.

import type { ConditionsMessage, Control, CrewMessage, HelloReply, OpenReply, Role, SceneMessage, StateMessage } from "./net/messages";
import type { Resume } from "./net/link";
import { PageMachine, type PageState, type Rules } from "./machine";

const KEY = "hawser.flight";

export class Session {
    hello: HelloReply | null = null;
    scene: SceneMessage | null = null;
    state: StateMessage | null = null;
    opened: OpenReply | null = null;
    crew: CrewMessage | null = null;
    conditions: ConditionsMessage | null = null;
    /** true between a request for a session and its scene */
    starting = false;
    readonly machine: PageMachine;

    constructor(entered: (state: PageState, before: PageState) => void = () => undefined) {
        this.machine = new PageMachine(entered);
    }

    get page(): PageState {
        return this.machine.state;
    }

    get rules(): Rules {
        return this.machine.rules;
    }

    get kind(): SceneMessage["session"] | null {
        return this.scene?.session ?? null;
    }

    /** A vehicle that this page flies. */
    get flying(): boolean {
        return this.rules.own;
    }

    /** The seat of this page. */
    get role(): Role {
        return this.crew?.role ?? (this.flying ? "pilot" : "observer");
    }

    /** Whether this page has a control of the flight now. */
    holds(control: Control): boolean {
        return this.crew ? this.crew.holders[control] === this.crew.you : this.flying;
    }

    /** Sticks and commands go to the vehicle: this page flies it, or has taken it. */
    get steers(): boolean {
        return this.crew ? this.holds("vehicle") && (this.rules.steers || this.page === "watch") : this.rules.steers;
    }

    get replaying(): boolean {
        return this.page === "replay";
    }

    get modes(): readonly string[] {
        return this.hello?.catalog.modes ?? [];
    }

    /** A description came; true when it is that of a new session. */
    open(scene: SceneMessage): boolean {
        const fresh = this.starting || this.scene === null;
        this.starting = false;
        // What came before the description of a session belongs to it: the crew is told first.
        if (fresh && scene.session !== "flight" && scene.session !== "watch") this.crew = this.conditions = null;
        this.scene = scene;
        this.machine.take({ kind: "opened", session: scene.session, lesson: scene.lesson !== undefined, fresh });
        return fresh;
    }

    end(): void {
        this.scene = null;
        this.state = null;
        this.opened = null;
        this.crew = null;
        this.conditions = null;
        this.starting = false;
        this.machine.take({ kind: "left" });
    }
}

/** The flight to come back to, also after the page was loaded anew. */
export function loadResume(storage: Storage): Resume | null {
    try {
        const stored = JSON.parse(storage.getItem(KEY) ?? "null") as Partial<Resume> | null;
        return typeof stored?.flight === "string" && typeof stored.secret === "string" ? { flight: stored.flight, secret: stored.secret } : null;
    } catch {
        return null;
    }
}

export function saveResume(storage: Storage, resume: Resume | null): void {
    if (resume) storage.setItem(KEY, JSON.stringify(resume));
    else storage.removeItem(KEY);
}

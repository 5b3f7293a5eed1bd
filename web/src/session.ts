// The session that is open: what the server last said about it, and the state that it puts the page into.

import type { HelloReply, OpenReply, SceneMessage, StateMessage } from "./net/messages";
import type { Resume } from "./net/link";
import { PageMachine, type PageState, type Rules } from "./machine";

const KEY = "hawser.flight";

export class Session {
    hello: HelloReply | null = null;
    scene: SceneMessage | null = null;
    state: StateMessage | null = null;
    opened: OpenReply | null = null;
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
        this.scene = scene;
        this.machine.take({ kind: "opened", session: scene.session, lesson: scene.lesson !== undefined, fresh });
        return fresh;
    }

    end(): void {
        this.scene = null;
        this.state = null;
        this.opened = null;
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

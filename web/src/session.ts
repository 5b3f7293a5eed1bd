// What the page is doing: which session is open, and what the server last said about it.

import type { HelloReply, OpenReply, SceneMessage, StateMessage } from "./net/messages";
import type { Resume } from "./net/link";

const KEY = "hawser.flight";

export class Session {
    hello: HelloReply | null = null;
    scene: SceneMessage | null = null;
    state: StateMessage | null = null;
    opened: OpenReply | null = null;
    /** true between a request for a session and its scene */
    starting = false;

    get kind(): SceneMessage["session"] | null {
        return this.scene?.session ?? null;
    }

    /** A vehicle that this page flies. */
    get flying(): boolean {
        return this.kind === "flight";
    }

    get replaying(): boolean {
        return this.kind === "replay";
    }

    get modes(): readonly string[] {
        return this.hello?.catalog.modes ?? [];
    }

    end(): void {
        this.scene = null;
        this.state = null;
        this.opened = null;
        this.starting = false;
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

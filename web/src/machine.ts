// What the page is doing, one state at a time, and what each state allows. It knows nothing of the server's messages and
// nothing of the display: the session tells it what happened, the display asks it what to show.

/**
 * menu: no session is open. lesson, flight: a vehicle is flown, with or without a lesson. freeze: a lesson that has stopped
 * to ask. debrief: a lesson that is over. replay: a recording. watch: what others move: a scene, or somebody's flight.
 */
export type PageState = "menu" | "lesson" | "flight" | "freeze" | "replay" | "watch" | "debrief";

export type SessionKind = "flight" | "scene" | "replay" | "watch";

/**
 * What happened. `opened`: a session's description came, `fresh` for the first time, otherwise because its world changed. `covered`: an
 * instructor has frozen the flight, whatever the page is doing, or lets it go on.
 */
export type PageEvent =
    | { kind: "opened"; session: SessionKind; lesson: boolean; fresh: boolean }
    | { kind: "frozen" }
    | { kind: "answered" }
    | { kind: "judged" }
    | { kind: "rewound" }
    | { kind: "covered"; on: boolean }
    | { kind: "left" };

export interface Rules {
    /** the session is a flight of this page, whether it moves now or not */
    readonly own: boolean;
    /** sticks and commands go to the vehicle */
    readonly steers: boolean;
    /** a lesson limits aids and views */
    readonly locked: boolean;
    /** picture and instruments are blanked, and the menu cannot be opened */
    readonly blank: boolean;
    /** the bar of time, and plots */
    readonly timeline: boolean;
    /** nothing is behind the menu, so it cannot be closed */
    readonly alone: boolean;
}

const FLOWN: Rules = { own: true, steers: true, locked: false, blank: false, timeline: false, alone: false };
const SEEN: Rules = { own: false, steers: false, locked: false, blank: false, timeline: true, alone: false };

export const RULES: Readonly<Record<PageState, Rules>> = {
    menu: { ...SEEN, timeline: false, alone: true },
    flight: FLOWN,
    lesson: { ...FLOWN, locked: true },
    freeze: { ...FLOWN, steers: false, locked: true, blank: true },
    // The verdict stands: what the lesson hid may be seen.
    debrief: { ...FLOWN, steers: false },
    replay: SEEN,
    watch: SEEN,
};

/** The state after an event; null: the event means nothing in this state. */
export function nextState(state: PageState, event: PageEvent): PageState | null {
    switch (event.kind) {
        case "left": return "menu";
        case "opened": {
            if (event.session === "replay") return "replay";
            if (event.session !== "flight") return "watch";
            if (!event.lesson) return "flight";
            // A lesson that is asking or over stays so when its world is described again.
            return !event.fresh && (state === "freeze" || state === "debrief") ? state : "lesson";
        }
        case "frozen": return state === "lesson" || state === "freeze" ? "freeze" : null;
        case "answered": return state === "freeze" ? "lesson" : null;
        case "judged": return state === "lesson" || state === "freeze" || state === "debrief" ? "debrief" : null;
        case "rewound": return state === "debrief" ? "lesson" : null;
        case "covered": return state === "menu" ? null : state;
    }
}

export class PageMachine {
    private current: PageState = "menu";
    private cover = false;

    /** `entered` is called after each change, with the state before; the same one when it was covered or uncovered. */
    constructor(private readonly entered: (state: PageState, before: PageState) => void) {}

    get state(): PageState {
        return this.current;
    }

    /** Frozen by an instructor. */
    get covered(): boolean {
        return this.cover;
    }

    get rules(): Rules {
        const rules = RULES[this.current];
        return this.cover ? { ...rules, steers: false, blank: true } : rules;
    }

    /** True when the event meant something. */
    take(event: PageEvent): boolean {
        const [before, covered] = [this.current, this.cover];
        const next = nextState(before, event);
        if (next === null) return false;
        this.current = next;
        if (event.kind === "covered") this.cover = event.on;
        else if (event.kind === "left" || (event.kind === "opened" && event.fresh)) this.cover = false;
        if (next !== before || this.cover !== covered) this.entered(next, before);
        return true;
    }
}

// Opens, follows and closes sessions: what is asked of the server, and what its messages mean for the page's state. What is
// shown is the display's.

import type { Frame } from "./net/frame";
import type { SonarImage } from "./net/sonar";
import { Link, RequestError, type LinkState } from "./net/link";
import type { AlertMessage, ConditionsMessage, DraftEntry, EndedMessage, EntanglementMessage, FlightOptions, GhostMessage, HelloReply, HintMessage, Mark, OpenReply, ProbeMessage, ProgressMessage, SaidMessage, SceneMessage, ServerMessage, StartReply, StateMessage, TwinMessage } from "./net/messages";
import type { Invitation } from "./net/address";
import type { PageState } from "./machine";
import { loadResume, saveResume, Session } from "./session";

/** What the page's address asked for: to teach, to go aboard somebody's flight. */
export interface Seat {
    instructor: string | null;
    join: Invitation | null;
}

export type Level = "info" | "warning" | "alarm";

/** What the session has to show. */
export interface SessionDisplay {
    entered(state: PageState, before: PageState): void;
    linkChanged(state: LinkState, text: string): void;
    /** `fresh`: of a new session */
    setScene(scene: SceneMessage, fresh: boolean): void;
    setClock(state: StateMessage): void;
    raise(message: AlertMessage): void;
    hint(message: HintMessage): void;
    setGhost(message: GhostMessage): void;
    setTwin(message: TwinMessage): void;
    setProgress(message: ProgressMessage): void;
    setMarks(marks: Mark[]): void;
    setEntanglement(message: EntanglementMessage | null): void;
    setCrew(): void;
    setConditions(conditions: ConditionsMessage): void;
    hear(said: SaidMessage): void;
    /** a scene that is being written was read again */
    setDraft(draft: DraftEntry): void;
    /** null: nothing is asked any more */
    setProbe(probe: ProbeMessage | null): void;
    takeFrame(frame: Frame): void;
    takeSonar(image: SonarImage): void;
    /** a flight that this page flies begins, or begins again after a pause in the connection */
    takeControls(): void;
    /** no session is open */
    clear(): void;
    /** a session is being opened */
    prepare(): void;
    showEnding(text: string): void;
    showMenu(): void;
    /** the debrief of the recording that is being opened */
    showDebrief(flight: string): void;
    showClass(): void;
    say(code: string, level: Level, text: string): void;
}

const ENDINGS: Partial<Record<EndedMessage["reason"], string>> = {
    taken: "Another page has taken this flight over.",
    idle: "The flight was closed: nobody flew it.",
    shutdown: "The server is shutting down.",
};

export class SessionControl {
    readonly session: Session;
    readonly link: Link;
    /** who flies, added to every dive */
    pilot: () => FlightOptions = () => ({});
    /** the flight whose debrief is to be shown when its recording is complete */
    private debriefed: string | null = null;
    /** the scene that is being opened was saved again meanwhile */
    private stale = false;

    constructor(address: string, token: string | null, private seat: Seat, private readonly display: SessionDisplay) {
        this.session = new Session((state, before) => display.entered(state, before));
        this.link = new Link(address, token, {
            state: (state, text) => this.linkChanged(state, text),
            hello: (reply) => this.greeted(reply),
            message: (message) => this.receive(message),
            frame: (frame) => {
                if (this.session.scene && frame.revision === this.session.scene.revision) display.takeFrame(frame);
            },
            sonar: (image) => {
                if (this.session.scene) display.takeSonar(image);
            },
        });
        this.link.resume = loadResume(sessionStorage);
        this.link.instructor = seat.instructor;
    }

    /** Speaks to the server without waiting; what goes wrong is shown. */
    tell(message: object): void {
        this.link.request(message).catch((error: unknown) => this.complain(error));
    }

    complain(error: unknown): void {
        if (error instanceof RequestError) {
            if (error.code !== "offline" && error.code !== "rate") this.display.say("error", "warning", error.hint ? `${error.message} ${error.hint}` : error.message);
        } else {
            console.error(error);
        }
    }

    // --- opening and closing

    dive(options: FlightOptions): void {
        void this.enter(async () => this.flightBegan(await this.link.request<StartReply>({ type: "start", options: { ...this.pilot(), ...options } })));
    }

    /** A flight from this moment of the session on. */
    branch(): void {
        void this.enter(async () => this.flightBegan(await this.link.request<StartReply>({ type: "branch" })));
    }

    open(request: { kind: "preset" } | { kind: "scene"; name: string } | { kind: "replay" | "watch"; flight: string } | { kind: "clip"; pilot: string; pair: number; clip: number }): void {
        void this.enter(async () => {
            this.session.opened = await this.link.request<OpenReply>({ type: "open", ...request });
        });
    }

    /** Goes on with a flight whose server was killed. */
    resume(flight: string): void {
        void this.enter(async () => this.flightBegan(await this.link.request<StartReply>({ type: "open", kind: "resume", flight })));
    }

    /** Goes aboard another's flight. */
    join(invitation: Invitation): void {
        void this.enter(async () => {
            const secret = invitation.secret ? { secret: invitation.secret } : {};
            this.session.opened = await this.link.request<OpenReply>({ type: "join", flight: invitation.flight, role: invitation.role, name: this.link.name, ...secret });
        });
    }

    end(): void {
        this.keepResume(null);
        this.link.request({ type: "stop" }).catch((error: unknown) => {
            // Without a session there is nothing to stop, which is what was wanted.
            if (!(error instanceof RequestError && error.code === "order")) this.complain(error);
        });
        this.leave();
        this.display.showMenu();
    }

    /** The same flight from its beginning. */
    again(): void {
        this.after(this.session.scene?.options);
    }

    /** Ends this flight and begins another. */
    after(options: FlightOptions | undefined): void {
        this.link.request({ type: "stop" }).catch((error: unknown) => this.complain(error)).finally(() => {
            this.keepResume(null);
            this.leave();
            if (options) this.dive(options);
        });
    }

    /** Ends the flight; its replay and debrief open when its recording is complete. */
    debrief(): void {
        const flight = this.session.scene?.flight;
        this.debriefed = flight ?? null;
        this.keepResume(null);
        this.link.request({ type: "stop" }).catch((error: unknown) => this.complain(error));
        this.leave();
    }

    openDebrief(flight: string): void {
        this.open({ kind: "replay", flight });
        this.display.showDebrief(flight);
    }

    private async enter(open: () => Promise<void>): Promise<void> {
        if (this.session.starting) return;
        this.session.starting = true;
        this.display.prepare();
        try {
            await open();
        } catch (error) {
            this.session.starting = false;
            this.complain(error);
        }
    }

    private flightBegan(reply: StartReply): void {
        this.keepResume({ flight: reply.flight, secret: reply.secret });
        this.display.takeControls();
    }

    private keepResume(resume: { flight: string; secret: string } | null): void {
        this.link.resume = resume;
        saveResume(sessionStorage, resume);
    }

    private leave(): void {
        this.session.end();
        this.display.clear();
    }

    // --- the server

    private linkChanged(state: LinkState, text: string): void {
        if (state === "lost") this.session.starting = false;
        this.display.linkChanged(state, text);
    }

    private greeted(reply: HelloReply): void {
        const first = this.session.hello === null;
        this.session.hello = reply;
        if (this.link.resume && reply.resumed) {
            this.display.takeControls();
            if (!first) this.display.say("link", "info", "Connected again: the flight goes on");
            return;
        }
        const lost = this.link.resume !== null && !first;
        if (this.link.resume) this.keepResume(null);
        this.leave();
        if (lost) this.display.say("link", "warning", "The flight has ended meanwhile. If its server broke off, Flights has Go on");
        if (reply.draft) this.display.setDraft(reply.draft);
        if (this.seat.join) this.join(this.seat.join);
        else if (reply.instructor) this.display.showClass();
        else if (reply.mode === "view") this.open({ kind: "preset" });
        else if (reply.preset?.kind === "scene" && first) this.dive({ scene: "preset" });
        else this.display.showMenu();
    }

    private receive(message: ServerMessage): void {
        switch (message.type) {
            case "scene": this.described(message); break;
            case "state":
                this.session.state = message;
                this.display.setClock(message);
                break;
            case "alert": this.display.raise(message); break;
            case "hint": this.display.hint(message); break;
            case "ghost": this.display.setGhost(message); break;
            case "twin": this.display.setTwin(message); break;
            case "progress":
                this.display.setProgress(message);
                // a lesson is over, or it is again under way because time went back
                this.session.machine.take({ kind: message.over ? "judged" : "rewound" });
                break;
            case "entanglement": this.display.setEntanglement(message); break;
            case "crew":
                this.session.crew = message;
                this.display.setCrew();
                break;
            case "conditions":
                this.session.conditions = message;
                this.display.setConditions(message);
                break;
            case "said": this.display.hear(message); break;
            case "probe": this.asked(message); break;
            case "seat":
                // the description that follows says whether the page flies now or watches
                this.keepResume(message.flight && message.secret ? { flight: message.flight, secret: message.secret } : null);
                if (message.flight) this.display.takeControls();
                break;
            case "draft": this.rewritten(message); break;
            case "ended": this.ended(message); break;
            case "error": this.complain(new RequestError(message.code, message.message, message.hint)); break;
            case "reply": break;
        }
    }

    private asked(message: ProbeMessage): void {
        if (message.over) {
            this.display.setProbe(null);
            this.session.machine.take({ kind: "answered" });
        } else if (this.session.machine.take({ kind: "frozen" })) {
            this.display.setProbe(message);
        } else {
            // who watches does not answer
            this.display.say("probe", "info", "Time stands: the pilot is being asked");
        }
    }

    /** A scene that was saved begins anew; one with an error leaves what is flown. */
    private rewritten(draft: DraftEntry): void {
        this.display.setDraft(draft);
        const mine = this.session.page === "menu" || this.session.scene?.options?.scene === "preset";
        if (!draft.good || !mine || this.seat.join) return;
        // one that is being opened is older than this
        this.stale = this.session.starting;
        if (!this.stale) this.dive({ scene: "preset" });
    }

    private described(scene: SceneMessage): void {
        const fresh = this.session.open(scene);
        this.display.setScene(scene, fresh);
        if (fresh && this.stale) {
            this.stale = false;
            this.dive({ scene: "preset" });
        }
        if (fresh && this.session.replaying)
            this.link.request<{ marks: Mark[] }>({ type: "marks" }).then(({ marks }) => this.display.setMarks(marks), () => undefined);
    }

    private ended(message: EndedMessage): void {
        if (message.flight !== undefined && message.flight === this.debriefed) {
            this.debriefed = null;
            this.openDebrief(message.flight);
            return;
        }
        // One's own end was asked for; that of another's flight is news.
        const watched = this.session.page === "watch" && this.session.crew !== null;
        if (message.reason === "stopped" && !watched) return;
        this.keepResume(null);
        this.leave();
        this.display.showMenu();
        this.display.showEnding(message.reason === "failed" ? message.message ?? "The flight failed." : ENDINGS[message.reason] ?? "The flight has ended.");
    }
}

// The application: brings picture, instruments, input, sound and menu together, and shows what the session says. What the page
// is doing is the state machine's (machine.ts), what is asked of the server the session's (session_control.ts).

import { memberText } from "./crew";
import { Forecasts } from "./forecast";
import { Hud } from "./hud/hud";
import { ReelPanel } from "./hud/reel_panel";
import type { ActionId } from "./input/actions";
import { messageFor } from "./input/commands";
import { InputHub } from "./input/hub";
import { controlHint } from "./input/named";
import { ArmSender } from "./input/arm";
import { PilotSender } from "./input/pilot";
import { TouchSticks } from "./input/touch";
import { clamp } from "./math/numbers";
import { VehicleFlag, type Frame } from "./net/frame";
import type { Link, LinkState } from "./net/link";
import { RULES, type PageState } from "./machine";
import type { AlertMessage, ConditionsMessage, Debrief, DraftEntry, EntanglementMessage, FlightOptions, GhostMessage, HintMessage, LessonEntry, Mark, ProbeMessage, ProgressMessage, SaidMessage, SceneMessage, StateMessage, TwinMessage } from "./net/messages";
import { Playout } from "./net/playout";
import type { SonarImage } from "./net/sonar";
import { Stage } from "./scene/stage";
import { FLIGHT_VIEWS, SCENE_VIEWS, VIEW_TITLES, type ViewKind } from "./scene/views";
import type { Session } from "./session";
import { SessionControl, type Level, type Seat, type SessionDisplay } from "./session_control";
import { loadSettings, lockedAids, saveSettings, type Aids, type Settings } from "./settings";
import { Sound } from "./sound/sound";
import { CalibrationPage } from "./ui/calibration_page";
import { ControlsPage } from "./ui/controls_page";
import { DisplayPage } from "./ui/display_page";
import { DivePage } from "./ui/dive_page";
import { DebriefPanel } from "./ui/debrief_panel";
import { DraftPanel } from "./ui/draft_panel";
import { h, setText, show } from "./ui/dom";
import { FuturesPanel } from "./ui/futures";
import { FlightsPage } from "./ui/flights_page";
import { HelpPage } from "./ui/help_page";
import { LogbookPage } from "./ui/logbook_page";
import { Menu } from "./ui/menu";
import { MouseControl } from "./ui/mouse";
import type { Desk } from "./ui/page";
import { CrewPage } from "./ui/crew_page";
import { ClassPage } from "./ui/class_page";
import { ProbePanel } from "./ui/probe_panel";
import { InstructorPanel } from "./ui/instructor_panel";
import { RatingPanel, StudyPage } from "./ui/study_page";
import { WinchPanel } from "./ui/winch_panel";
import { PlotPanel } from "./ui/plots";
import { recordingAddress, type Invitation } from "./net/address";
import { Timeline } from "./ui/timeline";
import { Twin } from "./twin";
import { VehiclePage } from "./ui/vehicle_page";

const QUALITIES = { high: 0, medium: 3, low: 6 } as const;
/** s of real time that one of the sticks needs to turn the viewpoint by 1 rad, and to halve its distance */
const VIEW_RATE = 1.6;
const PICTURE_SIZE = 480; // pixels across, of the picture of a debrief
const PICTURE_WAIT = 15000; // ms for its moment to come

/**
 * Instruments grow with the screen, but less than it: a larger screen is also for more picture. Telephones are held nearer to
 * the eye.
 */
export function screenShare(width: number, height: number): number {
    if (Math.min(width, height) < 480) return 0.85;
    return clamp(Math.min(width / 1280, height / 720) ** 0.75, 1, 2.5);
}

export class App implements Desk, SessionDisplay {
    readonly settings: Settings;
    readonly control: SessionControl;
    readonly session: Session;
    readonly link: Link;
    readonly hub: InputHub;
    readonly stage: Stage;
    readonly hud: Hud;
    readonly menu: Menu;
    private readonly playout = new Playout();
    private readonly pilot: PilotSender;
    readonly arm: ArmSender;
    private ghostAt = -Infinity;
    private readonly sound: Sound;
    private readonly timeline: Timeline;
    private readonly plots: PlotPanel;
    private readonly debriefPanel: DebriefPanel;
    private readonly futures: FuturesPanel;
    private readonly instructor: InstructorPanel;
    private readonly winch: WinchPanel;
    private readonly rating: RatingPanel;
    private readonly probe: ProbePanel;
    private readonly reel: ReelPanel;
    private readonly touch: TouchSticks;
    readonly forecasts: Forecasts;
    readonly twin: Twin;
    private readonly draft = new DraftPanel();
    private readonly cover = h("div", { class: "cover hidden", role: "status" }, "Frozen by the instructor");
    /** a scene that is being written has been shown */
    private written = false;
    private readonly blind = h("div", { class: "blind hidden", role: "status" }, "No picture from the camera");
    private readonly banner = h("div", { class: "banner hidden", role: "alert" });
    private last = performance.now();
    private hudClock = 0;
    private frameRate = 0;
    /** the server gives hints */
    private hinted = true;
    private tokenText: string | null;

    constructor(root: HTMLElement, canvas: HTMLCanvasElement, graphics: string, address: string, token: string | null, seat: Seat) {
        this.tokenText = token;
        this.settings = loadSettings(localStorage);
        this.stage = new Stage(canvas, graphics);
        this.control = new SessionControl(address, token, seat, this);
        this.control.pilot = () => {
            const { name, group, phase } = this.settings.pilot;
            return name ? { pilot: name, ...(group ? { group } : {}), ...(phase ? { phase } : {}) } : {};
        };
        this.session = this.control.session;
        this.link = this.control.link;
        this.link.name = this.settings.pilot.name;
        this.pilot = new PilotSender((message) => this.link.sendLively(message));
        this.arm = new ArmSender((message) => this.link.send(message));
        this.hub = new InputHub(window, {
            action: (action, pressed) => this.act(action, pressed),
            zeroed: (reason) => this.zeroed(reason),
            pads: (pads) => this.padsChanged(pads),
        });
        this.hud = new Hud({
            sonar: {
                watch: (sonar, on) => { if (this.session.scene) this.control.tell({ type: "sonar", sonar, on }); },
                setRange: (sonar, range) => this.control.tell({ type: "command", name: "sonar_range", value: { sonar, range } }),
                gainChanged: (gain) => {
                    this.settings.display.sonarGain = gain;
                    saveSettings(localStorage, this.settings);
                },
                close: () => this.act("sonar", true),
            },
            resetTurns: () => this.control.tell({ type: "command", name: "reset_turns" }),
            openMenu: () => this.menu.toggle(),
            openHelp: () => this.menu.show("help"),
            toggleSound: () => this.act("mute", true),
            nextView: () => this.act("view_next", true),
            flyAgain: () => this.control.again(),
            debrief: () => this.control.debrief(),
            close: () => this.control.end(),
            next: () => this.nextLesson(),
        });
        this.sound = new Sound((text) => this.hud.captions.say(text, performance.now() / 1000));
        this.timeline = new Timeline({
            pause: (paused) => this.control.tell({ type: "pause", paused }),
            speed: (factor) => this.control.tell({ type: "speed", factor }),
            step: (seconds) => this.control.tell({ type: "step", seconds }),
            seek: (time) => this.control.tell({ type: "seek", time }),
            branch: () => this.control.branch(),
            ghost: (on) => { this.twin.replayed = on; },
            close: () => this.control.end(),
        });
        this.menu = new Menu({
            opened: () => this.menuChanged(),
            closed: () => this.menuChanged(),
            mayClose: () => !this.session.rules.alone,
        });
        this.menu.add("dive", new DivePage(this));
        this.menu.add("flights", new FlightsPage(this));
        this.menu.add("logbook", new LogbookPage(this));
        this.menu.add("controls", new ControlsPage(this));
        this.menu.add("calibration", new CalibrationPage(this));
        this.menu.add("vehicle", new VehiclePage(this));
        this.menu.add("display", new DisplayPage(this));
        this.menu.add("help", new HelpPage(this));
        this.menu.add("crew", new CrewPage(this));
        this.menu.add("class", new ClassPage(this));
        this.menu.add("study", new StudyPage(this, (pair, question) => this.beginRating(pair, question)));
        this.instructor = new InstructorPanel(this);
        this.winch = new WinchPanel(this);
        this.rating = new RatingPanel(this, (pair, clip) => this.control.open({ kind: "clip", pilot: this.settings.pilot.name, pair, clip }), () => {
            this.control.end();
            this.menu.show("study");
        });
        this.probe = new ProbePanel((probe, answers) => this.control.tell({ type: "answer", probe, answers }));
        this.reel = new ReelPanel((action) => this.control.tell({ type: "tether", action, rate: this.settings.tetherRate }), (text) => this.control.tell({ type: "say", text }));
        this.plots = new PlotPanel(this, () => this.showPlots(false));
        this.futures = new FuturesPanel(address, () => this.tokenText);
        this.debriefPanel = new DebriefPanel({
            ask: async (flight) => (await this.link.request<{ debrief: Debrief }>({ type: "debrief", flight })).debrief,
            seek: (time, pilot) => this.showMoment(time, pilot),
            branch: (time) => {
                this.control.tell({ type: "seek", time });
                this.control.branch();
            },
            picture: (time) => this.takePicture(time, "pilot"),
            beside: (flights, captions) => this.futures.show(flights, captions),
            token: () => this.tokenText,
            closed: () => {
                this.futures.hide();
                this.frameScreen();
            },
        });
        this.hud.plots.addEventListener("click", () => this.showPlots(!this.plots.open));
        this.hud.device = () => (document.documentElement.classList.contains("touching") ? "touch" : this.hub.pad ? "pad" : "keys");
        this.hud.lesson.hint = (control) => controlHint(control, this.settings, this.hud.device());
        this.touch = new TouchSticks(this.hub, (action, pressed) => this.act(action, pressed));
        this.forecasts = new Forecasts(this.link, this.stage.forecast, this.settings.forecast);
        this.twin = new Twin(this.link, this.stage.twin, () => this.settings.twin);
        this.hud.below.append(this.draft.element, this.forecasts.element, this.twin.element, this.reel.element, this.timeline.element, this.touch.element);
        window.addEventListener("resize", () => {
            this.applyDisplay();
            this.frameScreen();
        });
        new MouseControl(canvas, this.stage.views, (factor) => this.pilotZoom(factor));
        root.append(this.blind, this.hud.element, this.instructor.element, this.winch.element, this.rating.element, this.plots.element, this.debriefPanel.element, this.futures.element, this.menu.element, this.probe.element, this.cover, this.banner);
        for (const event of ["pointerdown", "keydown"]) window.addEventListener(event, () => this.sound.unlock(), { passive: true });
        this.changed();
        this.chooseView("free");
    }

    run(): void {
        this.link.connect();
        const tick = (): void => {
            requestAnimationFrame(tick);
            this.draw();
        };
        requestAnimationFrame(tick);
    }

    // --- pictures

    private draw(): void {
        const now = performance.now();
        const dt = Math.min((now - this.last) / 1000, 1);
        this.last = now;
        const seconds = now / 1000;
        this.hub.poll(dt);
        this.steer(seconds, dt);
        const instant = this.session.scene ? this.playout.at(seconds) : null;
        this.stage.render(instant, seconds, dt);
        const frame = instant?.after ?? null;
        this.sound.update(this.session.flying ? frame : null, this.session.scene?.vehicles[0]?.thrusters[0]?.blades ?? 3, seconds);
        // Instruments thirty times a second; ten where the processor has to paint them.
        this.hudClock += dt;
        if (this.hudClock < (this.stage.lowly ? 0.095 : 1 / 32)) return;
        const passed = this.hudClock;
        this.hudClock = 0;
        this.hud.update(frame, this.session.modes, this.settings, seconds, passed);
        this.menu.tick();
        this.winch.update(frame);
        if (frame) this.timeline.update(instant!.time);
        this.stage.sketched.show((this.session.replaying && frame && this.debriefPanel.sketchAt(instant!.time)) || []);
        this.plots.update(passed);
        this.forecasts.tick(this.mayForecast(), seconds);
        this.twin.tick(this.mayForecast());
        if (this.session.replaying) this.twin.replay(instant?.time ?? null);
        this.askForFrames();
    }

    /** Sticks fly the vehicle, or move the viewpoint while that control is held. */
    private steer(now: number, dt: number): void {
        const views = this.stage.views;
        const axes = this.hub.axes;
        const control = this.hub.isActive("view_control") && !this.hub.suspended;
        const side = (plus: ActionId, minus: ActionId): number => (this.hub.isActive(plus) ? 1 : 0) - (this.hub.isActive(minus) ? 1 : 0);
        const turn = side("view_right", "view_left") + (control ? axes[3]! + axes[1]! : 0);
        const lift = side("view_up", "view_down") + (control ? axes[2]! : 0);
        if (turn !== 0 || lift !== 0) views.drag((-turn * VIEW_RATE * dt) / 3, (lift * VIEW_RATE * dt) / 3);
        if (control && axes[0] !== 0) views.zoom(Math.exp(-axes[0]! * 1.2 * dt));
        const arm = this.arm.chosen >= 0;
        if (this.session.steers) this.pilot.update(control || arm ? [0, 0, 0, 0] : axes, now);
        if (arm && this.session.steers && !control) {
            const entry = this.session.scene?.vehicles[0]?.arms?.[this.arm.chosen];
            this.arm.update(entry, this.hub.suspended ? [0, 0, 0, 0] : axes, this.hub.isActive("shift"), this.hub.suspended ? 0 : side("gripper_open", "gripper_close"), now);
        }
        if (this.stage.ghost.last && now - this.ghostAt > 1.5) this.stage.ghost.show(null, null);
    }

    /** As many frames as the page can show. */
    private askForFrames(): void {
        if (!this.session.scene || this.link.state !== "open") return;
        const wanted = this.stage.quality.rate > 45 ? 60 : 30;
        if (wanted === this.frameRate) return;
        this.frameRate = wanted;
        this.link.send({ type: "frames", rate: wanted });
    }

    // --- actions

    private act(action: ActionId, pressed: boolean): void {
        // while an arm is moved, its jaw opens and closes
        if (this.arm.chosen >= 0 && (action === "gripper_open" || action === "gripper_close")) return;
        const armed = ((this.frame()?.vehicles[0]?.flags ?? 0) & VehicleFlag.ARMED) !== 0;
        const message = messageFor(action, pressed, armed, this.settings.tetherRate);
        if (message) {
            if (this.session.steers) this.control.tell(message);
            return;
        }
        if (!pressed) return;
        const { display, sound } = this.settings;
        switch (action) {
            case "input_hold":
                if (this.session.steers) this.pilot.toggleHold(this.hub.axes, performance.now() / 1000);
                break;
            case "view_next": this.stepView(1); break;
            case "view_previous": this.stepView(-1); break;
            case "view_pilot": this.chooseView("pilot"); break;
            case "view_reset": this.stage.views.reset(this.stage.subject(this.frame()?.vehicles[0] ?? null)); break;
            case "axes": display.axes = !display.axes; this.changed(); break;
            case "overlay": display.overlay = !display.overlay; this.changed(); break;
            case "forecast_home": this.toggleForecast("home"); break;
            case "forecast_ahead": this.toggleForecast("ahead"); break;
            case "forecast_haul": this.toggleForecast("haul"); break;
            case "arm_select": this.selectArm(); break;
            case "arm_mode":
                this.arm.stop(performance.now() / 1000);
                this.arm.mode = this.arm.mode === "tool" ? "joint" : "tool";
                this.hud.setArm(this.arm.chosen, this.arm.mode);
                break;
            case "sonar": display.sonar = !display.sonar; this.changed(); break;
            case "sonar_next": this.hud.sonar.next(); break;
            case "sonar_longer": this.hud.sonar.stepRange(1); break;
            case "sonar_shorter": this.hud.sonar.stepRange(-1); break;
            case "sensors": display.sensors = !display.sensors; this.changed(); break;
            case "hud": display.hud = !display.hud; this.changed(); break;
            case "mute": sound.muted = !sound.muted; this.changed(); break;
            case "pause":
                if (this.session.replaying) this.timeline.toggle();
                else if (this.session.scene) this.control.tell({ type: "pause", paused: !this.session.state?.paused });
                break;
            case "mark":
                if (this.session.flying) {
                    this.control.tell({ type: "mark", text: "marked by the pilot" });
                    this.say("mark", "info", "Moment marked");
                }
                break;
            case "help": if (!this.session.rules.blank) this.menu.show("help"); break;
            case "menu": if (!this.session.rules.blank) this.menu.toggle(); break;
            default: break;
        }
    }

    /** In the order in which the menu has them. Studies say themselves what comes next. */
    private nextLesson(): { title: string; fly(): void } | null {
        const { hello, scene } = this.session;
        const lessons = hello?.study ? [] : hello?.catalog.lessons ?? [];
        const at = lessons.findIndex(({ title }) => title === scene?.lesson?.title);
        const next = at >= 0 ? lessons[at + 1] : undefined;
        return next ? { title: next.title, fly: () => this.control.after({ scene: next.name }) } : null;
    }

    private selectArm(): void {
        const arms = this.session.scene?.vehicles[0]?.arms ?? [];
        if (!this.session.steers) return;
        if (arms.length === 0) this.say("arm", "info", "This vehicle has no arm");
        this.arm.next(arms, performance.now() / 1000);
        this.hud.setArm(this.arm.chosen, this.arm.mode);
    }

    /** Forecasts are of a flight under way with a tether, and an aid: the pilot's wish and the lesson's limit hold for them too. */
    private mayForecast(): boolean {
        const { session } = this;
        const aids = lockedAids(this.settings.display.aids, this.lessonAids());
        const flight = session.kind === "flight" || session.kind === "watch";
        return flight && session.scene !== null && session.scene.cables.length > 0 && !session.rules.blank && (aids === "full" || !session.rules.own);
    }

    private toggleForecast(kind: keyof Settings["forecast"]): void {
        const { forecast } = this.settings;
        if (this.session.flying && !this.mayForecast()) {
            if (this.session.scene?.cables.length === 0) this.say("aids", "info", "There is no tether to forecast");
            else this.say("aids", "info", this.session.rules.locked ? "This lesson is flown without forecasts" : "Forecasts are an aid: Display, Aids, all");
            return;
        }
        forecast[kind] = !forecast[kind];
        this.changed();
        this.forecasts.draw(this.mayForecast());
    }

    private views(): readonly ViewKind[] {
        // Views from outside are an aid: who flies has them with all aids only.
        const { steers, locked } = this.session.rules;
        if (locked && this.session.scene?.lesson?.view === "plan") return ["top"];
        if ((steers || locked) && this.aids() !== "full") return ["pilot"];
        return this.session.scene && this.session.scene.vehicles.length === 0 ? SCENE_VIEWS : FLIGHT_VIEWS;
    }

    /** What the lesson under way allows; undefined: no lesson limits it. */
    private lessonAids(): LessonEntry["aids"] | undefined {
        return this.session.rules.locked && !this.stage.writing ? this.session.scene?.lesson?.aids : undefined;
    }

    /** What this page may show: no more than wished for, and no more than the lesson allows. */
    private aids(): Aids {
        return lockedAids(this.settings.display.aids, this.lessonAids());
    }

    /** A view that was free to choose before may not be one that is allowed now. */
    private checkView(): void {
        const views = this.views();
        if (!views.includes(this.stage.views.kind)) this.chooseView(views[0]!);
    }

    private stepView(step: number): void {
        const views = this.views();
        if (views.length < 2) {
            this.say("view", "info", this.session.rules.locked ? "This lesson is flown with this view alone" : "Without aids there is the pilot's camera alone");
            return;
        }
        const at = views.indexOf(this.stage.views.kind);
        this.chooseView(views[(at + step + views.length) % views.length]!);
    }

    chooseView(kind: ViewKind): void {
        this.stage.views.choose(kind, this.stage.subject(this.frame()?.vehicles[0] ?? null));
        this.hud.setView(VIEW_TITLES[kind], kind === "pilot");
        this.applyDisplay();
        this.applySeat();
    }

    private pilotZoom(factor: number): void {
        const zoom = this.frame()?.vehicles[0]?.zoom;
        const most = this.session.scene?.vehicles[0]?.camera.zoom ?? 1;
        if (this.session.steers && zoom !== undefined) this.control.tell({ type: "command", name: "camera_zoom", value: Math.min(Math.max(zoom / factor, 1), most) });
    }

    private zeroed(reason: "blur" | "disconnect"): void {
        if (!this.session.flying) return;
        this.pilot.zero(performance.now() / 1000);
        if (reason === "disconnect") this.say("pad", "warning", "The gamepad has gone: sticks are at zero");
    }

    private padsChanged(pads: readonly string[]): void {
        if (pads.length > 0) this.say("pad", "info", `Gamepad: ${pads[0]!.replace(/\s*\(.*$/, "")}`);
        this.menu.refresh();
    }

    // --- settings

    changed(): void {
        saveSettings(localStorage, this.settings);
        this.link.name = this.settings.pilot.name;
        this.hub.maps = [this.settings.keyboard.map, this.settings.pad.map];
        this.hub.calibrations = this.settings.calibrations;
        this.sound.setVolume(this.settings.sound.volume, this.settings.sound.muted);
        this.hud.setSound(this.settings.sound.muted);
        this.applyDisplay();
        if (this.session.steers) this.checkView();
        this.switchHints();
        this.switchSonar();
    }

    /** Images of sonars are asked for while they are shown. */
    private switchSonar(): void {
        const { scene, replaying } = this.session;
        const shown = scene !== null && scene.vehicles.length > 0 && this.settings.display.sonar && this.settings.display.hud;
        this.hud.sonar.gain = this.settings.display.sonarGain;
        this.hud.sonar.open(shown, replaying ? "Recordings have no images of sonars." : scene?.lesson?.sonar === false ? "This lesson is flown without sonar." : "This vehicle has no sonar.");
        document.documentElement.classList.toggle("sounding", shown);
    }

    /** Tells the server whether hints are wished for; it gives them unless told otherwise. */
    private switchHints(): void {
        if (!this.session.flying) return;
        const lesson = this.session.scene?.lesson;
        const on = this.settings.display.hints && (lesson ? lesson.hints : this.aids() !== "none");
        if (on === this.hinted || (lesson && !lesson.hints)) return;
        this.hinted = on;
        this.control.tell({ type: "hints", on });
    }

    private applyDisplay(): void {
        const { display } = this.settings;
        const pilotView = this.stage.views.kind === "pilot";
        const aids = this.aids();
        this.hud.lessonAids = this.lessonAids();
        const aided = aids === "full" || !this.session.rules.own;
        // A real camera shows no overlay: in the pilot's view it is an aid.
        this.stage.options.overlay = display.overlay && aided && (!pilotView || aids === "full");
        this.stage.options.axes = display.axes;
        this.stage.options.contacts = this.session.rules.timeline;
        const fixed = display.quality === "auto" ? null : QUALITIES[display.quality];
        if (this.stage.fixedQuality !== fixed) {
            this.stage.fixedQuality = fixed;
            this.stage.applyQuality();
        }
        const still = display.reducedMotion === "on" || (display.reducedMotion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches);
        this.stage.views.steady = still;
        document.documentElement.classList.toggle("still", still);
        this.hud.setSize(display.scale * screenShare(window.innerWidth, window.innerHeight));
    }

    // --- the desk of the menu

    frame(): Frame | null {
        return this.playout.newest;
    }

    token(): string | null {
        return this.tokenText;
    }

    tell(message: object): void {
        this.control.tell(message);
    }

    showPage(name: string): void {
        this.menu.show(name);
    }

    closeMenu(): void {
        this.menu.close();
    }

    dive(options: FlightOptions): void {
        this.control.dive(options);
    }

    complain(error: unknown): void {
        this.control.complain(error);
    }

    join(invitation: Invitation): void {
        this.control.join(invitation);
    }

    resumeFlight(flight: string): void {
        this.control.resume(flight);
    }

    openReplay(flight: string): void {
        this.control.open({ kind: "replay", flight });
    }

    openDebrief(flight: string): void {
        this.control.openDebrief(flight);
    }

    openScene(name: string): void {
        this.control.open({ kind: "scene", name });
    }

    endSession(): void {
        this.control.end();
    }

    // --- what is shown

    private showPlots(on: boolean): void {
        this.plots.show(on);
        this.frameScreen();
    }

    /** What stands beside the picture, one thing at a time: plots, the debrief, or a panel of the seat; the rest has the room that is left. */
    private frameScreen(): void {
        const { classList } = document.documentElement;
        const panel = [this.instructor, this.winch, this.rating].some(({ element }) => !element.classList.contains("hidden"));
        classList.toggle("plotting", this.plots.open);
        classList.toggle("debriefing", this.debriefPanel.open);
        classList.toggle("teaching", panel);
        show(this.hud.plots, this.session.rules.timeline && !this.plots.open && !this.debriefPanel.open && !panel);
        const { right, bottom, width } = this.hud.element.getBoundingClientRect();
        this.stage.covered = width > 0 ? Math.max(window.innerWidth - right, 0) : 0;
        this.stage.coveredBelow = width > 0 ? Math.max(window.innerHeight - bottom, 0) : 0;
    }

    private menuChanged(): void {
        const { rules } = this.session;
        this.hub.suspended = this.menu.open || rules.blank;
        this.menu.setAlone(rules.alone);
        this.menu.allow("study", Boolean(this.session.hello?.study));
        this.menu.allow("class", Boolean(this.session.hello?.instructor));
        document.documentElement.classList.toggle("in-menu", this.menu.open);
        this.touch.allow(rules.steers && !this.menu.open);
        document.documentElement.classList.toggle("idle", rules.alone);
        if (this.menu.open && rules.steers) this.pilot.zero(performance.now() / 1000);
    }

    // --- the session's display

    entered(state: PageState, before: PageState): void {
        const root = document.documentElement;
        root.dataset["state"] = state;
        const { rules, machine } = this.session;
        // The instructor stops time and asks: nothing is to be seen until it goes on.
        root.classList.toggle("frozen", machine.covered);
        show(this.cover, machine.covered);
        this.hud.steered = rules.steers;
        // A seat that was handed over has another view than before.
        const { scene } = this.session;
        if (scene && state !== "menu" && before !== "menu" && RULES[state].own !== RULES[before].own) this.chooseView(RULES[state].own ? "pilot" : "chase");
        if (RULES[before].steers && !rules.steers) this.pilot.zero(performance.now() / 1000);
        if (rules.blank) this.menu.close();
        if (state === "debrief") this.hud.alerts.clear(); // what they warned of is over
        this.applyDisplay();
        if (RULES[state].locked) this.checkView();
        this.menuChanged();
    }

    linkChanged(state: LinkState, text: string): void {
        const texts: Record<LinkState, string> = { connecting: "connecting", open: "connected", lost: "no connection", refused: "refused", closed: "closed" };
        this.hud.setLink(texts[state], state === "open");
        show(this.banner, state !== "open" && state !== "closed" && !(state === "connecting" && this.session.hello === null));
        setText(this.banner, state === "refused" ? `The server refuses this page: ${text}` : `${text || "The connection was lost."} Trying again\u2026`);
        if (state === "lost") {
            // What alerts say may be over before the connection is back; those that are not are sent again.
            this.hud.alerts.clear();
            this.frameRate = 0;
            this.pilot.reset();
            this.playout.clear();
        }
    }

    setScene(scene: SceneMessage, fresh: boolean): void {
        this.stage.setScene(scene);
        this.hud.setScene(scene);
        this.frameRate = 0;
        this.applyDisplay();
        this.applySeat();
        if (this.session.conditions) this.setConditions(this.session.conditions);
        this.switchSonar();
        this.stage.ghost.setBody(scene.bodies.find(({ vehicle }) => vehicle === 0));
        if (!fresh) return;
        this.arm.chosen = -1;
        this.hud.setArm(-1, this.arm.mode);
        if (!this.session.replaying) this.debriefPanel.hide();
        this.setEntanglement(null);
        this.forecasts.reset();
        this.twin.reset();
        this.offerGhost(scene);
        this.hinted = true;
        this.switchHints();
        this.hud.alerts.clear();
        this.hud.advise("", 0);
        const vehicle = scene.vehicles.length > 0;
        document.documentElement.classList.toggle("piloted", vehicle);
        // who writes a scene goes on looking as before
        const kept = this.stage.writing && this.written && this.views().includes(this.stage.views.kind);
        this.written = this.stage.writing;
        if (!kept) this.chooseView(!vehicle ? "free" : this.session.flying ? (this.views().includes("pilot") ? "pilot" : this.views()[0]!) : "chase");
        this.plots.reset(this.session.replaying);
        this.showPlots(this.session.rules.timeline && this.session.hello?.mode === "view");
        this.menu.close();
        this.menuChanged();
        if (this.rating.open && this.session.replaying) this.control.tell({ type: "pause", paused: false });
        document.title = `${scene.title || scene.name || "Hawser"} \u2013 Hawser`;
    }

    setClock(state: StateMessage): void {
        const { replaying } = this.session;
        this.instructor.setClock();
        this.hud.tether.setMinder(state.handler);
        this.session.machine.take({ kind: "covered", on: Boolean(state.blank) && !this.session.hello?.instructor });
        // Of another's flight only the instructor has the time, and a panel for it.
        this.timeline.setState(this.session.rules.timeline && this.session.kind !== "watch" ? state : null, replaying, replaying && Boolean(this.session.scene?.flight));
    }

    raise(message: AlertMessage): void {
        const now = performance.now() / 1000;
        // What no instrument tells a real pilot is not told by an alert either.
        const hidden = this.session.rules.own && ((message.code === "slack" && this.aids() === "none") || (message.code === "wrap" && this.aids() !== "full"));
        if (hidden) return;
        this.hud.raise(message, now);
        if (this.session.flying) this.sound.alert(message, now);
    }

    setTwin(message: TwinMessage): void {
        this.twin.take(message);
    }

    /** Replays have the ghost that was shown in the flight; who rates recordings is not told which model is which. */
    private offerGhost({ flight, ghost }: SceneMessage): void {
        const offered = this.session.replaying && Boolean(flight && ghost) && !this.rating.open;
        this.timeline.offerGhost(offered);
        if (offered) this.twin.load(recordingAddress(flight!, "ghost.csv", this.tokenText)).catch((error: Error) => this.say("ghost", "warning", error.message));
    }

    setGhost(message: GhostMessage): void {
        const aided = this.aids() === "full" || !this.session.rules.own;
        this.ghostAt = performance.now() / 1000;
        this.stage.ghost.show(this.settings.display.ghost && aided ? message : null, this.frame()?.vehicles[0]?.position ?? null);
    }

    hint(message: HintMessage): void {
        if (this.settings.display.hints) this.hud.advise(message.text, performance.now() / 1000);
    }

    setProgress(message: ProgressMessage): void {
        this.hud.lesson.update(message);
        this.stage.markers.update(message.done.map((time) => time !== null), message.current, this.session.scene?.lesson?.sequence ?? true);
    }

    setEntanglement(message: EntanglementMessage | null): void {
        this.hud.setEntanglement(message);
    }

    setMarks(marks: Mark[]): void {
        this.timeline.setMarks(marks);
    }

    setCrew(): void {
        this.applySeat();
        this.menu.refresh();
    }

    setConditions(conditions: ConditionsMessage): void {
        this.stage.setVisibility(conditions.visibility);
        this.instructor.setConditions(conditions);
        this.applySeat();
    }

    hear(said: SaidMessage): void {
        this.say(`said-${said.member}`, "info", `${memberText(said)}: ${said.text}`);
    }

    setProbe(probe: ProbeMessage | null): void {
        this.probe.set(probe);
    }

    setDraft(draft: DraftEntry): void {
        this.stage.writing = true;
        this.draft.set(draft);
        if (draft.good) this.stage.draft.set(draft.lesson ?? null);
    }

    /** Two recordings are seen and rated, without a word which is which. */
    private beginRating(pair: number, question: string): void {
        this.rating.begin(pair, question);
        this.frameScreen();
    }

    showClass(): void {
        this.menu.show("class");
    }

    /** What this page's seat shows: the instructor's panel, the handler's reel, and the faults that the pilot has to live with. */
    private applySeat(): void {
        const { session } = this;
        const aboard = session.scene !== null && session.crew !== null && (session.kind === "flight" || session.kind === "watch");
        const teaches = aboard && session.role === "instructor";
        if (teaches) {
            this.instructor.build();
            this.instructor.setCrew(session.crew!);
        }
        const operates = aboard && !session.flying && session.role === "winch" && session.holds("equipment");
        if (operates) this.winch.build();
        else this.winch.leave();
        show(this.instructor.element, teaches);
        show(this.winch.element, operates);
        this.frameScreen();
        show(this.reel.element, aboard && !session.flying && !operates && session.role !== "instructor" && session.holds("tether"));
        const faults = session.flying ? session.conditions : null;
        this.playout.extra = faults?.video_delay ?? 0;
        this.hud.conditions = faults;
        show(this.blind, faults !== null && !faults.camera && this.stage.views.kind === "pilot");
    }

    takeSonar(image: SonarImage): void {
        this.hud.sonar.take(image);
    }

    takeFrame(frame: Frame): void {
        this.playout.push(frame, performance.now() / 1000);
        this.plots.take(frame);
    }

    takeControls(): void {
        this.pilot.reset();
        this.link.send({ type: "tune", axes: this.settings.tuning });
    }

    prepare(): void {
        this.playout.clear();
    }

    clear(): void {
        this.debriefPanel.hide();
        this.setEntanglement(null);
        this.forecasts.reset();
        this.twin.reset();
        this.stage.clearScene();
        this.stage.ghost.show(null, null);
        this.arm.chosen = -1;
        this.hud.setArm(-1, this.arm.mode);
        this.playout.clear();
        this.sound.silence();
        this.timeline.setState(null, false, false);
        this.showPlots(false);
        this.probe.set(null);
        this.hud.alerts.clear(); // what they warned of is over
        this.applySeat();
        this.menuChanged();
    }

    showMenu(): void {
        this.menu.show(this.session.hello?.study && !this.session.hello.instructor ? "study" : "dive");
    }

    showDebrief(flight: string): void {
        this.menu.close();
        this.showPlots(false);
        this.debriefPanel.show(flight);
        this.frameScreen();
    }

    private showMoment(time: number, pilot: boolean): void {
        this.control.tell({ type: "seek", time });
        this.control.tell({ type: "pause", paused: !pilot });
        if (pilot) this.chooseView("pilot");
    }

    /**
     * What a view shows at a moment of the recording or `within` s of it, so many pixels across, as the address of an image; the
     * replay stays there. Null: it did not come in time.
     */
    private async takePicture(time: number, view: ViewKind, width = PICTURE_SIZE, within = 0.3, wait = PICTURE_WAIT): Promise<string | null> {
        const until = performance.now() + wait;
        // the recording may still be on its way
        while (this.session.starting || !this.session.replaying || !this.frame()) {
            await new Promise(requestAnimationFrame);
            if (performance.now() > until) return null;
        }
        this.control.tell({ type: "pause", paused: true });
        this.control.tell({ type: "seek", time });
        if (view !== this.stage.views.kind) this.chooseView(view);
        let drawn = 0;
        while (drawn < 3) {
            // after the page's own drawing in the same picture, while the buffer still holds it
            await new Promise(requestAnimationFrame);
            if (performance.now() > until || !this.session.replaying) return null;
            drawn = Math.abs((this.playout.newest?.time ?? Infinity) - time) < within && this.stage.views.kind === view ? drawn + 1 : 0;
        }
        return this.stage.picture(width);
    }

    /** A picture of the whole scene at its best, for `hawser report --views`, however long a processor takes to draw it. */
    async drawReport(time: number, width: number, within: number): Promise<string | null> {
        this.settings.display.quality = "high";
        this.changed();
        this.showPlots(false);
        this.stage.views.steady = true;
        // once to go there, once more with all of it in the picture
        if (!(await this.takePicture(time, "free", width, within, 60_000))) return null;
        this.stage.placeAgain();
        return this.takePicture(time, "free", width, within, 60_000);
    }

    showEnding(text: string): void {
        // It stays until the next dive: perhaps nobody looks.
        this.raise({ type: "alert", time: 0, level: "alarm", code: "ended", text });
    }

    say(code: string, level: Level, text: string): void {
        this.hud.alerts.say(code, level, text, performance.now() / 1000);
    }
}

import { describe, expect, it } from "vitest";
import { compassError, memberText, shownVehicle } from "../../src/crew";
import { joinAddress, parseInvitation, takeRole } from "../../src/net/address";
import type { VehicleFrame } from "../../src/net/frame";
import type { ConditionsMessage, CrewMessage, LogbookLine, SceneMessage } from "../../src/net/messages";
import { Session } from "../../src/session";
import { partingTime, rowAt } from "../../src/ui/futures";
import { standingOf } from "../../src/ui/study_page";
import { findEquipment, JointLever } from "../../src/ui/winch_panel";

const conditions = (change: Partial<ConditionsMessage>): ConditionsMessage => ({ type: "conditions", visibility: null, camera: true, video_delay: 0, command_delay: 0, loss: 0,
    compass: { rate: 0, since: 0, offset: 0 }, load_cell: 0, leak: 0, thrusters: [], pending: [], ...change });
const scene = (session: SceneMessage["session"]): SceneMessage => ({ type: "scene", revision: 1, session, time: 0, environment: {}, bodies: [], vehicles: [], cables: [] });
const crew = (you: number, vehicle: number): CrewMessage => ({ type: "crew", you, role: you === 1 ? "pilot" : "instructor", members: [], comms: true,
    holders: { vehicle, tether: 1, equipment: 1, time: 2, teaching: 2 } });

describe("the crew", () => {
    it("joins by a link that keeps its secret out of the address", () => {
        const page = { origin: "http://127.0.0.1:8420", pathname: "/", search: "", hash: "" } as Location;
        const invitation = { flight: "20260114-101530-k3a", role: "handler", secret: "9f01" };
        const address = joinAddress(page, invitation, "a token");
        expect(address).toBe("http://127.0.0.1:8420/#join=20260114-101530-k3a.handler.9f01&token=a%20token");
        expect(parseInvitation("20260114-101530-k3a.handler.9f01")).toEqual(invitation);
        expect(parseInvitation("../etc.handler.9f01")).toBeNull();
        const kept = new Map<string, string>();
        const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) } as unknown as Storage;
        let shown = "";
        const history = { replaceState: (_: unknown, __: string, to: string) => { shown = to; } } as unknown as History;
        expect(takeRole({ ...page, hash: "#join=20260114-101530-k3a.handler.9f01" }, storage, history)).toEqual({ instructor: null, join: invitation });
        expect(shown).toBe("/");
        expect(takeRole({ ...page, hash: "#instructor=s%20t" }, storage, history).instructor).toBe("s t");
    });

    it("steers where it holds the vehicle: the pilot, or the instructor who took it", () => {
        const pilot = new Session();
        pilot.open(scene("flight"));
        expect(pilot.steers).toBe(true);
        pilot.crew = crew(1, 2);
        expect([pilot.steers, pilot.holds("tether"), pilot.holds("time")]).toEqual([false, true, false]);
        const teacher = new Session();
        teacher.open(scene("watch"));
        expect([teacher.steers, teacher.role]).toEqual([false, "observer"]);
        teacher.crew = crew(2, 2);
        expect([teacher.steers, teacher.role]).toEqual([true, "instructor"]);
    });

    it("shows what a bad compass and a bad load cell say", () => {
        const vehicle = { heading: 6.2, tension: 20 } as VehicleFrame;
        const bad = conditions({ compass: { rate: 0.01, since: 100, offset: 0.05 }, load_cell: -5 });
        expect(compassError(bad, 110)).toBeCloseTo(0.15, 12);
        const shown = shownVehicle(vehicle, bad, 110);
        expect(shown.heading).toBeCloseTo(6.35 - 2 * Math.PI, 12);
        expect(shown.tension).toBe(15);
        expect(shownVehicle(vehicle, conditions({}), 110)).toBe(vehicle);
        expect(memberText({ name: "Bo", role: "handler" })).toBe("Bo (tether handler)");
    });
});

describe("the operator's equipment", () => {
    const inputs = (...names: string[]): { name: string; unit: string; value: number | null }[] => names.map((name) => ({ name, unit: name.includes("boom") ? "rad" : "m", value: name.endsWith(".mode") ? 1 : null }));

    it("is winches, joints with a drive and tips of cranes, and nothing of a vehicle or of the sea", () => {
        const found = findEquipment(inputs("environment.current.x", "ship.force.x", "rov.pilot.surge", "rov.arm.elbow.target", "rov.arm.elbow.mode", "winch.setpoint", "winch.mode",
            "lift.setpoint", "lift.mode", "lift.kp", "a_frame.boom.target", "a_frame.boom.mode", "slide.carriage.target", "slide.carriage.mode",
            "crane.boom.target", "crane.boom.mode", "crane.tool.x", "crane.tool.z"), ["rov"]);
        // the tether's own winch has its handler's messages; joints of a crane whose tip is moved follow it
        expect(found).toEqual({ winches: ["lift"], joints: [{ name: "a_frame.boom", unit: "rad", mode: 1 }, { name: "slide.carriage", unit: "m", mode: 1 }], tools: [{ name: "crane", axes: ["x", "z"] }] });
        expect(findEquipment(inputs("rover.setpoint", "rover.mode"), ["rov"]).winches).toEqual(["rover"]);
        // a joint without a drive has no lever
        expect(findEquipment([{ name: "gate.boom.target", unit: "rad", value: null }, { name: "gate.boom.mode", unit: "1", value: 0 }], []).joints).toEqual([]);
    });

    it("has levers that begin where the joint is, lead it by a second at most, and do not push on what stops it", () => {
        const boom = new JointLever(true, 1, Number.NaN);
        expect(boom.hold(1, 0)).toBeNull();
        expect(boom.stroke(0.1, 100), "nobody has said where it is").toBeNull();
        boom.place(0.5, 150);
        expect(boom.stroke(0.1, 200)).toBeCloseTo(0.51, 12);
        boom.place(0.505, 250);
        expect(boom.stroke(0.1, 300)).toBeCloseTo(0.52, 12);
        expect(boom.hold(0, 350), "it goes where it was going").toBeCloseTo(0.52, 12);
        // held again before the last place was told: no step back
        expect(boom.hold(1, 400)).toBeNull();
        expect(boom.stroke(0.1, 500)).toBeCloseTo(0.53, 12);
        // at a stop
        boom.place(0.53, 550);
        for (let i = 0; i < 50; ++i) boom.stroke(0.1, 600 + 100 * i);
        expect(boom.target).toBeCloseTo(0.63, 12);
        expect(boom.hold(0, 5600), "it may be on its way").toBeCloseTo(0.63, 12);
        expect(boom.place(0.53, 5500), "as it was before the lever was let go of").toBeNull();
        expect(boom.place(0.53, 5700), "it is not").toBe(0.53);
        expect(boom.place(0.4, 5800), "told once").toBeNull();
        // somebody else has moved it since
        boom.place(0.2, 8900);
        boom.hold(-1, 9000);
        expect(boom.stroke(0.1, 9100)).toBeCloseTo(0.19, 12);
        // a slow page: what it knows is older than the way that the joint has gone
        const arm = new JointLever(false, 1, 0);
        arm.place(0, 0);
        arm.hold(1, 0);
        for (let i = 1; i <= 10; ++i) arm.stroke(0.1, 100 * i);
        expect(arm.hold(0, 1010)).toBeCloseTo(0.2, 12);
        expect(arm.place(0.05, 900)).toBeNull();
        expect(arm.place(0.19, 1020), "it has got there").toBeNull();
        const slide = new JointLever(false, 2, 0);
        expect([slide.hold(1, 0), slide.stroke(0.1, 100), slide.hold(0, 200)]).toEqual([0.2, null, 0]);
    });
});

describe("two futures", () => {
    const course = (...x: number[]): { time: number[]; way: number[][] } => ({ time: x.map((_, i) => 0.2 * i), way: x.map((value) => [value, 0, -1]) });

    it("part where their ways do, or where one ends", () => {
        expect(partingTime(course(0, 1, 2, 3), course(0, 1, 2.05, 4))).toBeCloseTo(0.6, 9);
        expect(partingTime(course(0, 1, 2), course(0, 1, 2, 3))).toBeCloseTo(0.4, 9);
        expect(partingTime(course(0, 1), course(0, 1))).toBeNull();
    });

    it("are shown at the same instant, the shorter one at its end", () => {
        expect([rowAt([0, 0.2, 0.4], 0.2), rowAt([0, 0.2, 0.4], 0.39), rowAt([0, 0.2, 0.4], 9), rowAt([0, 0.2], -1)]).toEqual([1, 1, 2, 0]);
    });
});

describe("a participant of a study", () => {
    const line = (phase: string, lesson: string, pilot = "Ann"): LogbookLine => ({ started: "", pilot, group: "a", phase, lesson, flight: "f", score: 50, passed: false, complete: true, time: 1, hits: 0 });
    const steps = [{ phase: "pre", lesson: "check" }, { phase: "training", lesson: "weave", runs: 2 }, { phase: "rating", pair: 0, rated: false }, { phase: "post", lesson: "check" }].map((step) => ({ runs: 1, ...step }));
    const title = (lesson: string): string => lesson.toUpperCase();
    const stand = (lines: LogbookLine[], rated = false): { done: number[]; next: number } => {
        const { states, next } = standingOf(steps.map((step) => ("pair" in step ? { ...step, rated } : step)), lines, "Ann", title);
        return { done: states.map(({ done }) => done), next };
    };

    it("goes through the steps in order; runs count in their own phase and for their own name", () => {
        expect(stand([])).toEqual({ done: [0, 0, 0, 0], next: 0 });
        expect(stand([line("pre", "CHECK"), line("training", "WEAVE"), line("training", "WEAVE", "Bo")])).toEqual({ done: [1, 1, 0, 0], next: 1 });
        expect(stand([line("pre", "CHECK"), line("training", "WEAVE"), line("training", "WEAVE"), line("training", "WEAVE")])).toEqual({ done: [1, 2, 0, 0], next: 2 });
        // what was flown before is not the test after
        expect(stand([line("pre", "CHECK"), line("pre", "CHECK"), line("training", "WEAVE"), line("training", "WEAVE")], true)).toEqual({ done: [1, 2, 1, 0], next: 3 });
        expect(stand([line("pre", "CHECK"), line("training", "WEAVE"), line("training", "WEAVE"), line("post", "CHECK")], true).next).toBe(-1);
    });
});

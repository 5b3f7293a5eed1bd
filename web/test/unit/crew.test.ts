import { describe, expect, it } from "vitest";
import { compassError, memberText, shownVehicle } from "../../src/crew";
import { joinAddress, parseInvitation, takeRole } from "../../src/net/address";
import type { VehicleFrame } from "../../src/net/frame";
import type { ConditionsMessage, CrewMessage, SceneMessage } from "../../src/net/messages";
import { Session } from "../../src/session";

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

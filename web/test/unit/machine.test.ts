import { describe, expect, it } from "vitest";
import { nextState, PageMachine, RULES, type PageEvent, type PageState } from "../../src/machine";
import type { SceneMessage } from "../../src/net/messages";
import { Session } from "../../src/session";

const STATES = Object.keys(RULES) as PageState[];
const lesson: PageEvent = { kind: "opened", session: "flight", lesson: true, fresh: true };

describe("the state machine of the page", () => {
    it("goes through a lesson with a freeze to its debrief, and back by rewinding", () => {
        const seen: string[] = [];
        const machine = new PageMachine((state, before) => seen.push(`${before}>${state}`));
        for (const event of [lesson, { kind: "frozen" }, { kind: "answered" }, { kind: "judged" }, { kind: "rewound" }, { kind: "judged" }, { kind: "left" }] as PageEvent[])
            expect(machine.take(event)).toBe(true);
        expect(seen).toEqual(["menu>lesson", "lesson>freeze", "freeze>lesson", "lesson>debrief", "debrief>lesson", "lesson>debrief", "debrief>menu"]);
    });

    it("opens what a session is", () => {
        const open = (session: "flight" | "scene" | "replay" | "watch", withLesson = false): PageState | null => nextState("menu", { kind: "opened", session, lesson: withLesson, fresh: true });
        expect([open("flight"), open("flight", true), open("replay", true), open("scene"), open("watch", true)]).toEqual(["flight", "lesson", "replay", "watch", "watch"]);
    });

    it("keeps freeze and debrief when the world is described again, not when another one is opened", () => {
        for (const state of ["freeze", "debrief"] as const) {
            expect(nextState(state, { ...lesson, fresh: false } as PageEvent)).toBe(state);
            expect(nextState(state, lesson)).toBe("lesson");
        }
    });

    it("leaves every state for the menu, and takes what means nothing as nothing", () => {
        for (const state of STATES) expect(nextState(state, { kind: "left" })).toBe("menu");
        for (const state of ["menu", "flight", "replay", "watch"] as const)
            for (const kind of ["frozen", "answered", "judged", "rewound"] as const) expect(nextState(state, { kind })).toBeNull();
        expect(nextState("lesson", { kind: "rewound" })).toBeNull();
        expect(nextState("debrief", { kind: "frozen" })).toBeNull();
    });

    it("is covered by an instructor in any state but the menu, and steers nothing until it is uncovered or left", () => {
        const seen: string[] = [];
        const machine = new PageMachine((state, before) => seen.push(`${before}>${state} ${machine.covered}`));
        expect(machine.take({ kind: "covered", on: true })).toBe(false);
        machine.take({ ...lesson, lesson: false } as PageEvent);
        machine.take({ kind: "covered", on: true });
        expect([machine.rules.steers, machine.rules.blank, machine.rules.own]).toEqual([false, true, true]);
        machine.take({ kind: "covered", on: true }); // said again with every state
        machine.take({ kind: "covered", on: false });
        expect(machine.rules).toBe(RULES.flight);
        machine.take({ kind: "covered", on: true });
        machine.take({ kind: "left" });
        expect(machine.rules).toBe(RULES.menu);
        expect(seen).toEqual(["menu>flight false", "flight>flight true", "flight>flight false", "flight>flight true", "flight>menu false"]);
    });

    it("lets the sticks through only while something is flown", () => {
        expect(STATES.filter((state) => RULES[state].steers)).toEqual(["flight", "lesson"]);
        expect(STATES.filter((state) => RULES[state].blank)).toEqual(["freeze"]);
        expect(STATES.filter((state) => RULES[state].alone)).toEqual(["menu"]);
        // what steers is the page's own; what is blank does not steer
        for (const rules of Object.values(RULES)) {
            expect(rules.steers && !rules.own).toBe(false);
            expect(rules.steers && rules.blank).toBe(false);
        }
    });

    it("is what a session says of itself", () => {
        const session = new Session();
        const scene = { type: "scene", revision: 1, session: "flight", time: 0, environment: {}, bodies: [], vehicles: [], cables: [] } as unknown as SceneMessage;
        expect(session.open(scene)).toBe(true);
        expect([session.page, session.flying, session.replaying]).toEqual(["flight", true, false]);
        expect(session.open({ ...scene, revision: 2 })).toBe(false);
        session.starting = true;
        expect(session.open({ ...scene, session: "replay" })).toBe(true);
        expect([session.page, session.flying, session.replaying]).toEqual(["replay", false, true]);
        session.end();
        expect([session.page, session.kind]).toEqual(["menu", null]);
    });
});

// The table of controls in docs/trainer.md says what the code does. HAWSER_WRITE_DOCS=1 writes it.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ACTION_IDS, ACTIONS } from "../../src/input/actions";
import { KEYBOARD_NAMES, KEYBOARD_PRESETS, PAD_PRESETS, padNames, type ControlNames, type InputMap } from "../../src/input/bindings";
import { PILOT_AXES, type PilotAxis } from "../../src/net/messages";
import { LESSON_PICTURES } from "../../src/ui/pictures";

const PAGE = "../docs/trainer.md";
const BEGIN = "<!-- controls: written by web/test/unit/docs.test.ts -->\n";
const END = "<!-- end of controls -->\n";
const AXES: Record<PilotAxis, string> = { surge: "Forward / back", sway: "Right / left", heave: "Up / down", yaw: "Turn right / left" };
const COLUMNS: [InputMap, ControlNames][] = [[KEYBOARD_PRESETS.two_hands.map, KEYBOARD_NAMES],
    ...(["cockpit", "ardusub", "joystick"] as const).map((preset): [InputMap, ControlNames] => [PAD_PRESETS[preset].map, padNames(preset)])];

function table(): string {
    const rows = [["", "Keyboard", "Cockpit", "ArduSub", "Joystick"], ["---", "---", "---", "---", "---"]];
    // In Markdown a bar ends a cell, and a backtick begins code.
    const cell = (names: string[]): string => names.map((name) => name.replace(/[|`\\]/g, "\\$&")).join(", ");
    for (const axis of PILOT_AXES) rows.push([`**${AXES[axis]}**`, ...COLUMNS.map(([map, names]) => cell(map.axes[axis].map(names.axis)))]);
    let group = "";
    for (const action of ACTION_IDS) {
        const entry = ACTIONS[action];
        if (entry.group !== group) {
            group = entry.group;
            rows.push([`*${group}*`, "", "", "", ""]);
        }
        rows.push([entry.title, ...COLUMNS.map(([map, names]) => cell((map.actions[action] ?? []).map(names.control)))]);
    }
    return rows.map((row) => `| ${row.join(" | ")} |\n`).join("");
}

it("lists the controls as they are", () => {
    const page = readFileSync(PAGE, "utf8");
    const [begin, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
    expect(begin).toBeGreaterThanOrEqual(BEGIN.length);
    expect(end).toBeGreaterThanOrEqual(begin);
    if (process.env["HAWSER_WRITE_DOCS"]) writeFileSync(PAGE, page.slice(0, begin) + table() + page.slice(end));
    else expect(page.slice(begin, end)).toBe(table());
});

it("has a picture of its own for every lesson", () => {
    const lessons = readdirSync("../lessons").filter((file) => file.endsWith(".yaml")).map((file) => file.replace(".yaml", ""));
    expect([...LESSON_PICTURES].sort()).toEqual(lessons.sort());
});

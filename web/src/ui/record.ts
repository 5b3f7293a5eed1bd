// A pilot's training record as one page to print and sign: what was flown, what is learnt. Made of the logbook's lines alone.

import type { LogbookLine } from "../net/messages";

/** Runs that must be passed one after another: then a lesson is learnt. */
export const ENOUGH = 3;

const STYLE = "body{font:14px/1.4 system-ui,sans-serif;color:#1b2733;max-width:900px;margin:24px auto;padding:0 16px}h1{font-size:24px;margin:0}h2{font-size:17px;margin:24px 0 6px}"
    + "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:4px 8px 4px 0;border-bottom:1px solid #ccd5dd}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    + "th{color:#4d5c6a;font-size:12px}tr{break-inside:avoid}.sign{display:flex;gap:24px;margin-top:56px;break-inside:avoid}.sign span{flex:1;border-top:1px solid;padding-top:4px}@page{size:A4;margin:14mm}@media print{body{margin:0;padding:0;max-width:none}}";

const escape = (text: string): string => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
/** 2026-11-19T05:07:26Z to 2026-11-19 05:07 */
const moment = (started: string): string => started.slice(0, 16).replace("T", " ");

/** When a lesson was passed often enough in a row for the first time; null: it was not. */
export function learntOn(lines: readonly LogbookLine[]): string | null {
    let row = 0;
    for (const line of lines) {
        row = line.passed ? row + 1 : 0;
        if (row === ENOUGH) return line.started;
    }
    return null;
}

/** `lines` are the pilot's own, in the order in which they were flown. */
export function recordPage(pilot: string, lessons: readonly { title: string }[], lines: readonly LogbookLine[], program: string): string {
    const others = [...new Set(lines.map(({ lesson }) => lesson))].filter((title) => !lessons.some((lesson) => lesson.title === title));
    const rows = [...lessons.map(({ title }) => title), ...others].map((title) => {
        const flown = lines.filter(({ lesson }) => lesson === title);
        const learnt = learntOn(flown);
        const best = flown.length > 0 ? Math.max(...flown.map(({ score }) => score)).toFixed(1) : "";
        return `<tr><td>${escape(title)}</td><td class="n">${flown.length}</td><td class="n">${flown.filter(({ passed }) => passed).length}</td><td class="n">${best}</td><td>${learnt ? moment(learnt) : ""}</td></tr>`;
    });
    const runs = lines.map((line) => `<tr><td>${moment(line.started)}</td><td>${escape(line.lesson)}</td><td class="n">${line.score.toFixed(1)}</td><td>${line.passed ? "passed" : "not passed"}</td>`
        + `<td class="n">${line.time.toFixed(0)}</td><td class="n">${line.hits}</td><td>${escape(line.flight)}</td></tr>`);
    const learnt = lessons.filter(({ title }) => learntOn(lines.filter(({ lesson }) => lesson === title))).length;
    return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Training record: ${escape(pilot)}</title><style>${STYLE}</style></head><body><main>`
        + `<h1>Training record</h1><p>Pilot <b>${escape(pilot)}</b>: ${learnt} of ${lessons.length} lessons learnt, ${lines.length} runs. A lesson is learnt when it was passed ${ENOUGH} times in a row.</p>`
        + `<h2>Lessons</h2><table><tr><th>lesson</th><th class="n">runs</th><th class="n">passed</th><th class="n">best, points</th><th>learnt, UTC</th></tr>${rows.join("")}</table>`
        + `<h2>Runs</h2><table><tr><th>began, UTC</th><th>lesson</th><th class="n">points</th><th>verdict</th><th class="n">time, s</th><th class="n">hits</th><th>flight</th></tr>${runs.join("")}</table>`
        + `<p>${escape(program)}. Each run can be judged again from its recording: hawser score FLIGHT --verify.</p>`
        + `<p class="sign"><span>Pilot</span><span>Instructor</span><span>Date</span></p></main></body></html>\n`;
}

// Plots of chosen channels: live curves that grow, or the whole recording with a line at the moment shown.

import uPlot from "uplot";
import type { Frame } from "../net/frame";
import type { ChannelEntry } from "../net/messages";
import { h, setText, show } from "./dom";
import { icon } from "./icons";
import type { Desk } from "./page";
import { groupByOwner, groupByUnit, Series, tickText } from "./series";

const COLORS = ["#6fd6ff", "#ffc04d", "#7fe3a8", "#ff9a90", "#c9a7ff", "#f2f5f7", "#8fb7ff", "#e5e06a"];
const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const MOST = 12;

interface Drawn {
    plot: uPlot;
    rows: number[];
}

export class PlotPanel {
    readonly element: HTMLElement;
    private readonly area = h("div", { class: "plot-area" });
    private readonly list = h("div", { class: "channel-list", role: "listbox", "aria-multiselectable": "true", "aria-label": "Channels" });
    private readonly search = h("input", { type: "search", placeholder: "Find a channel", "aria-label": "Find a channel" });
    private readonly picker: HTMLElement;
    private readonly hint = h("p", { class: "note" }, "Choose channels to plot.");
    private all: ChannelEntry[] = [];
    private chosen: string[] = [];
    private series = new Series([]);
    private drawn: Drawn[] = [];
    private subscription = -1;
    private replay = false;
    private clock = 0;
    private time = 0;
    open = false;

    constructor(private readonly desk: Desk, private readonly close: () => void) {
        this.search.addEventListener("input", () => this.fillList());
        this.picker = h("div", { class: "picker" }, this.search, this.list);
        this.element = h("section", { class: "plots hidden", "aria-label": "Plots" },
            h("header", {}, h("b", {}, "Plots"), h("button", { type: "button", class: "button", click: () => this.togglePicker() }, "Channels"),
                h("button", { type: "button", class: "round", "aria-label": "Close the plots", click: () => this.close() }, icon("close"))),
            this.picker, this.hint, this.area);
    }

    show(on: boolean): void {
        this.open = on;
        show(this.element, on);
        if (on) void this.load();
    }

    /** Another session: other channels. */
    reset(replay: boolean): void {
        this.replay = replay;
        this.all = [];
        this.subscription = -1;
        this.series = new Series([]);
        this.redraw();
        if (this.open) void this.load();
    }

    private togglePicker(): void {
        this.picker.classList.toggle("hidden");
    }

    private async load(): Promise<void> {
        if (!this.desk.session.scene) return;
        try {
            const reply = await this.desk.link.request<{ channels: ChannelEntry[] }>({ type: "channels" });
            this.all = reply.channels.filter((channel) => channel.name !== "world.time");
        } catch (error) {
            setText(this.hint, error instanceof Error ? error.message : "The channels did not come.");
            return;
        }
        const known = new Set(this.all.map((channel) => channel.name));
        const kept = this.chosen.filter((name) => known.has(name));
        await this.choose(kept.length > 0 ? kept : this.suggestion());
    }

    /** Something to begin with, so that the panel is not empty. */
    private suggestion(): string[] {
        const wanted = [/(?<!contact)\.depth$/, /\.b\.tension$/, /\.a\.tension$/, /\.position\.z$/, /\.q$/];
        const found: string[] = [];
        for (const pattern of wanted) {
            const channel = this.all.find((entry) => pattern.test(entry.name) && !found.includes(entry.name));
            if (channel && found.length < 2) found.push(channel.name);
        }
        return found;
    }

    private fillList(): void {
        const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const matches = this.all.filter((channel) => words.every((word) => channel.name.toLowerCase().includes(word))).slice(0, 300);
        const option = (channel: ChannelEntry): HTMLElement => {
            const on = this.chosen.includes(channel.name);
            return h("button", { type: "button", role: "option", "aria-selected": String(on), "data-channel": channel.name, click: () => {
                void this.choose(on ? this.chosen.filter((name) => name !== channel.name) : [...this.chosen, channel.name].slice(-MOST));
            } }, h("span", {}, channel.name), h("small", {}, channel.unit));
        };
        this.list.replaceChildren(...groupByOwner(matches, this.chosen).map(([owner, channels]) =>
            h("div", { role: "group", "aria-label": owner, class: "owner" }, h("div", { class: "owner-name", "aria-hidden": "true" }, owner), ...channels.map(option))));
    }

    private async choose(channels: string[]): Promise<void> {
        this.chosen = channels;
        this.fillList();
        show(this.hint, channels.length === 0);
        this.series = new Series(channels);
        this.redraw();
        try {
            const reply = await this.desk.link.request<{ number: number }>({ type: "plot", channels });
            this.subscription = reply.number;
            const state = this.desk.session.state;
            if (channels.length > 0 && (this.replay || state?.recording)) {
                const end = state?.end ?? this.time;
                const past = await this.desk.link.request<{ time: number[]; values: (number | null)[][] }>(
                    { type: "history", channels, from: state?.start ?? 0, to: end, points: 1500 });
                this.series.load(past.time, past.values);
                this.redraw();
            }
        } catch (error) {
            setText(this.hint, error instanceof Error ? error.message : "The values did not come.");
            show(this.hint, true);
        }
    }

    private redraw(): void {
        for (const { plot } of this.drawn) plot.destroy();
        const units = new Map(this.all.map((channel) => [channel.name, channel.unit]));
        const groups = groupByUnit(this.series.channels.map((name) => ({ name, unit: units.get(name) ?? "" })));
        this.area.replaceChildren();
        this.drawn = [...groups].map(([unit, names]) => {
            const rows = names.map((name) => this.series.channels.indexOf(name));
            const host = h("div", { class: "plot" });
            this.area.append(host);
            const axis = { stroke: "#a9c4d0", grid: { stroke: "rgba(169,196,208,0.15)", width: 1 }, ticks: { stroke: "rgba(169,196,208,0.3)", width: 1 }, font: "11px B612, sans-serif" };
            const plot = new uPlot({
                width: Math.max(this.area.clientWidth, 200), height: 150,
                scales: { x: { time: false } },
                axes: [{ ...axis, size: 26 }, { ...axis, size: 58, values: (_u: uPlot, ticks: number[]) => ticks.map(tickText) }],
                cursor: { drag: { x: false, y: false } },
                legend: { live: true },
                hooks: { draw: [(u) => this.drawPlayhead(u)] },
                series: [{ label: "time (s)", value: (_u: uPlot, value: number | null) => (value === null ? "--" : value.toFixed(2)) }, ...rows.map((row, i) => ({ label: `${names[i]}${unit && unit !== "1" ? ` (${unit})` : ""}`, value: (_u: uPlot, value: number | null) => (value === null ? "--" : tickText(value)), stroke: COLORS[row % COLORS.length]!,
                    dash: DASHES[Math.floor(row / COLORS.length) % DASHES.length]!, width: 1.5, points: { show: false } }))],
            }, this.data(rows), host);
            if (this.replay) {
                plot.over.addEventListener("click", (event) => this.desk.tell({ type: "seek", time: plot.posToVal(event.offsetX, "x") }));
            }
            return { plot, rows };
        });
    }

    private data(rows: readonly number[]): uPlot.AlignedData {
        return [this.series.time, ...rows.map((row) => this.series.values[row]!)] as uPlot.AlignedData;
    }

    private drawPlayhead(u: uPlot): void {
        if (!this.replay) return;
        const x = Math.round(u.valToPos(this.time, "x", true));
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
        u.ctx.save();
        u.ctx.strokeStyle = "#eaf6fb";
        u.ctx.lineWidth = devicePixelRatio;
        u.ctx.beginPath();
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
        u.ctx.restore();
    }

    /** Every frame that comes. */
    take(frame: Frame): void {
        this.time = frame.time;
        if (!this.open || this.replay) return;
        const values = frame.channels.get(this.subscription);
        if (values && values.length === this.series.channels.length) this.series.push(frame.time, values);
    }

    /** After each picture; draws a few times a second. */
    update(dt: number): void {
        this.clock += dt;
        if (!this.open || this.clock < 0.2) return;
        this.clock = 0;
        for (const { plot, rows } of this.drawn) {
            const width = this.area.clientWidth;
            if (width > 0 && Math.abs(width - plot.width) > 4) plot.setSize({ width, height: 150 });
            if (this.replay) plot.redraw(false);
            else plot.setData(this.data(rows));
            // Without a cursor the legend says the values of the moment shown.
            if ((plot.cursor.left ?? -1) < 0 && this.series.time.length > 0) plot.setLegend({ idx: this.replay ? this.series.indexAt(this.time) : this.series.time.length - 1 });
        }
    }
}

// The vehicle itself: which way its propellers turn, what is broken, how strong the pilot's hand is.

import { ActionGroup } from "./action_group";
import { h } from "./dom";
import type { Desk, Page } from "./page";
import { button, group, slider, toggle } from "./widgets";

export class VehiclePage implements Page {
    readonly title = "Vehicle";
    readonly element = h("div", { class: "vehicle-page" });
    private reversed = new Set<number>();
    private flight = "";
    private readonly action: ActionGroup;

    constructor(private readonly desk: Desk) {
        this.action = new ActionGroup(desk);
    }

    tick(): void {
        this.action.tick();
    }

    refresh(): void {
        const { session } = this.desk;
        const vehicle = session.scene?.vehicles[0];
        if (!session.flying || !vehicle) {
            this.element.replaceChildren(h("p", { class: "empty" }, "Start a dive first: then its thrusters and equipment appear here."));
            return;
        }
        if (this.flight !== session.scene?.flight) {
            this.flight = session.scene?.flight ?? "";
            this.reversed.clear();
        }
        const frame = this.desk.frame()?.vehicles[0];
        const command = (name: string, value?: unknown): void => this.desk.tell(value === undefined ? { type: "command", name } : { type: "command", name, value });
        const rows = vehicle.thrusters.map((thruster, i) => h("div", { class: "thruster" }, h("b", {}, `${i + 1}  ${thruster.name ?? ""}`),
            h("small", {}, thruster.hand >= 0 ? "right-handed" : "left-handed"),
            toggle("Turns the other way", this.reversed.has(i), (reversed) => {
                if (reversed) this.reversed.add(i);
                else this.reversed.delete(i);
                command("reverse_thruster", { thruster: i, reversed });
            }).element,
            toggle("Failed", ((frame?.failed ?? 0) & (1 << i)) !== 0, (failed) => command("fail_thruster", { thruster: i, failed })).element));
        this.element.replaceChildren(
            group(vehicle.title,
                slider("Gain", frame?.gain ?? 0.5, { min: 0, max: 1, step: 0.05, text: (v) => `${Math.round(100 * v)} %`, change: (value) => command("gain", value) }).element,
                slider("Lights", frame?.lights ?? 0.5, { min: 0, max: 1, step: 0.05, text: (v) => `${Math.round(100 * v)} %`, change: (value) => command("lights", value) }).element,
                slider("Camera tilt", ((frame?.tilt ?? 0) * 180) / Math.PI, { min: vehicle.camera.tilt_deg[0], max: vehicle.camera.tilt_deg[1], step: 1,
                    text: (v) => `${Math.round(v)}\u00b0`, change: (value) => command("camera_tilt_deg", value) }).element,
                slider("Zoom", frame?.zoom ?? 1, { min: 1, max: Math.max(vehicle.camera.zoom, 1.1), step: 0.1, text: (v) => `${v.toFixed(1)}\u00d7`,
                    change: (value) => command("camera_zoom", value) }).element,
                vehicle.gripper ? slider("Gripper", frame?.gripper ?? 0, { min: 0, max: 1, step: 0.05, text: (v) => `${Math.round(100 * v)} % open`,
                    change: (value) => command("gripper", value) }).element : null,
                h("div", { class: "buttons" }, button("Arm", () => command("arm", true)), button("Disarm", () => command("arm", false)),
                    button("Reset turns", () => command("reset_turns")))),
            this.action.view,
            group("Thrusters", ...rows));
    }
}

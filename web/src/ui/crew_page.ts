// Who is aboard: invitations, handing over, call-outs.

import { memberText, ROLES } from "../crew";
import { joinAddress } from "../net/address";
import type { Role } from "../net/messages";
import { h } from "./dom";
import type { Desk, Page } from "./page";
import { button, group } from "./widgets";

const CALLS = ["Pay out", "Haul in", "Hold the tether", "Snagged", "Coming back"] as const;

export class CrewPage implements Page {
    readonly title = "Crew";
    readonly element = h("div", { class: "crew-page" });
    private readonly link = h("input", { type: "text", readonly: true, class: "link-field", "aria-label": "Link for the invited" });
    private readonly text = h("input", { type: "text", maxlength: 200, "aria-label": "Call-out", placeholder: "Call-out" });

    constructor(private readonly desk: Desk) {
        this.text.addEventListener("keydown", (event) => {
            if (event.key === "Enter") this.say(this.text.value);
        });
    }

    private say(text: string): void {
        if (text.trim()) this.desk.tell({ type: "say", text: text.trim() });
        this.text.value = "";
    }

    private invite(role: Role): void {
        this.desk.link.request<{ flight: string; secret: string }>({ type: "invite", role }).then(({ flight, secret }) => {
            this.link.value = joinAddress(location, { flight, role, secret }, this.desk.token());
            this.link.dataset["role"] = role;
            this.link.select();
            this.refresh();
        }, (error: unknown) => this.desk.complain(error));
    }

    refresh(): void {
        const { crew, role } = this.desk.session;
        const name = h("input", { type: "text", maxlength: 60, value: this.desk.settings.pilot.name, id: "crew-name" });
        name.addEventListener("change", () => {
            this.desk.settings.pilot.name = name.value.trim();
            this.desk.changed();
        });
        const own = group("You", h("div", { class: "field" }, h("label", { for: "crew-name" }, "Name, from the next connection on"), name));
        if (!crew) {
            this.element.replaceChildren(own, h("p", { class: "empty" }, "Start a dive first: then others can be invited aboard."));
            return;
        }
        const mayHand = role === "pilot" || role === "handler" || role === "winch";
        const members = h("ul", { class: "flights members" }, ...crew.members.map((member) => {
            const held = Object.entries(crew.holders).filter(([, holder]) => holder === member.member).map(([control]) => control);
            return h("li", { "data-member": member.member }, h("div", { class: "flight-text" }, h("b", {}, memberText(member), member.member === crew.you ? ", you" : ""),
                h("small", {}, held.length > 0 ? `has ${held.join(", ")}` : "watches")),
                mayHand && member.member !== crew.you && member.role !== "instructor"
                    ? button(`Hand over as ${ROLES[role].toLowerCase()}`, () => this.desk.tell({ type: "hand_over", member: member.member })) : null);
        }));
        const roles: Role[] = role === "instructor" ? ["handler", "winch", "observer", "instructor"] : ["handler", "winch", "observer"];
        this.element.replaceChildren(own, group("Aboard", members),
            role === "pilot" || role === "instructor" ? group("Invite by link", h("div", { class: "buttons" }, ...roles.map((one) => button(ROLES[one], () => this.invite(one), `invite-${one}`))), this.link) : h("span", {}),
            group("Call-outs", crew.comms || role === "instructor" ? h("div", {}, h("div", { class: "buttons" }, ...CALLS.map((call) => button(call, () => this.say(call)))), this.text)
                : h("p", { class: "empty" }, "No comms: the instructor has switched them off.")),
            this.desk.session.flying ? h("span", {}) : h("div", { class: "buttons" }, button("Leave the flight", () => this.desk.endSession(), "danger")));
    }
}

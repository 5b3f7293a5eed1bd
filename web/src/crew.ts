// Words for roles and controls, and what a bad instrument shows.

import type { VehicleFrame } from "./net/frame";
import type { ConditionsMessage, Member, Role } from "./net/messages";

export const ROLES: Readonly<Record<Role, string>> = {
    pilot: "Pilot", handler: "Tether handler", winch: "Winch operator", instructor: "Instructor", observer: "Observer",
};

export function memberText({ name, role }: Pick<Member, "name" | "role">): string {
    return name ? `${name} (${ROLES[role].toLowerCase()})` : ROLES[role];
}

/** The error of the heading that is shown, rad. */
export function compassError({ compass }: ConditionsMessage, time: number): number {
    return compass.offset + compass.rate * (time - compass.since);
}

/** The vehicle as its instruments show it: a compass that drifts, a load cell that is off. */
export function shownVehicle(vehicle: VehicleFrame, conditions: ConditionsMessage | null, time: number): VehicleFrame {
    if (!conditions) return vehicle;
    const off = compassError(conditions, time);
    if (off === 0 && conditions.load_cell === 0) return vehicle;
    const turn = 2 * Math.PI;
    return { ...vehicle, heading: (((vehicle.heading + off) % turn) + turn) % turn, tension: vehicle.tension + conditions.load_cell };
}

// What a page of the menu is, and what it may ask of the application.

import type { InputHub } from "../input/hub";
import type { Invitation } from "../net/address";
import type { Link } from "../net/link";
import type { FlightOptions } from "../net/messages";
import type { Session } from "../session";
import type { Settings } from "../settings";
import type { Stage } from "../scene/stage";
import type { Frame } from "../net/frame";

export interface Desk {
    readonly settings: Settings;
    readonly session: Session;
    readonly link: Link;
    readonly hub: InputHub;
    readonly stage: Stage;
    /** the newest frame */
    frame(): Frame | null;
    /** keeps settings and lets them act */
    changed(): void;
    dive(options: FlightOptions): void;
    /** speaks to the server without waiting; what goes wrong is shown */
    tell(message: object): void;
    /** says what went wrong with a request */
    complain(error: unknown): void;
    endSession(): void;
    /** goes aboard another's flight */
    join(invitation: Invitation): void;
    openReplay(flight: string): void;
    /** goes on with a flight whose server was killed */
    resumeFlight(flight: string): void;
    /** the replay with the debrief beside it */
    openDebrief(flight: string): void;
    openScene(name: string): void;
    closeMenu(): void;
    showPage(name: string): void;
    token(): string | null;
}

export interface Page {
    title: string;
    element: HTMLElement;
    /** each time it comes into view, and when the session changes */
    refresh(): void;
    /** after it has come into view */
    entered?(): void;
    /** about thirty times a second while it is in view */
    tick?(): void;
    leave?(): void;
}

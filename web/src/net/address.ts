// Where the server is, and the token that a server on the network asks for. The token arrives in the address's fragment,
// which browsers do not send anywhere; it moves to this tab's storage and out of sight.

const TOKEN_KEY = "hawser.token";

export function socketAddress(page: Location): string {
    const scheme = page.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${page.host}/ws`;
}

export function takeToken(page: Location, storage: Storage, history: History): string | null {
    const match = /[#&]token=([^&]+)/.exec(page.hash);
    if (match) {
        storage.setItem(TOKEN_KEY, decodeURIComponent(match[1]!));
        history.replaceState(null, "", page.pathname + page.search);
    }
    return storage.getItem(TOKEN_KEY);
}

const INSTRUCTOR_KEY = "hawser.instructor";
const JOIN_KEY = "hawser.join";

/** A link to a seat of somebody's flight: #join=FLIGHT.ROLE.SECRET. */
export interface Invitation {
    flight: string;
    role: string;
    secret: string;
}

export function joinAddress(page: Location, { flight, role, secret }: Invitation, token: string | null): string {
    return `${page.origin}${page.pathname}#join=${flight}.${role}.${secret}${token ? `&token=${encodeURIComponent(token)}` : ""}`;
}

export function parseInvitation(text: string | null): Invitation | null {
    const match = /^([a-z0-9-]+)\.([a-z]+)\.([0-9a-f]*)$/.exec(text ?? "");
    return match ? { flight: match[1]!, role: match[2]!, secret: match[3]! } : null;
}

/** What the address says besides the token, kept for this tab: before takeToken, which clears the address. */
export function takeRole(page: Location, storage: Storage, history: History): { instructor: string | null; join: Invitation | null } {
    const instructor = /[#&]instructor=([^&]+)/.exec(page.hash);
    const join = /[#&]join=([^&]+)/.exec(page.hash);
    if (instructor) storage.setItem(INSTRUCTOR_KEY, decodeURIComponent(instructor[1]!));
    if (join) storage.setItem(JOIN_KEY, join[1]!);
    if ((instructor || join) && !/[#&]token=/.test(page.hash)) history.replaceState(null, "", page.pathname + page.search);
    return { instructor: storage.getItem(INSTRUCTOR_KEY), join: parseInvitation(storage.getItem(JOIN_KEY)) };
}

export function recordingAddress(flight: string, file: string, token: string | null): string {
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    return `flights/${encodeURIComponent(flight)}/${file}${query}`;
}

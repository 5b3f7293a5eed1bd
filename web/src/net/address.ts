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

export function recordingAddress(flight: string, file: string, token: string | null): string {
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    return `flights/${encodeURIComponent(flight)}/${file}${query}`;
}

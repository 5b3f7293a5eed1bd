// The WebSocket: requests with replies, frames, and coming back after the connection was lost.

import { decodeFrame, FrameError, type Frame } from "./frame";
import { decodeSonarImage, isSonarImage, type SonarImage } from "./sonar";
import { parseMessage, PROTOCOL_VERSION, SUBPROTOCOL, type ErrorMessage, type HelloReply, type ServerMessage } from "./messages";

export type LinkState = "connecting" | "open" | "lost" | "refused" | "closed";

/** ms between two looks */
const LOOK = 250;
/** looks without a word after which the page asks whether the server is still there, and after which it gives the connection
 * up. Looks and not time: a page that was held up itself has not heard what has come meanwhile. */
const ASK_AFTER = 6;
const GIVE_UP_AFTER = 16;
const CONNECT_WITHIN = 12;
const RETRY_FIRST = 100;
const RETRY_LONGEST = 1000;
/** bytes not yet sent beyond which pilot messages are dropped: old stick positions help nobody */
const BACKLOG = 32768;

export class RequestError extends Error {
    constructor(readonly code: string, message: string, readonly hint?: string) {
        super(message);
    }
}

export interface LinkEvents {
    state(state: LinkState, text: string): void;
    hello(reply: HelloReply): void;
    message(message: ServerMessage): void;
    frame(frame: Frame): void;
    sonar(image: SonarImage): void;
}

export interface Resume {
    flight: string;
    secret: string;
}

interface Waiting {
    resolve(value: unknown): void;
    reject(reason: Error): void;
}

export class Link {
    /** sent with hello after a dropped connection */
    /** the instructors' secret */
    instructor: string | null = null;
    /** how others aboard see this page */
    name = "";
    resume: Resume | null = null;
    state: LinkState = "closed";
    /** bytes of the frames received, for the numbers on the display page */
    frameBytes = 0;
    frameCount = 0;

    private socket: WebSocket | null = null;
    private nextId = 1;
    private waiting = new Map<number, Waiting>();
    private retryDelay = RETRY_FIRST;
    private retryTimer: ReturnType<typeof setTimeout> | undefined;
    private watchTimer: ReturnType<typeof setInterval> | undefined;
    private silent = 0;
    private asked = false;

    constructor(private readonly url: string, private readonly token: string | null, private readonly events: LinkEvents) {}

    connect(): void {
        clearTimeout(this.retryTimer);
        this.setState(this.state === "lost" ? "lost" : "connecting", "Connecting to the server");
        const socket = new WebSocket(this.url, SUBPROTOCOL);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        this.silent = 0;
        socket.onopen = () => this.greet(socket);
        socket.onmessage = (event) => {
            if (this.socket === socket) this.receive(event.data as string | ArrayBuffer);
        };
        socket.onclose = (event) => {
            if (this.socket === socket) this.drop(closeText(event));
        };
        clearInterval(this.watchTimer);
        this.watchTimer = setInterval(() => this.watch(), LOOK);
    }

    close(): void {
        clearTimeout(this.retryTimer);
        clearInterval(this.watchTimer);
        const socket = this.socket;
        this.socket = null;
        socket?.close(1000);
        this.failWaiting("The connection was closed.");
        this.setState("closed", "");
    }

    /** For tests and for the menu: behaves as if the network had failed. */
    breakConnection(): void {
        this.socket?.close(4000);
        this.drop("The connection was interrupted.");
    }

    /** Without an answer; true when it left. */
    send(message: object): boolean {
        if (this.state !== "open" || this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    /** As send, but dropped where the connection lags. */
    sendLively(message: object): boolean {
        return (this.socket?.bufferedAmount ?? 0) < BACKLOG && this.send(message);
    }

    request<T>(message: object): Promise<T> {
        if (this.state !== "open") return Promise.reject(new RequestError("offline", "There is no connection to the server."));
        return this.ask<T>(message);
    }

    private ask<T>(message: object): Promise<T> {
        const id = this.nextId++;
        return new Promise<T>((resolve, reject) => {
            this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
            this.socket?.send(JSON.stringify({ ...message, id }));
        });
    }

    private greet(socket: WebSocket): void {
        const hello: Record<string, unknown> = { type: "hello", version: PROTOCOL_VERSION };
        if (this.token) hello["token"] = this.token;
        if (this.instructor) hello["instructor"] = this.instructor;
        if (this.name) hello["name"] = this.name;
        if (this.resume) hello["resume"] = this.resume;
        this.ask<HelloReply>(hello).then(
            (reply) => {
                if (this.socket !== socket) return;
                this.retryDelay = RETRY_FIRST;
                this.setState("open", "");
                this.events.hello(reply);
            },
            (reason: unknown) => {
                if (this.socket !== socket) return;
                if (reason instanceof RequestError && (reason.code === "token" || reason.code === "version")) {
                    this.socket = null;
                    clearInterval(this.watchTimer);
                    this.setState("refused", reason.message);
                }
            },
        );
    }

    private receive(data: string | ArrayBuffer): void {
        this.silent = 0;
        this.asked = false;
        if (typeof data !== "string") {
            try {
                if (isSonarImage(data)) {
                    this.events.sonar(decodeSonarImage(data));
                    return;
                }
                this.frameBytes += data.byteLength;
                ++this.frameCount;
                this.events.frame(decodeFrame(data));
            } catch (error) {
                if (!(error instanceof FrameError)) throw error;
                console.error(`Frame ignored: ${error.message}`);
            }
            return;
        }
        const message = parseMessage(data);
        if (typeof message === "string") {
            console.error(message);
            return;
        }
        const id = "id" in message ? message.id : undefined;
        const waiting = id === undefined ? undefined : this.waiting.get(id);
        if (waiting && id !== undefined) {
            this.waiting.delete(id);
            if (message.type === "error") waiting.reject(asError(message));
            else waiting.resolve(message);
            return;
        }
        this.events.message(message);
    }

    private watch(): void {
        const silent = ++this.silent;
        if (this.socket?.readyState === WebSocket.CONNECTING) {
            if (silent > CONNECT_WITHIN) this.drop("The server does not answer.");
        } else if (silent > GIVE_UP_AFTER) {
            this.drop("The server went silent.");
        } else if (silent > ASK_AFTER && !this.asked && this.state === "open") {
            this.asked = true;
            // An answer of any kind is a sign of life.
            this.ask({ type: "ping" }).catch(() => undefined);
        }
    }

    private drop(text: string): void {
        const socket = this.socket;
        this.socket = null;
        clearInterval(this.watchTimer);
        if (socket && socket.readyState <= WebSocket.OPEN) socket.close();
        this.failWaiting(text);
        this.setState("lost", text);
        this.retryTimer = setTimeout(() => this.connect(), this.retryDelay);
        this.retryDelay = Math.min(1.6 * this.retryDelay, RETRY_LONGEST);
    }

    private failWaiting(text: string): void {
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        for (const entry of waiting) entry.reject(new RequestError("offline", text));
    }

    private setState(state: LinkState, text: string): void {
        this.state = state;
        this.events.state(state, text);
    }
}

function asError(message: ErrorMessage): RequestError {
    return new RequestError(message.code, message.message, message.hint);
}

function closeText(event: CloseEvent): string {
    switch (event.code) {
        case 1001: return "The server is shutting down.";
        case 1008: return "The server closed the connection: too many messages.";
        case 1009: return "The server closed the connection: a message was too large.";
        case 1013: return "The server closed the connection: this page took too little of what was sent.";
        default: return event.reason || "The connection was lost.";
    }
}

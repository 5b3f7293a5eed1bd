// Mouse and fingers on the picture: drag to turn the view, right button or two fingers to move it, wheel or pinch to come nearer.

import type { Views } from "../scene/views";

export class MouseControl {
    private readonly pointers = new Map<number, { x: number; y: number }>();
    private spread = 0;

    /** `pilotZoom` gets the wheel in the pilot's view: below 1 is nearer. */
    constructor(private readonly canvas: HTMLCanvasElement, private readonly views: Views, private readonly pilotZoom: (factor: number) => void) {
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
            this.spread = 0;
        });
        canvas.addEventListener("pointermove", (event) => this.move(event));
        for (const end of ["pointerup", "pointercancel"] as const) {
            canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
        }
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            this.zoom(Math.exp(event.deltaY * 0.0012));
        }, { passive: false });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    }

    private zoom(factor: number): void {
        if (this.views.kind === "pilot") this.pilotZoom(factor);
        else this.views.zoom(factor);
    }

    private move(event: PointerEvent): void {
        const last = this.pointers.get(event.pointerId);
        if (!last) return;
        const height = Math.max(this.canvas.clientHeight, 1);
        const dx = (event.clientX - last.x) / height;
        const dy = (event.clientY - last.y) / height;
        last.x = event.clientX;
        last.y = event.clientY;
        if (this.pointers.size === 2) {
            const [a, b] = [...this.pointers.values()];
            const spread = Math.hypot(a!.x - b!.x, a!.y - b!.y);
            if (this.spread > 0 && spread > 0) this.zoom(this.spread / spread);
            this.spread = spread;
            this.views.pan(dx / 2, dy / 2);
        } else if ((event.buttons & 2) !== 0 || event.shiftKey) {
            this.views.pan(dx, dy);
        } else {
            this.views.drag(dx, dy);
        }
    }
}

// What a column has no room for is hidden, the least important first, and comes back when there is room.

/** `parts`: what may be hidden, the least important first. Looked at again when the column or what is in it changes its size. */
export function keepWithin(column: HTMLElement, watched: readonly HTMLElement[], parts: () => readonly Element[]): void {
    let asked = false;
    const fit = (): void => {
        asked = false;
        const list = parts();
        for (const part of list) part.classList.remove("no-room");
        for (const part of list) {
            if (column.scrollHeight <= column.clientHeight + 1 && column.scrollWidth <= column.clientWidth + 1) break;
            part.classList.add("no-room");
        }
    };
    const observer = new ResizeObserver(() => {
        if (asked) return;
        asked = true;
        requestAnimationFrame(fit); // not at once: that would change sizes while they are being told
    });
    for (const element of [column, ...watched]) observer.observe(element);
}

// Building the page without a framework: elements from a tag, attributes and children.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name, value as EventListener);
        else if (name === "class") element.setAttribute("class", String(value));
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    fill(element, attributes, children);
    return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(element, attributes, children);
    return element;
}

/** Sets the text only when it differs: most instruments show the same digits most of the time. */
export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string): void {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function setClass(element: Element, name: string, on: boolean): void {
    if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

export function show(element: HTMLElement | SVGElement, on: boolean): void {
    setClass(element, "hidden", !on);
}

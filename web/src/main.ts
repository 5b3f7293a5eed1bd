import "uplot/dist/uPlot.min.css";
import "./ui/style.css";
import { App } from "./app";
import { socketAddress, takeRole, takeToken } from "./net/address";
import { graphicsName } from "./scene/stage";
import { h } from "./ui/dom";

const canvas = h("canvas", { class: "stage", "aria-label": "The picture" });
document.body.append(h("main", {}, canvas));
const graphics = graphicsName();
if (graphics === null) {
    document.body.append(h("p", { class: "fatal" }, "This browser shows no WebGL 2. Hawser needs it: another browser, or its graphics settings, may help."));
} else {
    const role = takeRole(location, sessionStorage, history);
    const app = new App(document.body, canvas, graphics, socketAddress(location), takeToken(location, sessionStorage, history), role);
    app.run();
    // For tests and for those who like to look behind the curtain.
    Object.assign(window, { hawser: app });
}

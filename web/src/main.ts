import { Link } from "./net/link";
import { Playout } from "./net/playout";
import { graphicsName, Stage } from "./scene/stage";
const canvas = document.createElement("canvas");
canvas.style.cssText = "position:fixed;inset:0;width:100%;height:100%";
document.body.append(canvas);
const stage = new Stage(canvas, graphicsName()!);
const playout = new Playout();
const params = new URLSearchParams(location.search);
if (params.has("q")) { stage.fixedQuality = Number(params.get("q")); stage.applyQuality(); }
const link: Link = new Link(`ws://${location.host}/ws`, null, {
    state() {}, message(m) { if (m.type === "scene") { stage.setScene(m); } },
    frame(f) { playout.push(f, performance.now() / 1000); },
    hello() { void link.request({ type: "start", options: { surroundings: params.get("s") ?? "complex_area", visibility: Number(params.get("v") ?? 12) } }); },
});
link.connect();
let last = performance.now();
let first = true;
function tick(now: number): void {
    requestAnimationFrame(tick);
    const dt = (now - last) / 1000; last = now;
    const i = playout.at(now / 1000);
    stage.render(i, now / 1000, dt);
    if (i && first) { first = false; stage.views.choose((params.get("view") ?? "chase") as "chase", stage.subject(null)); }
}
requestAnimationFrame(tick);
Object.assign(window, { stage, link });

"use strict";
(function () {
  const $ = id => document.getElementById(id);
  const make = (tag, attributes, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
  };

  // Data

  const meta = JSON.parse($("meta").textContent);
  const decode = id => {
    const text = atob($(id).textContent.trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return bytes.buffer;
  };
  const times = Array.from(new Float64Array(decode("times")));
  const packed = new Float32Array(decode("values"));
  const DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s2": "deg/s2"};
  // Discretisation errors of numbers, by name: value, error, observed order
  const certified = new Map((meta.certified || []).map(([name, value, error, order]) => [name, {value, error, order}]));
  const channels = meta.channels.map((row, index) => {
    const [name, unit, offset, scale, min, minTime, max, maxTime, mean, deviation, last, missing, first] = row;
    const factor = DEGREES[unit] ? 180 / Math.PI : 1;
    const turn = value => value === null ? null : value * factor;
    return {
      name, index, offset, scale, factor, unit: DEGREES[unit] || unit, min: turn(min), minTime, max: turn(max), maxTime,
      mean: turn(mean), deviation: turn(deviation), last: turn(last), first: turn(first), missing,
      errors: Object.fromEntries(["min", "max", "mean", "deviation"].map(key => [key, turn(certified.get(`${name}.${key}`)?.error ?? null)]))
    };
  });
  // Values of a channel in the order of `times`; null where there is none.
  const values = channel => {
    if (channel.values) return channel.values;
    const count = times.length, out = new Array(count), base = channel.index * count;
    for (let i = 0; i < count; ++i) {
      const value = packed[base + i];
      out[i] = value === value ? (value * channel.scale + channel.offset) * channel.factor : null;
    }
    return channel.values = out;
  };

  const raise = unit => unit.replace(/([a-zA-Z])(\d)/g, (all, letter, digit) => letter + "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
  const showUnit = unit => unit === "deg" ? "°" : unit === "deg/s" ? "°/s" : unit === "deg/s2" ? "°/s²" : unit === "1" ? "" : raise(unit);
  const number = (value, digits = 5) => {
    if (value === null || value === undefined) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e7 || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("-", "−").replace("e-", "e−").replace("e+", "e");
    const text = value.toPrecision(digits);
    return (text.includes("e") ? String(Math.round(value)) : text).replace("-", "−");
  };
  const plain = value => String(+value.toPrecision(6));

  // Grouping: object, then quantity, then the lines of one plot

  const COMPONENTS = new Set(["x", "y", "z", "roll", "pitch", "yaw", "kinetic", "potential", "elastic", "dissipated", "work", "method", "mechanical", "accumulated", "mean", "low", "high", "target", "error", "count"]);
  const TITLES = {
    position: "Position", attitude: "Attitude", velocity: "Velocity", acceleration: "Acceleration",
    energy: "Energy", "energy balance": "Energy balance", links: "Length of the elements", tension: "Tension", q: "Joint displacement", qd: "Joint velocity", qdd: "Joint acceleration",
    effort: "Joint effort", steps: "Solver steps", submerged: "Submerged part"
  };
  const FAMILIES = new Set(["tension", "contact", "wrap", "entanglement", "effort", "power", "capacity"]);
  const AXIS_COLORS = {x: 0, y: 1, z: 2, roll: 0, pitch: 1, yaw: 2};
  const objects = new Map();
  for (const channel of channels.slice(1)) {
    if (/\.node\[\d+\]\.energy\.\w+$/.test(channel.name)) continue; // in the cables' figures
    const parts = channel.name.split(".");
    let label = "", quantity;
    if (parts.length > 2 && COMPONENTS.has(parts[parts.length - 1])) label = parts.pop();
    quantity = parts.pop();
    if (parts.length > 0 && quantity === "balance") quantity = parts.pop() + " balance";
    // `wire.tension.use`, `crane.boom.effort.use`, `crane.capacity.radius` are of the wire, the boom and the crane.
    if (!label && parts.length > 1 && FAMILIES.has(parts[parts.length - 1])) quantity = parts.pop() + " " + quantity;
    // Ends, nodes, elements, thrusters belong to what they are part of.
    const part = parts.length > 1 && /^(a|b|.*\[\d+\])$/.test(parts[parts.length - 1]) ? parts.pop() : "";
    let group = quantity;
    if (part && label) group = part + " " + quantity;
    else if (part) {
      const family = part.replace(/\[\d+\]$/, "");
      group = family === "a" || family === "b" ? quantity : family + " " + quantity;
      label = part.replace(/^.*\[(\d+)\]$/, "$1");
    }
    channel.label = label || quantity;
    const objectName = parts.join(".") || channel.name;
    if (!objects.has(objectName)) objects.set(objectName, new Map());
    const groups = objects.get(objectName), key = group + "|" + channel.unit;
    if (!groups.has(key)) groups.set(key, {object: objectName, group, unit: channel.unit, channels: []});
    groups.get(key).channels.push(channel);
  }
  // What stays the same from start to end makes no plot. Components have plots of their own: a depth of 3,000 m would flatten a
  // drift of 1 m beside it.
  const isEmpty = channel => channel.min === null;
  // Components that are 1e-12 of their vector's largest are rounding: as good as zero.
  for (const groups of objects.values()) for (const {channels: all} of groups.values()) {
    const size = channel => isEmpty(channel) ? 0 : Math.max(Math.abs(channel.min), Math.abs(channel.max));
    const most = Math.max(...all.map(size));
    for (const channel of all) channel.rounded = size(channel) <= 1e-12 * most;
  }
  const isZero = channel => !isEmpty(channel) && channel.rounded || channel.min === 0 && channel.max === 0;
  const isConstant = channel => !isEmpty(channel) && (isZero(channel) || channel.max - channel.min <= 1e-9 * Math.max(Math.abs(channel.min), Math.abs(channel.max)));
  const splitGroup = info => {
    const drawn = info.channels.filter(channel => !isConstant(channel) && !isEmpty(channel));
    if (!drawn.length) return [];
    const split = drawn.length > 1 && drawn.every(channel => channel.label in AXIS_COLORS);
    if (!split) return [Object.assign({}, info, {channels: drawn})];
    return drawn.map(channel => Object.assign({}, info, {component: channel.label, channels: [channel]}));
  };
  const ordered = [...objects.keys()].sort((a, b) => (a === "world") - (b === "world"));

  // Facts

  const ended = meta.status === "completed" || meta.status === "";
  const span = meta.rows > 0 ? meta.end - meta.start : 0;
  $("status").className = ended ? "" : "early";
  $("status").append(make("b", {textContent: ended ? (meta.status ? "Completed" : "") : meta.status === "running" ? "Not finished" : meta.status === "interrupted" ? "Interrupted" : "Ended early"}));
  const story = [];
  if (!ended && meta.status !== "interrupted" && meta.status !== "running") story.push(meta.status);
  if (!ended && meta.duration > 0) story.push(`${plain(span)} of ${plain(meta.duration)} s were simulated.`);
  if (meta.started) story.push(`${ended && meta.status ? ", s" : "S"}tarted ${meta.started.replace("T", " ").replace("Z", " UTC")}` + (meta.version ? ` with Hawser ${meta.version}.` : "."));
  $("status").append((ended ? "" : ". ") + story.join(" "));
  const fact = (name, value, small) => $("facts").append(make("div", {}, make("dt", {textContent: name}), make("dd", {}, value, small ? make("small", {textContent: " " + small}) : "")));
  fact("Simulated", plain(span) + " s");
  fact("Rows", meta.rows.toLocaleString("en"), meta.interval > 0 ? `every ${plain(meta.interval)} s` : "");
  fact("Channels", String(channels.length));
  if (meta.wallTime > 0) {
    fact("Wall time", number(meta.wallTime, 3) + " s");
    if (span > 0) fact("Speed", number(span / meta.wallTime, 3) + "×", "real time");
  }
  if (meta.solver) fact("Solver", meta.solver);
  if (meta.steps > 0) {
    fact("Steps", meta.steps.toLocaleString("en"), meta.rejected > 0 ? `${meta.rejected.toLocaleString("en")} repeated` : "");
    if (span > 0) fact("Mean step", number(1000 * span / meta.steps, 3) + " ms");
  }
  if (meta.steps > 0) fact("Energy balance off by", number(meta.energyError, 3) + " J");
  if (meta.energyMethod) fact(meta.energyMethod > 0 ? "Damped by time steps" : "Added by time steps", number(Math.abs(meta.energyMethod), 3) + " J");
  if (meta.incidents) {
    const lines = meta.incidents.trim().split("\n");
    const list = make("ul", {}, ...lines.map(line => make("li", {textContent: line})));
    $("facts").after(make("details", {open: lines.length <= 10}, make("summary", {textContent: `Incidents (${lines.length})`}), list));
  }

  // Everything that can be judged: limits of the scene, and what sections of cables bear

  const shareOf = (list, limit) => Math.max(0, ...list.map((value, i) => value !== null && limit[i] ? value / limit[i] : 0));
  const listChecks = () => {
    const checks = [];
    const judge = (what, unit, allowed, reached, room, error, beyond) => checks.push({what, unit, allowed, reached, beyond, held: reached === null ? null : room >= 0,
      close: reached !== null && room >= 0 && error !== null && error !== undefined && room < error, error});
    // "3 times, 1.2 % of the time, 4.5 s at most", from the rows
    const tell = (events, share, longest) => events === null || events === undefined ? null : events === 0 ? "never" :
      `${events} ${events === 1 ? "time" : "times"}, ${number(100 * share, 3)} % of the time, ${number(longest, 3)} s at most`;
    for (const [of, unit, min, max, least, greatest, above, aboveShare, aboveLongest, below, belowShare, belowLongest] of meta.limits || []) {
      const factor = DEGREES[unit] ? 180 / Math.PI : 1, shown = DEGREES[unit] || unit;
      const error = key => { const found = certified.get(`${of}.${key}`); return found ? found.error * factor : null; };
      if (max !== null) judge(of, shown, `at most ${number(max * factor)}`, greatest === null ? null : greatest * factor, (max - greatest) * factor, error("max"), tell(above, aboveShare, aboveLongest));
      if (min !== null) judge(of, shown, `at least ${number(min * factor)}`, least === null ? null : least * factor, (least - min) * factor, error("min"), tell(below, belowShare, belowLongest));
    }
    for (const cable of meta.ranges || []) {
      const use = (what, list, limit) => {
        if (!limit.some(value => value)) return;
        const share = shareOf(list, limit), found = certified.get(`${cable.cable}.${what}.use`);
        judge(`${cable.cable}: ${what === "tension" ? "tension over break" : "curvature over what bend_radius allows"}`, "1", "at most 1", share, 1 - share, found ? found.error : null);
      };
      use("tension", cable["tension.max"], cable.break.map(value => value !== null && isFinite(value) ? value : null));
      use("bend", cable["curvature.max"], cable.bend_radius.map(radius => radius > 0 ? 1 / radius : null));
      const worst = Math.max(0, ...(cable.damage || []).map(value => value ?? 0));
      const found = certified.get(`${cable.cable}.damage`);
      if (worst > 0) judge(`${cable.cable}: fatigue damage in this run`, "1", "at most 1", worst, 1 - worst, found ? found.error : null);
    }
    return checks;
  };
  const makeTable = (head, rows, kind = "") => make("div", {className: "scroll"}, make("table", {className: "numbers " + kind},
    make("thead", {}, make("tr", {}, ...head.map(text => make("th", {textContent: text})))), make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map(cell =>
      cell instanceof Node ? make("td", {}, cell) : make("td", {textContent: cell === null || cell === undefined ? "–" : cell})))))));
  const addFront = () => {
    const checks = listChecks(), broken = checks.filter(check => check.held === false), close = checks.filter(check => check.close), unknown = checks.filter(check => check.held === null);
    const early = !ended;
    const kind = broken.length || early ? "bad" : close.length || unknown.length || !checks.length ? "open" : "good";
    const words = [];
    if (early) words.push("The run ended early: what it shows is not the whole of what was asked.");
    if (broken.length) words.push(`${broken.length} of ${checks.length} limits ${broken.length === 1 ? "does" : "do"} not hold: ${[...new Set(broken.map(check => check.what))].join(", ")}.`);
    else if (checks.length && !unknown.length) words.push(checks.length === 1 ? "The one limit holds." : `All ${checks.length} limits hold.`);
    if (close.length) words.push(`Less than the discretisation error away: ${close.map(check => check.what).join(", ")}.`);
    if (unknown.length) words.push(`Not known: ${unknown.map(check => check.what).join(", ")}.`);
    if (!checks.length) words.push("No limits were given: the scene's `limits` and the sections' `break`, `bend_radius` and `fatigue` are judged here.");
    const mark = check => make("b", {className: check.held === null || check.close ? "open" : check.held ? "good" : "bad", textContent: check.held === null ? "not known" : !check.held ? "does not hold" : check.close ? "holds narrowly" : "holds"});
    const section = make("section", {id: "front"}, make("h2", {textContent: "Verdict"}), make("p", {className: "verdict " + kind, textContent: words.join(" ")}));
    if (checks.length) section.append(makeTable(["limit", "verdict", "allowed", "reached", "unit", "beyond it"],
      checks.map(check => [check.what, mark(check), check.allowed, number(check.reached) + (check.error === null || check.error === undefined ? "" : " ± " + number(check.error, 2)), showUnit(check.unit), check.beyond]), "wraps"));
    section.append(make("p", {className: "about", textContent: `Hawser ${meta.version || "of unknown version"}, solver ${meta.solver || "unknown"}; scene ${meta.sceneHash}, numbers ${meta.rowHash} (64-bit FNV-1a of the scene's text and of all rows). ` +
      (certified.size ? `${certified.size} numbers certified on finer meshes.` : "Discretisation errors were not estimated (hawser run --certify).")}));
    for (const [name, data] of meta.pictures || []) section.append(make("figure", {}, make("img", {src: data, alt: name}), make("figcaption", {textContent: name})));
    $("main").append(section);
    return section;
  };

  // Colours follow the theme

  const root = document.documentElement;
  let colors = {};
  const readColors = () => {
    const style = getComputedStyle(root);
    colors = {};
    for (const name of ["ink", "faint", "rule", "grid", "card", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"]) colors[name] = style.getPropertyValue("--" + name).trim();
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  // On paper: everything drawn, nothing folded, light.
  const printing = location.hash === "#print";
  let chosen = null;
  if (printing) { root.classList.add("print"); chosen = "light"; }
  else try { chosen = localStorage.getItem("hawser-theme"); } catch (error) { /* pages from files may have no storage */ }
  const applyTheme = () => {
    root.dataset.theme = chosen || (dark.matches ? "dark" : "light");
    readColors();
    for (const card of cards) if (card.plot) card.plot.redraw(false, true);
    for (const graph of rangePlots) if (graph.plot) graph.plot.redraw(false, true);
    drawTracks();
  };
  const toggleTheme = () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("hawser-theme", chosen); } catch (error) { /* as above */ }
    applyTheme();
  };

  // Plots

  const cards = [], sync = uPlot.sync("time");
  const whole = [meta.start, meta.end > meta.start ? meta.end : meta.start + 1];
  let shown = whole.slice(), moving = false, cursor = null;

  const setWindow = (from, to) => {
    if (moving || !(to > from)) return;
    moving = true;
    shown = [Math.max(from, whole[0]), Math.min(to, whole[1])];
    for (const card of cards) if (card.plot) card.plot.setScale("x", {min: shown[0], max: shown[1]});
    moving = false;
    const zoomed = shown[0] > whole[0] || shown[1] < whole[1];
    $("reset").hidden = !zoomed;
    $("window").textContent = zoomed ? `${number(shown[0], 5)} – ${number(shown[1], 5)} s` : "";
    drawTracks();
  };

  const axisFont = "12px system-ui, sans-serif";
  const axis = extra => Object.assign({
    stroke: () => colors.faint, font: axisFont, labelFont: axisFont, labelSize: 16, labelGap: 0, grid: {stroke: () => colors.grid, width: 1}, ticks: {stroke: () => colors.rule, width: 1, size: 5}
  }, extra);
  const countDecimals = step => {
    let decimals = 0;
    for (let scaled = step; decimals < 8 && Math.abs(scaled - Math.round(scaled)) > 1e-6 * scaled; scaled *= 10) ++decimals;
    return decimals;
  };
  // Ticks with as many decimals as their distance needs.
  const ticks = (u, splits) => {
    const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : 1;
    const size = Math.max(...splits.map(value => value === null ? 0 : Math.abs(value)));
    if (size >= 1e6 || (size > 0 && size < 1e-3)) return splits.map(value => value === null ? "" : value === 0 ? "0" : value.toExponential(Math.max(0, Math.min(8, Math.ceil(Math.log10(size / step))))).replace("e+", "e").replace("-", "−").replace("e-", "e−"));
    const decimals = countDecimals(step);
    return splits.map(value => value === null ? "" : value.toFixed(decimals).replace("-", "−"));
  };

  // Room round the curves; a constant gets a window that does not blow up rounding.
  const range = (u, low, high) => {
    if (low === null) return [-1, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    let pad = 0.06 * (high - low);
    if (!(high - low > 1e-9 * size)) pad = size > 0 ? 0.05 * size : 1;
    return [low - pad, high + pad];
  };

  const wheelZoom = u => {
    u.over.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x"), factor = Math.exp(0.002 * event.deltaY);
      setWindow(at - (at - shown[0]) * factor, at + (shown[1] - at) * factor);
    }, {passive: false});
    u.over.addEventListener("mouseleave", () => { cursor = null; for (const card of cards) if (card.plot) restLegend(card.plot); drawTracks(); });
  };
  const restLegend = u => u.setLegend({idx: times.length - 1}, false);

  // As wide as the longest label, so that no minus sign is cut off; 7 px a character at 12 px.
  const axisWidth = (u, labels) => Math.max(44, 16 + 7 * Math.max(0, ...(labels || []).map(label => label.length)));

  // Bands about the least and the greatest value, as wide as their discretisation errors.
  const drawErrors = (u, lines) => {
    const {left, top, width, height} = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    u.ctx.fillStyle = colors.c0 + "30";
    for (const channel of lines) {
      for (const key of ["min", "max"]) {
        const error = channel.errors ? channel.errors[key] : null;
        if (!error || channel[key] === null) continue;
        const high = u.valToPos(channel[key] + error, "y", true), low = u.valToPos(channel[key] - error, "y", true);
        u.ctx.fillRect(left, high, width, Math.max(1, low - high));
      }
    }
    u.ctx.restore();
  };

  const buildPlot = card => {
    const lines = card.info.channels;
    const single = lines.length === 1;
    const bands = card.info.bands ? card.info.bands.map(pair => ({series: pair, fill: () => colors.c2 + "40"})) : [];
    const series = lines.map((channel, i) => {
      if (channel.style) return Object.assign({label: channel.label, spanGaps: false, points: {show: false}, value: (u, value) => number(value)}, channel.style);
      const slot = channel.label in AXIS_COLORS ? AXIS_COLORS[channel.label] : single ? 2 : i % 8;
      return {
        label: channel.label, stroke: () => colors["c" + slot], width: 1.4, points: {show: times.length < 60, size: 4}, spanGaps: false,
        value: (u, value) => number(value)
      };
    });
    const height = 226;
    card.plot = new uPlot({
      width: card.holder.clientWidth, height, legend: {live: true},
      cursor: {sync: {key: sync.key, setSeries: false}, drag: {x: true, y: false, dist: 4}, focus: {prox: -1}, points: {size: 6}},
      scales: {x: {time: false, range: (u, low, high) => [low, high]}, y: {range}},
      axes: [axis({values: ticks, size: 26, space: 60, label: "time, s"}), axis({values: ticks, size: axisWidth, space: 32})],
      series: [{label: "t", value: (u, value) => value === null || value === undefined ? "–" : number(value, 5) + " s"}, ...series],
      bands,
      hooks: {
        draw: [u => drawErrors(u, lines)],
        setScale: [(u, key) => { if (key === "x" && u.status === 1) setWindow(u.scales.x.min, u.scales.x.max); }],
        setCursor: [u => { if (u.cursor.event && u.cursor.idx !== null && u.cursor.idx !== cursor) { cursor = u.cursor.idx; drawTracks(); } }],
        ready: [u => { wheelZoom(u); restLegend(u); }]
      }
    }, [times, ...lines.map(values)], card.holder);
    card.plot.over.addEventListener("dblclick", () => setWindow(whole[0], whole[1]));
    card.plot.setScale("x", {min: shown[0], max: shown[1]});
    card.holder.style.minHeight = "0";
    card.holder.firstChild.style.display = "flex";
    card.holder.firstChild.style.flexDirection = "column";
  };

  const visible = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting && !entry.target.card.plot && times.length) buildPlot(entry.target.card);
  }, {rootMargin: "400px"});
  const sized = new ResizeObserver(entries => {
    for (const entry of entries) {
      const card = entry.target.card, width = Math.floor(entry.contentRect.width);
      if (card.plot && width > 0 && width !== card.plot.width) card.plot.setSize({width, height: 226});
    }
  });

  const nameOf = ({group, unit}) => TITLES[group] || (group === "rate" && unit === "deg/s" ? "Turn rate" : group.charAt(0).toUpperCase() + group.slice(1));
  const titleOf = info => info.component ? `${nameOf(info)} ${info.component}` : nameOf(info);
  const addCard = (parent, info, id) => {
    const holder = make("div", {className: "canvas"});
    const unit = showUnit(info.unit);
    const element = make("article", {className: "plot", id}, make("h3", {}, titleOf(info), unit ? make("small", {textContent: "  " + unit}) : ""), info.about ? make("p", {className: "about", textContent: info.about}) : null, holder);
    const card = {info, holder, element, plot: null, text: info.channels.map(channel => channel.name).join("\n").toLowerCase()};
    holder.card = card;
    cards.push(card);
    parent.append(element);
    visible.observe(holder);
    sized.observe(holder);
    return card;
  };

  // Tables of key numbers

  const COLUMNS = [["channel", "name"], ["unit", "unit"], ["least", "min"], ["greatest", "max"], ["mean", "mean"], ["std. dev.", "deviation"], ["final", "last"]];
  const addNumbers = (section, all) => {
    // On paper without the hundreds of elements and nodes: the file has them.
    const list = printing ? all.filter(channel => !channel.name.includes("[") && !isConstant(channel) && !isEmpty(channel)) : all;
    if (!list.length) return;
    const body = make("tbody"), head = make("tr");
    let sortKey = null, sign = 1;
    const fill = () => {
      const sorted = sortKey ? list.slice().sort((a, b) => sign * (typeof a[sortKey] === "string" ? a[sortKey].localeCompare(b[sortKey]) : (a[sortKey] ?? -Infinity) - (b[sortKey] ?? -Infinity))) : list;
      const error = (channel, key) => channel.errors[key] === null ? "" : make("small", {textContent: ` ± ${number(channel.errors[key], 2)}`, title: "discretisation error, estimated on finer meshes"});
      body.replaceChildren(...sorted.map(channel => make("tr", {},
        make("td", {textContent: channel.name}), make("td", {textContent: showUnit(channel.unit)}),
        make("td", {}, number(channel.min, 6), error(channel, "min"), channel.min === null ? "" : make("small", {textContent: ` at ${number(channel.minTime, 4)} s`})),
        make("td", {}, number(channel.max, 6), error(channel, "max"), channel.max === null ? "" : make("small", {textContent: ` at ${number(channel.maxTime, 4)} s`})),
        make("td", {}, number(channel.mean, 6), error(channel, "mean")), make("td", {}, number(channel.deviation, 4), error(channel, "deviation")),
        make("td", {textContent: number(channel.last, 6), title: channel.missing ? `${channel.missing} rows hold no finite number` : ""}))));
    };
    for (const [title, key] of COLUMNS) {
      head.append(make("th", {textContent: title, onclick: () => { sign = sortKey === key ? -sign : 1; sortKey = key; fill(); }}));
    }
    const details = make("details", {}, make("summary", {textContent: "Key numbers"}));
    details.addEventListener("toggle", () => {
      if (details.open && !body.firstChild) {
        fill();
        details.append(make("div", {className: "scroll"}, make("table", {className: "numbers"}, make("thead", {}, head), body)));
      }
    });
    if (printing) {
      fill();
      details.append(make("div", {className: "scroll"}, make("table", {className: "numbers"}, make("thead", {}, head), body)));
      details.open = true;
    }
    section.append(details);
  };

  // Cables: how their elements keep their length, and the energy of their nodes, after Brateau (2022), fig. 3 to 7

  const grey = {stroke: () => colors.faint + "70", width: 0.7, class: "each"};
  const strong = slot => ({stroke: () => colors["c" + slot], width: 2.2});
  // A figure of many lines with their mean and the band that holds 95 % of them, 1.96 standard deviations.
  const makeFigure = (group, unit, each, extra, about) => {
    const count = times.length, mean = new Array(count), low = new Array(count), high = new Array(count);
    for (let k = 0; k < count; ++k) {
      let n = 0, sum = 0, squares = 0;
      for (const line of each) if (line.values[k] !== null) { ++n; sum += line.values[k]; }
      for (const line of each) if (line.values[k] !== null) squares += (line.values[k] - sum / n) ** 2;
      const spread = n ? 1.96 * Math.sqrt(squares / n) : 0;
      mean[k] = n ? sum / n : null;
      low[k] = n ? mean[k] - spread : null;
      high[k] = n ? mean[k] + spread : null;
    }
    const lines = each.map(line => ({name: line.name, label: line.label, values: line.values, style: grey}));
    const name = `${group} mean`, at = lines.length;
    const edge = {stroke: () => colors.c2, width: 1, class: "each"};
    lines.push({name, label: "95 % high", values: high, style: edge}, {name, label: "95 % low", values: low, style: edge});
    lines.push({name, label: "mean, with 95 % band", values: mean, style: strong(5)}, ...extra);
    return {group, unit, channels: lines, bands: [[at + 1, at + 2]], about};
  };
  const listParts = (object, pattern) => channels.map(channel => ({channel, match: channel.name.startsWith(object + ".") && pattern.exec(channel.name.slice(object.length + 1))}))
    .filter(({match}) => match).map(({channel, match}) => ({name: channel.name, label: match[1], values: values(channel)}));
  const hasFigures = object => channels.some(channel => channel.name.startsWith(object + ".") && /^(element\[1\]\.length|links\.error|node\[1\]\.energy\.kinetic)$/.test(channel.name.slice(object.length + 1)));
  const makeFigures = object => {
    const find = name => channels.find(channel => channel.name === `${object}.${name}`);
    const figures = [], lengths = listParts(object, /^element\[(\d+)\]\.length$/);
    const target = find("links.target"), error = find("links.error");
    if (lengths.length > 1) {
      const extra = target ? [{name: target.name, label: "unstretched", values: values(target), style: strong(1)}] : [];
      figures.push(makeFigure("Length of the elements", "m", lengths, extra, "grey: each element"));
    }
    if (error) {
      const percent = values(error).map(value => value === null ? null : 100 * value);
      figures.push({group: "Error of the mean length", unit: "%", channels: [{name: error.name, label: "relative error", values: percent, style: strong(5)}], about: ""});
    }
    const kinetic = listParts(object, /^node\[(\d+)\]\.energy\.kinetic$/), potential = listParts(object, /^node\[(\d+)\]\.energy\.potential$/).map(line => {
      const start = line.values.find(value => value !== null) ?? 0; // what it is counted from
      return Object.assign(line, {values: line.values.map(value => value === null ? null : value - start)});
    });
    const work = listParts(object, /^node\[(\d+)\]\.energy\.accumulated$/);
    const add = (a, b) => a.map((line, i) => ({name: line.name, label: line.label, values: line.values.map((value, k) => value === null ? null : value + b[i].values[k])}));
    if (kinetic.length > 1) figures.push(makeFigure("Kinetic energy of the nodes", "J", kinetic, [], "grey: each node"));
    if (work.length > 1) figures.push(makeFigure("“Potential” energy of the nodes, as accumulated work of all forces", "J", work, [], "the paper's definition: it is the kinetic energy gained, no potential"));
    if (potential.length > 1) figures.push(makeFigure("Potential energy of the nodes", "J", potential, [], "true: weight, buoyancy, stretch, bending, torsion; since the start"));
    if (kinetic.length > 1 && work.length === kinetic.length) figures.push(makeFigure("“Mechanical” energy of the nodes, with accumulated work", "J", add(kinetic, work), [], "the paper's definition"));
    if (kinetic.length > 1 && potential.length === kinetic.length) figures.push(makeFigure("Mechanical energy of the nodes", "J", add(kinetic, potential), [], "true: kinetic and potential; since the start"));
    return figures;
  };

  // Paths seen from above and from the side

  const tracks = [];
  const AXES = ["x", "y", "z"];
  const byName = new Map(channels.map(channel => [channel.name, channel]));
  const paths = ordered.map(name => ({name, axes: AXES.map(axisName => byName.get(`${name}.position.${axisName}`))}))
    .filter(path => path.axes.every(Boolean) && path.axes.some(channel => channel.max - channel.min > 1e-6)).slice(0, 16);

  const addTracks = () => {
    if (!paths.length || times.length < 2) return;
    const spread = i => Math.max(...paths.map(path => path.axes[i].max)) - Math.min(...paths.map(path => path.axes[i].min));
    const sideways = spread(1) > spread(0);
    const section = make("section", {id: "paths"}, make("h2", {textContent: "Paths"}));
    const holder = make("div", {className: "tracks"});
    // World axes are north, west, up; a map has east to the right.
    const views = [["From above", 1, -1, 0, "east  m", "north  m"], sideways ? ["From the south", 1, -1, 2, "east  m", "up  m"] : ["From the east", 0, 1, 2, "north  m", "up  m"]];
    for (const [title, across, sign, up, acrossName, upName] of views) {
      const canvas = make("canvas");
      holder.append(make("article", {className: "plot"}, make("h3", {textContent: title}), canvas));
      tracks.push({canvas, across, sign, up, acrossName, upName});
    }
    const keys = make("div", {className: "keys"});
    paths.forEach((path, i) => {
      const mark = make("i");
      mark.style.background = `var(--c${i % 8})`;
      keys.append(make("span", {}, mark, path.name));
    });
    section.append(holder, keys);
    $("main").append(section);
    for (const track of tracks) new ResizeObserver(drawTracks).observe(track.canvas);
    return section;
  };

  const niceStep = raw => {
    const power = Math.pow(10, Math.floor(Math.log10(raw))), unit = raw / power;
    return (unit < 1.5 ? 1 : unit < 3.5 ? 2 : unit < 7.5 ? 5 : 10) * power;
  };
  let scheduled = false;
  function drawTracks() {
    if (scheduled || !tracks.length) return;
    scheduled = true;
    requestAnimationFrame(() => { scheduled = false; tracks.forEach(drawTrack); });
  }
  const drawTrack = ({canvas, across, sign, up, acrossName, upName}) => {
    const width = canvas.clientWidth, height = canvas.clientHeight, ratio = devicePixelRatio || 1;
    if (!width) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const left = 52, right = width - 8, top = 8, bottom = height - 34;
    const ends = (i, s) => [Math.min(...paths.map(path => s < 0 ? -path.axes[i].max : path.axes[i].min)), Math.max(...paths.map(path => s < 0 ? -path.axes[i].min : path.axes[i].max))];
    const [u0, u1] = ends(across, sign), [v0, v1] = ends(up, 1);
    const scale = Math.min((right - left) / Math.max(1.1 * (u1 - u0), 1e-9), (bottom - top) / Math.max(1.1 * (v1 - v0), 1e-9));
    const um = (u0 + u1) / 2, vm = (v0 + v1) / 2;
    const px = u => (left + right) / 2 + (u - um) * scale, py = v => (top + bottom) / 2 - (v - vm) * scale;
    g.font = axisFont;
    g.lineWidth = 1;
    const step = niceStep(70 / scale), decimals = countDecimals(step);
    const text = value => (Math.abs(value) < step / 1e6 ? 0 : value).toFixed(decimals).replace("-", "−");
    g.strokeStyle = colors.grid;
    g.fillStyle = colors.faint;
    g.textAlign = "center";
    for (let k = Math.ceil((um - (right - left) / 2 / scale) / step); k * step <= um + (right - left) / 2 / scale; ++k) {
      const x = px(k * step);
      g.beginPath(); g.moveTo(x, top); g.lineTo(x, bottom); g.stroke();
      g.fillText(text(k * step), x, bottom + 15);
    }
    g.textAlign = "right";
    for (let k = Math.ceil((vm - (bottom - top) / 2 / scale) / step); k * step <= vm + (bottom - top) / 2 / scale; ++k) {
      const y = py(k * step);
      g.beginPath(); g.moveTo(left, y); g.lineTo(right, y); g.stroke();
      g.fillText(text(k * step), left - 6, y + 4);
    }
    g.textAlign = "right";
    g.fillText(acrossName, right, bottom + 30);
    g.textAlign = "left";
    g.fillText(upName, 2, top + 6);
    g.save();
    g.beginPath(); g.rect(left, top, right - left, bottom - top); g.clip();
    paths.forEach((path, i) => {
      const u = values(path.axes[across]), v = values(path.axes[up]);
      g.strokeStyle = g.fillStyle = colors["c" + i % 8];
      for (const inside of [false, true]) {
        g.globalAlpha = inside ? 1 : 0.3;
        g.lineWidth = inside ? 1.6 : 1;
        g.beginPath();
        let pen = false;
        for (let k = 0; k < times.length; ++k) {
          const usable = u[k] !== null && v[k] !== null && (!inside || (times[k] >= shown[0] && times[k] <= shown[1]));
          if (usable) g[pen ? "lineTo" : "moveTo"](px(sign * u[k]), py(v[k]));
          pen = usable;
        }
        g.stroke();
      }
      g.globalAlpha = 1;
      const at = cursor === null ? times.length - 1 : cursor;
      if (u[at] !== null && v[at] !== null) { g.beginPath(); g.arc(px(sign * u[at]), py(v[at]), 4, 0, 7); g.fill(); }
    });
    g.restore();
  };

  // Plots over something else than time, such as spectra

  const rangePlots = [];
  const addGraph = (holder, title, unit, about, xLabel, xs, lines) => {
    const place = make("div", {className: "canvas"}), banded = lines.filter(line => line.low);
    holder.append(make("article", {className: "plot range"}, make("h3", {}, title, make("small", {textContent: "  " + unit})), about ? make("p", {className: "about", textContent: about}) : null, place));
    rangePlots.push({place, plot: null, draw: () => {
      place.replaceChildren();
      const plot = new uPlot({
        width: place.clientWidth || 500, height: 226, legend: {live: true}, scales: {x: {time: false, range: (u, a, b) => b > a ? [a, b] : [a - 1, a + 1]}, y: {range}},
        axes: [axis({values: ticks, size: 26, space: 60, label: xLabel}), axis({values: ticks, size: axisWidth, space: 32})],
        series: [{label: xLabel, value: (u, value) => number(value, 4)},
          ...lines.map((line, i) => ({label: line.label, stroke: () => colors["c" + (lines.length === 1 ? 2 : i % 8)], width: 1.4, spanGaps: true, points: {show: line.values.length < 40}, value: (u, value) => number(value)})),
          ...banded.flatMap(() => [{label: "high", class: "each", stroke: "transparent", points: {show: false}}, {label: "low", class: "each", stroke: "transparent", points: {show: false}}])],
        bands: banded.map((line, i) => ({series: [lines.length + 1 + 2 * i, lines.length + 2 + 2 * i], fill: () => colors["c" + (lines.length === 1 ? 2 : lines.indexOf(line) % 8)] + "28"}))
      }, [xs, ...lines.map(line => line.values), ...banded.flatMap(line => [line.high, line.low])], place);
      place.style.minHeight = "0";
      plot.root.style.display = "flex";
      plot.root.style.flexDirection = "column";
      return plot;
    }});
  };
  const addSpectra = () => {
    if (!meta.spectra || !meta.spectra.length) return null;
    const [, , step, segments] = meta.spectra[0], holder = make("div", {className: "plots"});
    const section = make("section", {id: "spectra"}, make("h2", {textContent: "Spectra"}), make("p", {className: "about", textContent: `One-sided densities after Welch: ${segments} segments with Hann's window, ${number(step, 3)} Hz apart, of all rows. Their integral is the variance.`}), holder);
    $("main").append(section);
    for (const [name, unit, , , deviation, period, densities] of meta.spectra) {
      const factor = DEGREES[unit] ? 180 / Math.PI : 1, shown = showUnit(DEGREES[unit] || unit);
      addGraph(holder, name, `(${shown || "1"})²/Hz`, `4 standard deviations ${number(4 * deviation * factor, 4)} ${shown}, mean zero-crossing period ${number(period, 4)} s`, "frequency, Hz",
        densities.map((value, k) => k * step), [{label: "density", values: densities.map(value => value * factor * factor)}]);
    }
    return section;
  };
  const addFatigue = () => {
    const rows = (meta.ranges || []).map(cable => {
      const worst = Math.max(0, ...(cable.damage || []).map(value => value ?? 0)), at = (cable.damage || []).indexOf(worst);
      return worst > 0 ? [cable.cable, number(cable.arc[at], 5), number(cable.time[at], 5), number(worst, 4), number(cable.time[at] / worst / (365.25 * 86400), 4)] : null;
    }).filter(Boolean);
    if (!rows.length) return null;
    const section = make("section", {id: "fatigue"}, make("h2", {textContent: "Fatigue"}), make("p", {className: "about", textContent: "Rainflow cycles (ASTM E1049) of tension and bending at eight points round the cable, Miner's sum, at the worst place of each cable."}),
      makeTable(["cable", "at arc, m", "time, s", "damage", "life at this rate, years"], rows));
    $("main").append(section);
    return section;
  };
  const addStart = () => {
    const listed = channels.filter(channel => channel.first !== null && !channel.name.includes("[") && /\.(tension|position\.[xyz]|attitude\.\w+|length|effort|q|force\.[xyz]|moment\.[xyz])$/.test(channel.name)).slice(0, 200);
    if (!listed.length) return null;
    const details = make("details", {open: printing || listed.length <= 12}, make("summary", {textContent: `${listed.length} values`}), makeTable(["channel", "unit", "at the start"], listed.map(channel => [channel.name, showUnit(channel.unit), number(channel.first, 6)])));
    const section = make("section", {id: "statics"}, make("h2", {textContent: "Statics: values at the start"}), details);
    $("main").append(section);
    return section;
  };
  // Tables of a study as people read them: short names, few digits, and what is the same in all rows in words above.
  const TITLE = {hs: "allowed Hs, m", low: "low", high: "high", limit: "decided by", workable: "workable", usable: "usable in windows", longest: "longest, h", wait: "mean wait, h", beyond: "beyond the periods", of: "of", count: "runs", above: "above threshold"};
  const shorten = names => names.map(name => {
    const parts = name.split(".");
    for (let k = 1; k < parts.length; ++k) {
      const tail = parts.slice(-k).join(".");
      if (names.filter(other => other === tail || other.endsWith("." + tail)).length === 1) return tail;
    }
    return name;
  });
  const tidy = text => {
    if (text === "nan" || text === "") return null;
    const value = Number(text);
    if (!isFinite(value)) return text;
    return Number.isInteger(value) && Math.abs(value) < 1e7 ? String(value).replace("-", "−") : number(value, 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  };
  const makeStudyTable = ([head, ...rows], {drop = [], percent = []} = {}) => {
    const short = shorten(head), names = head.map((name, i) => TITLE[name] || short[i].replace(/_/g, " ")), same = head.map((name, i) => rows.length > 1 && rows.every(row => row[i] === rows[0][i]));
    const kept = head.map((name, i) => i).filter(i => !drop.includes(head[i]) && !(same[i] && (i > 0 || rows[0][i] === "")) && rows.some(row => row[i] !== "" && row[i] !== "nan"));
    const told = head.map((name, i) => i).filter(i => !drop.includes(head[i]) && !kept.includes(i) && same[i] && rows[0][i] !== "" && rows[0][i] !== "nan" && rows[0][i] !== "0");
    const cell = (row, i) => percent.includes(head[i]) && isFinite(Number(row[i])) ? number(100 * Number(row[i]), 3) + " %" : tidy(row[i]);
    const table = makeTable(kept.map(i => names[i]), rows.map(row => kept.map(i => cell(row, i))), "study");
    return told.length ? make("div", {}, make("p", {className: "about", textContent: "In all rows: " + told.map(i => `${names[i]} ${cell(rows[0], i)}`).join(", ") + "."}), table) : table;
  };
  const addStudy = () => {
    const study = meta.study || {};
    if (!Object.keys(study).length) return null;
    const section = make("section", {id: "operability"}, make("h2", {textContent: "Operability"}));
    $("main").append(section);
    const table = study.operability;
    if (table) {
      const [head, ...rows] = table, tp = head.findIndex(name => /(^|\.)tp$/.test(name)), hs = head.indexOf("hs");
      if (tp > 0 && hs > 0) {
        // A line for each combination of the other parameters, over all periods.
        const others = head.map((name, i) => i).filter(i => i > 0 && i < hs && i !== tp), lines = new Map(), xs = [...new Set(rows.map(row => +row[tp]))].sort((a, b) => a - b);
        for (const row of rows) {
          const key = others.map(i => `${head[i].split(".").pop()} ${row[i]}`).join(", ") || "allowed", at = xs.indexOf(+row[tp]);
          if (!lines.has(key)) lines.set(key, {values: new Array(xs.length).fill(null), low: new Array(xs.length).fill(null), high: new Array(xs.length).fill(null)});
          const line = lines.get(key), value = +row[hs], bound = name => { const found = Number(row[head.indexOf(name)]); return isFinite(found) ? found : value; };
          line.values[at] = value;
          line.low[at] = bound("low");
          line.high[at] = bound("high");
        }
        const holder = make("div", {className: "plots"});
        section.append(holder);
        addGraph(holder, "Allowed significant wave height", "m", "where every limit of the study holds with its probability; bands: confidence from the seeds", "peak period, s", xs, [...lines].map(([label, line]) => Object.assign({label}, line)));
      }
      section.append(makeStudyTable(table, {drop: ["combination"]}));
    }
    for (const [name, title] of [["weather", "Workable share of the time"], ["windows", "Weather windows"], ["extremes", "Extremes"], ["sensitivity", "Sensitivity"]])
      if (study[name]) section.append(make("h3", {textContent: title}), makeStudyTable(study[name], {drop: name === "extremes" ? ["distance", "failed", ...study[name].slice(1).some(row => row[1] === "peaks") ? [] : ["above"]] : [], percent: ["workable", "usable", "beyond"]}));
    return section;
  };
  const addCertified = () => {
    if (!certified.size) return null;
    // What is the same on all meshes needs no row.
    const rows = [...certified].filter(([, {error}]) => error !== 0).map(([name, {value, error, order}]) => [name, number(value, 6), error === null ? "not known" : "± " + number(error, 3), order === null ? "no clear order" : number(order, 2)]);
    const same = certified.size - rows.length;
    const section = make("section", {id: "certified"}, make("h2", {textContent: "Certified errors"}), make("p", {className: "about", textContent: "Discretisation errors from meshes 1.5 and 2.25 times as fine with steps as much shorter; what the model leaves out is in none of them." + (same ? ` ${same} more numbers are the same on all meshes.` : "")}),
      make("details", {open: printing || rows.length <= 20}, make("summary", {textContent: `${rows.length} numbers`}), makeTable(["number", "value", "error", "observed order"], rows)));
    $("main").append(section);
    return section;
  };

  // Range graphs along cables: least, mean and greatest over the run, from all steps, against what is allowed

  const addRangeGraphs = () => {
    if (!meta.ranges || !meta.ranges.length) return null;
    const section = make("section", {id: "ranges"}, make("h2", {textContent: "Range graphs"}));
    const holder = make("div", {className: "plots"});
    section.append(make("p", {className: "about", textContent: "Along each cable, by unstretched arc length from end a: the band from the least to the greatest value of all steps of the solver, and the mean over time. Dashed: what the section allows."}), holder);
    $("main").append(section);
    const graph = (cable, title, unit, low, mean, high, allowed, about) => {
      if (!high.some(value => value !== null)) return;
      const place = make("div", {className: "canvas"});
      holder.append(make("article", {className: "plot range"}, make("h3", {}, `${cable.cable}: ${title}`, make("small", {textContent: "  " + showUnit(unit)})), about ? make("p", {className: "about", textContent: about}) : null, place));
      const line = (label, slot, extra) => Object.assign({label, stroke: () => colors["c" + slot], width: 1.2, points: {show: cable.arc.length < 3}, value: (u, value) => number(value)}, extra);
      const limits = allowed.some(value => value !== null);
      // away from the pointer: the values where the greatest is
      const most = high.reduce((best, value, k) => value !== null && (best < 0 || value > high[best]) ? k : best, -1);
      const rest = u => u.setLegend({idx: most}, false);
      const draw = () => {
        place.replaceChildren();
        const plot = new uPlot({
          width: place.clientWidth || 500, height: 226, legend: {live: true},
          scales: {x: {time: false, range: (u, a, b) => b > a ? [a, b] : [a - 1, a + 1]}, y: {range}},
          axes: [axis({values: ticks, size: 26, space: 60, label: "arc length from end a, m"}), axis({values: ticks, size: axisWidth, space: 32})],
          series: [{label: "arc", value: (u, value) => value === null || value === undefined ? "–" : number(value, 5) + " m"},
            line("greatest", 2), line("mean", 5, {width: 2}), line("least", 2), ...limits ? [line("allowed", 0, {dash: [6, 4], width: 1.6})] : []],
          bands: [{series: [1, 3], fill: () => colors.c2 + "30"}],
          hooks: {ready: [u => { rest(u); u.over.addEventListener("mouseleave", () => rest(u)); }]}
        }, [cable.arc, high, mean, low, ...limits ? [allowed] : []], place);
        place.style.minHeight = "0";
        plot.root.style.display = "flex";
        plot.root.style.flexDirection = "column";
        return plot;
      };
      rangePlots.push({place, draw, plot: null});
    };
    for (const cable of meta.ranges) {
      const none = cable.arc.map(() => null), finite = list => list.map(value => value !== null && isFinite(value) ? value : null);
      const share = (list, limit) => Math.max(0, ...list.map((value, i) => value !== null && limit[i] ? value / limit[i] : 0));
      const tear = finite(cable.break), use = share(cable["tension.max"], tear);
      // A limit far above what was reached would flatten the band: it is told in words.
      graph(cable, "tension", "N", cable["tension.min"], cable["tension.mean"], cable["tension.max"], use > 0.2 ? tear : none, use > 0 ? `greatest is ${number(100 * use, 3)} % of break` : "");
      const allowed = cable.bend_radius.map(radius => radius > 0 ? 1 / radius : null), bend = share(cable["curvature.max"], allowed);
      const sharpest = Math.max(0, ...cable["curvature.max"].map(value => value ?? 0));
      const words = sharpest > 0 ? `least radius ${number(1 / sharpest, 3)} m` + (bend > 0 ? `, ${number(100 * bend, 3)} % of the allowed curvature` : "") : "";
      graph(cable, "curvature", "1/m", cable["curvature.min"], cable["curvature.mean"], cable["curvature.max"], bend > 0.2 ? allowed : none, words);
      const damage = cable.damage || none, worst = Math.max(0, ...damage.map(value => value ?? 0)), at = damage.indexOf(worst);
      if (worst > 0) graph(cable, "fatigue damage in this run", "1", none, none, damage, none, `Miner's sum ${number(worst, 3)} at ${number(cable.arc[at], 4)} m: ${number(cable.time[at] / worst / (365.25 * 86400), 3)} years at this rate`);
      graph(cable, "clearance to the bottom", "m", cable["clearance.min"], cable["clearance.mean"], cable["clearance.max"], none, "");
    }
    return section;
  };

  // The page

  const links = [];
  const addLink = (text, target, className, card) => {
    const link = make("a", {textContent: text, href: "#" + target, className});
    $("contents").append(link);
    links.push({link, card, target});
  };
  const overviews = [];
  for (const [title, add] of [["Verdict", addFront], ["Statics", addStart], ["Paths", addTracks], ["Range graphs", addRangeGraphs], ["Spectra", addSpectra], ["Fatigue", addFatigue], ["Operability", addStudy], ["Certified errors", addCertified]]) {
    const section = add();
    if (!section) continue;
    overviews.push(section);
    addLink(title, section.id, "object", null);
  }
  const sections = [], FIRST_PLOTS = 9;
  ordered.forEach((name, index) => {
    const groups = [...objects.get(name).values()], plots = groups.flatMap(splitGroup);
    const section = make("section", {id: "o" + index}, make("h2", {textContent: name}));
    const first = make("div", {className: "plots"});
    section.append(first);
    addLink(name, "o" + index, "object", null);
    const own = [];
    let parent = first, more = null;
    plots.forEach((info, i) => {
      if (i === FIRST_PLOTS && plots.length > FIRST_PLOTS + 2) {
        parent = make("div", {className: "plots"});
        more = make("details", {}, make("summary", {textContent: `${plots.length - FIRST_PLOTS} more plots`}), parent);
        section.append(more);
      }
      const card = addCard(parent, info, `p${index}-${i}`);
      card.more = more;
      own.push(card);
      if (!more) addLink(titleOf(info), `p${index}-${i}`, "", card);
    });
    const all = groups.flatMap(info => info.channels), quiet = all.filter(channel => isZero(channel) || isEmpty(channel)), steady = all.filter(channel => isConstant(channel) && !isZero(channel));
    const list = (count, what, text) => section.append(make("details", {className: "quiet"}, make("summary", {textContent: `${count} channel${count > 1 ? "s" : ""} ${what} throughout`}), make("p", {textContent: text})));
    if (quiet.length) list(quiet.length, "zero or empty", quiet.map(channel => channel.name).join(", "));
    if (steady.length) list(steady.length, "constant", steady.map(channel => `${channel.name} ${number(channel.mean)} ${showUnit(channel.unit)}`.trim()).join(", "));
    // Drawn when asked for: they repeat a paper's figures and are of little use elsewhere.
    if (hasFigures(name)) {
      const drawn = make("div", {className: "plots figures"});
      const details = make("details", {className: "family"}, make("summary", {textContent: "Elements and nodes together, after Brateau (2022), fig. 3 to 7"}), drawn);
      details.addEventListener("toggle", () => {
        if (!details.open || drawn.firstChild) return;
        makeFigures(name).forEach((info, i) => own.push(addCard(drawn, info, `f${index}-${i}`)));
      });
      section.append(details);
    }
    addNumbers(section, groups.flatMap(info => info.channels));
    if (printing && !first.firstChild && !section.querySelector("details[open]")) return;
    $("main").append(section);
    sections.push({section, own, name: name.toLowerCase(), more});
  });
  const scene = $("scene").content.textContent;
  if (scene.trim()) {
    $("main").append(make("section", {id: "scenefile"}, make("h2", {textContent: "Scene"}), make("pre", {textContent: scene})));
    addLink("Scene", "scenefile", "object", null);
  }
  const sampled = meta.rows > times.length;
  $("main").append(make("footer", {}, "Drag across a plot to zoom all of them, double-click to see everything again; hold Ctrl and turn the wheel to zoom at the pointer. ",
    "Click a name above a plot to hide its line. ", make("kbd", {textContent: "/"}), " finds a channel, ", make("kbd", {textContent: "0"}), " shows all time, ", make("kbd", {textContent: "t"}), " turns the light on or off.",
    make("br"), sampled ? `Curves show the least and the greatest of every ${Math.round(2 * meta.rows / times.length)} rows, and may be off by as much in time; the key numbers come from all ${meta.rows.toLocaleString("en")} rows. ` : "",
    "Angles are in degrees; x points north, y west, z up."));

  const find = () => {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let any = false;
    for (const {section, own, name, more} of sections) {
      let here = false;
      for (const card of own) {
        const hit = words.every(word => card.text.includes(word) || name.includes(word));
        card.element.hidden = !hit;
        card.element.classList.toggle("found", hit && words.length > 0);
        here = here || hit;
        if (hit && words.length && card.more) card.more.open = true;
      }
      section.hidden = !here;
      any = any || here;
    }
    for (const section of overviews) section.hidden = words.length > 0;
    for (const {link, card, target} of links) link.hidden = card ? card.element.hidden : $(target).hidden;
    $("nothing").hidden = any || !channels.length;
  };
  $("search").addEventListener("input", find);
  $("reset").addEventListener("click", () => setWindow(whole[0], whole[1]));
  $("theme").addEventListener("click", toggleTheme);
  dark.addEventListener("change", applyTheme);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target === $("search");
    if (typing && event.key === "Escape") { $("search").value = ""; find(); $("search").blur(); }
    if (typing) return;
    if (event.key === "/") { event.preventDefault(); $("search").focus(); }
    if (event.key === "0" || event.key === "Escape") setWindow(whole[0], whole[1]);
    if (event.key === "t") toggleTheme();
  });
  const here = new IntersectionObserver(entries => {
    for (const entry of entries) {
      const found = links.find(({target}) => target === entry.target.id);
      if (found) found.link.classList.toggle("here", entry.isIntersecting);
    }
  }, {rootMargin: "-60px 0px -30% 0px"});
  for (const card of cards) here.observe(card.element);
  applyTheme();
  for (const graph of rangePlots) {
    graph.plot = graph.draw();
    new ResizeObserver(entries => {
      const width = Math.floor(entries[0].contentRect.width);
      if (width > 0 && width !== graph.plot.width) graph.plot.setSize({width, height: 226});
    }).observe(graph.place);
  }
  if (printing) for (const card of cards) if (!card.plot && times.length && !card.more) buildPlot(card);
})();

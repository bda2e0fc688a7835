// Charts as SVG, drawn from numbers alone.

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function picture(width, height, title) {
  const made = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  made.append(shape("title", {}, title));
  return made;
}

export function shown(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}

// How much of an account is spent.
export function accountBar(spent, cap, title) {
  const svg = picture(400, 12, title);
  svg.append(shape("rect", { class: "track", x: 0, y: 0, width: 400, height: 12, rx: 6 }));
  const width = cap > 0 ? 400 * Math.min(1, spent / cap) : 400;
  if (width > 0) svg.append(shape("rect", { class: "bar", x: 0, y: 0, width: Math.max(width, 4), height: 12, rx: 6 }));
  return svg;
}

// A value with its interval, on the scale of all values of the answer.
export function interval(row, low, high) {
  const at = (value) => 6 + 188 * (high > low ? (value - low) / (high - low) : 0.5);
  const svg = picture(200, 20, `${shown(row.value)}, between ${shown(row.low)} and ${shown(row.high)}`);
  if (low < 0 && high > 0) svg.append(shape("line", { class: "axis", x1: at(0), x2: at(0), y1: 0, y2: 20 }));
  svg.append(shape("line", { class: "interval", x1: at(row.low), x2: at(row.high), y1: 10, y2: 10 }));
  for (const end of [row.low, row.high]) {
    svg.append(shape("line", { class: "interval", x1: at(end), x2: at(end), y1: 5, y2: 15 }));
  }
  svg.append(shape("circle", { class: "dot", cx: at(row.value), cy: 10, r: 4 }));
  return svg;
}

// What was spent after each question, against the cap.
export function spending(charges, cap, unit) {
  const [left, right, top, bottom] = [44, 372, 18, 150];
  const totals = [];
  for (const charge of charges) totals.push((totals.at(-1) ?? 0) + charge.amount);
  const most = Math.max(cap, totals.at(-1) ?? 0) || 1;
  const x = (i) => left + ((right - left) * (i + 1)) / charges.length;
  const y = (amount) => bottom - ((bottom - top) * amount) / most;
  const title = `${charges.length} question(s) cost ${shown(totals.at(-1) ?? 0)} of ${unit} ${shown(cap)}`;
  const svg = picture(380, 178, title);
  for (const part of [0, 0.5, 1]) {
    svg.append(shape("line", { class: "axis", x1: left, x2: right, y1: y(most * part), y2: y(most * part) }));
    svg.append(shape("text", { x: left - 6, y: y(most * part) + 4, "text-anchor": "end" }, shown(most * part)));
  }
  svg.append(shape("line", { class: "cap", x1: left, x2: right, y1: y(cap), y2: y(cap) }));
  svg.append(shape("text", { x: right, y: y(cap) - 5, "text-anchor": "end" }, "your limit"));
  svg.append(shape("text", { x: left, y: 172 }, `${unit} spent, after each question`));
  let path = `M${left},${bottom}`;
  totals.forEach((total, i) => { path += `H${x(i)}V${y(total)}`; });
  svg.append(shape("path", { class: "steps", d: path }));
  if (charges.length <= 60) {
    totals.forEach((total, i) => {
      const dot = shape("circle", { class: "dot", cx: x(i), cy: y(total), r: 3.5 });
      dot.append(shape("title", {}, `charge ${charges[i].number}: ${shown(charges[i].amount)}, ${shown(total)} in all`));
      svg.append(dot);
    });
  }
  return svg;
}

// The page for analysts. The token lives in this variable alone.

import { accountBar, interval, shown, spending } from "./chart.js";

let token = null;
let schema = null;
let priced = null; // the request whose cost was seen: only that one can be asked

const MEASURES = {
  count: "number of rows", sum: "sum", mean: "mean", median: "median", quantile: "quantile",
  histogram: "number of rows by label", top: "most frequent labels",
};
const NUMBERS = ["sum", "mean", "median", "quantile"];
const OPERATORS = { values: { "=": "is", "!=": "is not" },
  number: { "<": "is below", "<=": "is at most", ">": "is above", ">=": "is at least", "=": "is", "!=": "is not" } };
const LONG_LIST = 200;

const at = (id) => document.getElementById(id);

function element(name, content, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...[content].flat());
  return made;
}

function options(select, choices) {
  select.replaceChildren(...Object.entries(choices).map(([value, text]) => element("option", text, { value })));
}

async function call(path, body) {
  const request = { headers: { Authorization: `Bearer ${token}` }, cache: "no-store", credentials: "omit" };
  if (body !== undefined) {
    request.method = "POST";
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let reply, content;
  try {
    reply = await fetch(path, request);
    content = await reply.json();
  } catch {
    throw new Error("The service does not answer. Try again.");
  }
  if (!reply.ok) throw new Error([content.title, content.detail].filter(Boolean).join(" "));
  return content;
}

// Log in and out

at("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  token = at("token").value.trim();
  at("login-problem").textContent = "";
  try {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Error("This is no token.");
    schema = await call("/schema");
  } catch (error) {
    token = null;
    at("login-problem").textContent = error.message;
    return;
  }
  at("token").value = "";
  at("login").hidden = true;
  at("desk").hidden = at("leave").hidden = false;
  at("dataset").textContent = ` about ${schema.dataset}`;
  at("who").textContent = `${schema.analyst}, until ${schema.expires.slice(0, 10)}`;
  at("pace").textContent = `Every reply takes a multiple of ${schema.minimum_seconds} s, whatever it says.`;
  buildForm();
  at("measure").focus();
  await showSpending();
});

at("leave").addEventListener("click", () => location.reload());

// The form

function column(name) {
  return schema.columns.find((one) => one.name === name);
}

function buildForm() {
  options(at("measure"), MEASURES);
  options(at("unit"), schema.accounting === "zcdp" ? { epsilon: "ε (epsilon)", rho: "ρ (rho)" } : { epsilon: "ε (epsilon)" });
  at("groups").replaceChildren(...schema.columns.map((one) => {
    const box = element("input", "", { type: "checkbox", value: one.name });
    return element("label", [box, one.name]);
  }));
  showFields();
}

function showFields() {
  const measure = at("measure").value, before = at("column").value;
  const fit = schema.columns.filter((one) => one.kind === "number" || !NUMBERS.includes(measure));
  options(at("column"), Object.fromEntries(fit.map((one) => [one.name, one.name])));
  if (fit.some((one) => one.name === before)) at("column").value = before;
  at("column-field").hidden = measure === "count";
  at("at-field").hidden = measure !== "quantile";
  at("k-field").hidden = measure !== "top";
  at("group-field").hidden = measure === "top";
}

function labelled(text, control) {
  return element("label", [text, control]);
}

function addCondition() {
  const where = element("select", ""), how = element("select", ""), remove = element("button", "Remove", { type: "button", class: "quiet" });
  const row = element("li", [labelled("column", where), labelled("comparison", how), element("div", ""), remove]);
  options(where, Object.fromEntries(schema.columns.map((one) => [one.name, one.name])));
  const fit = () => {
    const one = column(where.value);
    options(how, OPERATORS[one.kind]);
    const value = one.kind === "number"
      ? element("input", "", { type: "number", step: "any", value: one.low })
      : one.labels.length > LONG_LIST ? element("input", "", { type: "text" }) : element("select", "");
    if (value.tagName === "SELECT") options(value, Object.fromEntries(one.labels.map((label) => [label, label])));
    value.dataset.kind = one.kind;
    row.children[2].replaceChildren(labelled("value", value));
  };
  fit();
  where.addEventListener("change", fit);
  remove.addEventListener("click", () => {
    row.remove();
    changed();
    at("add-condition").focus();
  });
  at("conditions").append(row);
  changed();
  where.focus();
}

function fromForm() {
  const measure = at("measure").value, name = at("column").value;
  const question = { measure: "count" };
  if (measure === "quantile") question.measure = { quantile: { column: name, at: Number(at("at").value) } };
  else if (measure === "top") question.measure = { top: { column: name, k: Number(at("k").value) } };
  else if (measure !== "count") question.measure = { [measure]: name };
  const conditions = [...at("conditions").children].map((row) => {
    const [where, how, value] = row.querySelectorAll("select, input");
    return { [where.value]: { [how.value]: value.dataset.kind === "number" ? Number(value.value) : value.value } };
  });
  if (conditions.length) question.filter = conditions.length === 1 ? conditions[0] : { and: conditions };
  const groups = [...at("groups").querySelectorAll("input:checked")].map((box) => box.value);
  if (groups.length && measure !== "top") question.group_by = groups;
  return question;
}

function asked() {
  let question;
  try {
    question = at("by-json").hidden ? fromForm() : JSON.parse(at("json").value);
  } catch {
    throw new Error("The question is no JSON.");
  }
  return { question, [at("unit").value]: Number(at("price").value) };
}

function changed() {
  priced = null;
  at("ask").disabled = true;
  at("cost").replaceChildren();
  at("problem").textContent = "";
  at("no-conditions").hidden = at("conditions").children.length > 0;
}

at("question").addEventListener("input", changed);
at("measure").addEventListener("change", showFields);
at("add-condition").addEventListener("click", addCondition);
for (const radio of document.querySelectorAll("[name=how]")) {
  radio.addEventListener("change", () => {
    const json = document.querySelector("[name=how]:checked").value === "json";
    if (json) at("json").value = JSON.stringify(fromForm(), null, 1);
    at("by-json").hidden = !json;
    at("by-form").hidden = json;
  });
}

// Cost, question, answer

async function busy(button, work) {
  const buttons = [...document.querySelectorAll("#desk button")].filter((one) => !one.disabled);
  at("problem").textContent = "";
  buttons.forEach((one) => { one.disabled = true; });
  button.setAttribute("aria-busy", "true");
  let done = false;
  try {
    await work();
    done = true;
  } catch (error) {
    at("problem").textContent = error.message;
  }
  buttons.forEach((one) => { one.disabled = false; });
  button.removeAttribute("aria-busy");
  return done;
}

function loss(told) {
  const parts = [["ε", told.epsilon], ["ρ", told.rho], ["δ", told.delta === "0" ? null : told.delta]];
  return parts.filter(([, value]) => value !== null).map(([sign, value]) => `${sign} ${value}`).join(", ");
}

at("see-cost").addEventListener("click", async (event) => {
  if (!at("question").reportValidity()) return;
  const seen = await busy(event.target, async () => {
    const request = asked(), told = await call("/cost", request), off = told.accuracy.half_width;
    const groups = told.groups === 1 ? "" : `, for ${shown(told.groups)} groups together`;
    at("cost").replaceChildren(
      element("p", `It costs ${loss(told.loss)}${groups}.`),
      ...(off === null ? [] : [element("p", `Each value will be off by at most ${shown(off)}, with 95 % probability.`)]),
      element("p", `Noise: ${told.accuracy.noise}, scale ${shown(told.accuracy.scale)}; ${told.accuracy.note}.`, { class: "help" }),
    );
    priced = request;
  });
  if (seen) {
    at("ask").disabled = false;
    at("ask").focus();
  }
});

at("question").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (priced !== null) await ask(priced, at("ask"));
});

async function ask(request, button) {
  await busy(button, async () => {
    const told = await call("/ask", request);
    await showSpending();
    showAnswer(told);
  });
}

function showAnswer(told) {
  const bounded = told.rows.some((row) => row.low !== null), parts = [];
  if (told.rows.length === 1 && !Object.keys(told.rows[0].group).length) {
    const [row] = told.rows;
    parts.push(element("p", shown(row.value), { class: "large" }));
    if (bounded) parts.push(element("p", `The true value lies between ${shown(row.low)} and ${shown(row.high)}, with 95 % probability.`));
  } else {
    parts.push(answerTable(told.rows, bounded));
    if (bounded) parts.push(element("p", "Each true value lies between its bounds with 95 % probability.", { class: "help" }));
  }
  const note = told.accuracy.note;
  parts.push(element("p", `${note[0].toUpperCase()}${note.slice(1)}.`, { class: "help" }));
  const cost = told.stored ? `This was answered before (charge ${told.charge}): the same answer again, for nothing.` : `It cost ${loss(told.loss)} (charge ${told.charge}).`;
  parts.push(element("p", cost));
  parts.push(element("p", ["Question: ", element("code", told.question)], { class: "help asked" }));
  at("answer").replaceChildren(...parts);
  at("answer-card").hidden = false;
  at("answer-title").focus();
}

function answerTable(rows, bounded) {
  const groups = Object.keys(rows[0].group), kind = bounded ? "number" : "text";
  const head = [...groups.map((name) => element("th", name, { scope: "col" })), element("th", "answer", { scope: "col", class: kind })];
  if (bounded) head.push(...["between", "and"].map((text) => element("th", text, { scope: "col", class: "number" })), element("td", "", { class: "chart" }));
  const low = Math.min(...rows.map((row) => row.low)), high = Math.max(...rows.map((row) => row.high));
  const lines = rows.slice(0, 2000).map((row) => {
    const cells = groups.map((name) => element("th", String(row.group[name]), { scope: "row" }));
    cells.push(element("td", shown(row.value), { class: kind }));
    if (bounded) {
      cells.push(...[row.low, row.high].map((end) => element("td", shown(end), { class: "number" })));
      cells.push(element("td", interval(row, low, high), { class: "chart" }));
    }
    return element("tr", cells);
  });
  return element("div", element("table", [element("thead", element("tr", head)), element("tbody", lines)]), { class: "scroll" });
}

// Budget and history

async function showSpending() {
  if (!schema.scopes.includes("budget")) {
    at("budget").replaceChildren(element("p", "Your token does not show the budget.", { class: "help" }));
    at("history").replaceChildren(element("p", "Your token does not show what was asked.", { class: "help" }));
    return;
  }
  try {
    const [budget, history] = [await call("/budget"), await call("/history")];
    showBudget(budget);
    showHistory(history.newest, budget);
  } catch (error) {
    at("budget").replaceChildren(element("p", error.message, { class: "problem" }));
  }
}

function amount(told, accounting) {
  if (accounting === "pure") return Number(told.epsilon);
  return told.rho === null ? Number(told.epsilon) ** 2 / 2 : Number(told.rho);
}

function showBudget(budget) {
  const unit = budget.accounting === "pure" ? "ε" : "ρ";
  const account = (title, one) => {
    const [spent, cap, left] = [one.spent, one.cap, one.remaining].map((told) => amount(told, budget.accounting));
    const parts = [
      element("p", [element("strong", title), `${shown(left)} of ${unit} ${shown(cap)} left`]),
      accountBar(spent, cap, `${title}: ${shown(spent)} of ${unit} ${shown(cap)} spent`),
    ];
    if (unit === "ρ") parts.push(element("p", `all answers together keep ${loss(one.guarantee)}`, { class: "help" }));
    return element("div", parts, { class: "account" });
  };
  at("budget").replaceChildren(account("Yours", budget.own), account("Everybody together", budget.everybody));
}

function showHistory(charges, budget) {
  if (!charges.length) {
    at("chart").replaceChildren();
    at("history").replaceChildren(element("p", "Nothing was asked yet.", { class: "help" }));
    return;
  }
  const points = charges.map((one) => ({ number: one.charge, amount: amount(one.loss, budget.accounting) }));
  at("chart").replaceChildren(spending(points, amount(budget.own.cap, budget.accounting), budget.accounting === "pure" ? "ε" : "ρ"));
  const lines = charges.slice(-50).reverse().map((one) => {
    const again = element("button", "Show", { type: "button", class: "quiet small", "aria-label": `Show the answer of charge ${one.charge}` });
    again.addEventListener("click", () => busy(again, async () => showAnswer(await call(`/history/${one.charge}`))));
    const told = one.answered && one.question ? again : "no answer";
    return element("tr", [
      element("td", String(one.charge), { class: "number" }), element("td", loss(one.loss), { class: "cost" }),
      element("td", element("code", JSON.stringify(one.question)), { class: "asked" }), element("td", told),
    ]);
  });
  const head = element("tr", ["", "cost", "question", "answer"].map((text) => element("th", text, { scope: "col" })));
  const table = element("table", [element("thead", head), element("tbody", lines)]);
  const open = at("history").querySelector("details")?.open;
  const details = element("details", [element("summary", `${charges.length} question(s)`), element("div", table, { class: "scroll" })]);
  details.open = Boolean(open);
  at("history").replaceChildren(details);
}

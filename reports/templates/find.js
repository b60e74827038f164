"use strict";
// Searches all submissions of a large class. The pages of the table have all that it finds; without it, nothing
// is missing.
(() => {
  const MOST = 200; // rows shown at a time
  const source = document.getElementById("rows");
  const tools = document.querySelector(".tools");
  const input = tools.querySelector("input");
  const status = tools.querySelector("[role=status]");
  const table = document.querySelector("table.found");
  const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const rows = source.textContent.split("\n").map((line) => line.split("\t"));
  const words = rows.map(([name, id, group]) => plain(`${name} ${id} ${group}`));
  const perPage = Number(source.dataset.rows);
  const put = (text, values) =>
    text.replace(/\{(\w+)\}/g, (_, name) => values[name].toLocaleString(document.documentElement.lang));

  function make(tag, text, href) {
    const element = document.createElement(tag);
    element.textContent = text;
    if (href) element.href = href;
    return element;
  }

  function show(i) {
    const [name, id, group, reached, linked] = rows[i];
    const row = table.tBodies[0].insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    const own = `${encodeURIComponent(id || name)}/index.html`;
    head.append(linked ? make("a", name, own) : make("bdi", name));
    if (id) head.append(" ", make("small", id));
    row.append(head);
    row.insertCell().textContent = group;
    const cell = row.insertCell();
    cell.className = "number";
    cell.textContent = reached;
    const page = Math.floor(i / perPage) + 1;
    row.insertCell().append(make("a", page, `submissions-${String(page).padStart(3, "0")}.html`));
  }

  function find() {
    const wanted = plain(input.value.trim()).split(/\s+/).filter(Boolean);
    const found = [];
    if (wanted.length) words.forEach((text, i) => { if (wanted.every((each) => text.includes(each))) found.push(i); });
    table.tBodies[0].replaceChildren();
    found.slice(0, MOST).forEach(show);
    table.hidden = !found.length;
    const said = found.length > MOST ? tools.dataset.shown : tools.dataset.found;
    status.textContent = put(said, { found: found.length, all: rows.length, shown: MOST });
  }

  input.addEventListener("input", find);
  tools.hidden = false;
  find();
})();

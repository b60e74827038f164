"use strict";
// Sorts and filters the table of submissions, and keeps both in the address, so that a view can be linked to.
// All that it shows is in the page; without it, nothing is missing.
(() => {
  const table = document.querySelector("table.class");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const first = Array.from(body.rows); // the order that lists of rows refer to
  let order = first.slice();
  const tools = document.querySelector(".tools");
  const [text, exercise, outcome, who] = tools.querySelectorAll("input, select");
  const fields = { text, exercise, outcome, who };
  const options = tools.querySelector("datalist");
  const status = tools.querySelector("[role=status]");
  const says = tools.dataset; // what it says, in the page's language
  const inWords = (value) => (typeof value === "number" ? value.toLocaleString(document.documentElement.lang) : value);
  const put = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => inWords(values[name]));
  const compare = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare;
  const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const searched = heads.filter((head) => head.dataset.sort === "text").map((head) => heads.indexOf(head));
  const lists = new Map(); // the name of a list: the bits of its rows
  const VIEW = "#view?"; // what an address has after it: the fields that are filled in, and the order

  function key(row, column, kind) {
    const words = row.cells[column] ? row.cells[column].textContent.trim() : "";
    const number = kind === "number" && words.match(/-?\d+([.,]\d+)?/);
    return kind === "number" ? (number ? Number(number[0].replace(",", ".")) : null) : words || null;
  }

  function sort(head, up = head.getAttribute("aria-sort") !== "ascending") {
    const column = heads.indexOf(head);
    const keys = new Map(order.map((row) => [row, key(row, column, head.dataset.sort)]));
    const numeric = head.dataset.sort === "number";
    order.sort((one, other) => {
      const a = keys.get(one), b = keys.get(other);
      if (a === null || b === null) return (a === null) - (b === null); // what is not there comes last
      return (up ? 1 : -1) * (numeric ? a - b : compare(a, b));
    });
    heads.forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.replaceChildren(...order);
    say(up ? says.ascending : says.descending, head.textContent.trim());
  }

  function ended(row, column, how) {
    const one = column && !["missing", "waiting"].includes(how); // these take the place of all exercises
    const cells = one ? [row.cells[column]] : Array.from(row.cells);
    return cells.some((cell) => cell && cell.classList.contains(how));
  }

  function filter() {
    const wanted = plain(text.value.trim());
    const bits = lists.get(who.value);
    first.forEach((row, i) => {
      const named = !wanted || searched.some((column) => plain(row.cells[column].textContent).includes(wanted));
      const listed = !bits || (bits.charCodeAt(i >> 3) >> (i & 7)) & 1;
      row.hidden = !(named && listed && (!outcome.value || ended(row, Number(exercise.value), outcome.value)));
    });
    say(says.shown);
  }

  function say(words, column) {
    const shown = first.filter((row) => !row.hidden).length;
    status.textContent = put(words, { shown, all: first.length, column });
  }

  function clear() {
    for (const each of Object.values(fields)) each.value = "";
    filter();
  }

  // An exercise is named by its title, not by its column, which another run may have elsewhere.
  const chosen = (field) => (field === exercise ? field.selectedOptions[0].text : field.value);

  function remember() {
    const view = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) view.set(name, chosen(field));
    const head = heads.find((each) => each.hasAttribute("aria-sort"));
    if (head) view.set(head.getAttribute("aria-sort"), head.textContent.trim());
    if (String(view)) history.replaceState(null, "", VIEW + view);
    else if (location.hash.startsWith(VIEW)) history.replaceState(null, "", "#submissions");
  }

  function recall() {
    if (!location.hash.startsWith(VIEW)) return;
    const view = new URLSearchParams(location.hash.slice(VIEW.length));
    clear();
    for (const [name, field] of Object.entries(fields)) field.value = view.get(name) || "";
    const title = view.get("exercise");
    const option = Array.from(exercise.options).find((each) => each.text === title);
    exercise.value = option ? option.value : "";
    for (const way of ["ascending", "descending"]) {
      const head = heads.find((each) => each.textContent.trim() === view.get(way));
      if (head) sort(head, way === "ascending");
    }
    filter();
    document.getElementById("submissions").scrollIntoView();
  }

  function offer(list) {
    const { kind, says: name } = list.dataset;
    const several = (n) => (n > 1 ? `${kind}: ${name} (${n})` : `${kind}: ${name}`);
    let n = 1;
    while (lists.has(several(n))) n += 1;
    const label = several(n);
    options.append(new Option("", label));
    lists.set(label, atob(list.dataset.who));
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = says.show;
    button.setAttribute("aria-label", put(says.these, { list: name }));
    button.addEventListener("click", () => {
      clear();
      who.value = label;
      filter();
      remember();
      document.getElementById("submissions").scrollIntoView();
      who.focus({ preventScroll: true });
    });
    list.append(" ", button);
  }

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => { sort(head); remember(); });
    head.append(button);
  }
  document.querySelectorAll("[data-who]").forEach(offer);
  for (const each of Object.values(fields)) each.addEventListener("input", () => { filter(); remember(); });
  tools.querySelector("button").addEventListener("click", () => { clear(); remember(); });
  clear();
  tools.hidden = false;
  recall();
  addEventListener("hashchange", recall);
})();

"use strict";
// Sorts and filters the table of submissions. All that it shows is in the page; without it, nothing is missing.
(() => {
  const table = document.querySelector("table.class");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const first = Array.from(body.rows); // the order that lists of rows refer to
  let order = first.slice();
  const tools = document.querySelector(".tools");
  const [text, exercise, outcome, who] = tools.querySelectorAll("input, select");
  const status = tools.querySelector("[role=status]");
  const says = tools.dataset; // what it says, in the page's language
  const put = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const compare = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare;
  const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const searched = heads.filter((head) => head.dataset.sort === "text").map((head) => heads.indexOf(head));
  const lists = new Map(); // an option's value: the bits of its rows

  function key(row, column, kind) {
    const words = row.cells[column] ? row.cells[column].textContent.trim() : "";
    const number = kind === "number" && words.match(/-?\d+([.,]\d+)?/);
    return kind === "number" ? (number ? Number(number[0].replace(",", ".")) : null) : words || null;
  }

  function sort(head) {
    const up = head.getAttribute("aria-sort") !== "ascending";
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
    const one = column && how !== "missing";
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
    for (const each of [text, exercise, outcome, who]) each.value = "";
    filter();
  }

  function offer(list, i) {
    const { kind, says: name } = list.dataset;
    const found = Array.from(who.querySelectorAll("optgroup")).find((each) => each.label === kind);
    const group = found || document.createElement("optgroup");
    group.label = kind;
    if (!found) who.append(group);
    const option = new Option(name, `list-${i}`);
    group.append(option);
    lists.set(option.value, atob(list.dataset.who));
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = says.show;
    button.setAttribute("aria-label", put(says.these, { list: name }));
    button.addEventListener("click", () => {
      clear();
      who.value = option.value;
      filter();
      document.getElementById("submissions").scrollIntoView();
      who.focus({ preventScroll: true });
    });
    list.append(" ", button);
  }

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head));
    head.append(button);
  }
  document.querySelectorAll("[data-who]").forEach(offer);
  for (const each of [text, exercise, outcome, who]) each.addEventListener("input", filter);
  tools.querySelector("button").addEventListener("click", clear);
  clear();
  tools.hidden = false;
})();

// Shows the page of a submission over the class's, and walks to the next one: in the order of the table, and
// among the rows that it shows. A student's own page holds no word of others. Without it, links are links.
(() => {
  const table = document.querySelector("table.class");
  if (!table) return;
  const words = document.querySelector(".tools").dataset;
  const make = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });
  const [view, bar, page] = [make("dialog"), make("div"), make("div")];
  const [previous, next, close] = [words.previous, words.next, words.back].map((each) => make("button", each));
  const [name, place, alone] = [make("h2"), make("span"), make("a", words.alone)];
  name.id = "walk";
  view.className = "walk";
  view.setAttribute("aria-labelledby", name.id);
  place.setAttribute("role", "status");
  bar.append(previous, next, place, name, alone, close);
  view.append(bar, page);
  table.closest("section").append(view);
  const linkOf = (row) => row.cells[0].querySelector("a");
  let row = null;
  let part = ""; // of the page: an exercise stays in sight from one student to the next

  function rowAt(distance) {
    const shown = Array.from(table.tBodies[0].rows).filter((each) => !each.hidden && linkOf(each));
    const at = shown.indexOf(row);
    const [n, all] = [at + 1, shown.length].map((each) => each.toLocaleString(document.documentElement.lang));
    place.textContent = words.place.replace("{n}", n).replace("{all}", all);
    return shown[at + distance];
  }

  function show(other) {
    row = other;
    const frame = document.createElement("iframe"); // a new one adds nothing to the browser's history
    alone.href = frame.src = linkOf(row).getAttribute("href") + part;
    frame.title = name.textContent = linkOf(row).textContent;
    page.replaceChildren(frame);
    previous.disabled = !rowAt(-1);
    next.disabled = !rowAt(1);
  }

  table.addEventListener("click", (event) => {
    const link = event.target.closest("tbody a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    part = link.hash;
    show(link.closest("tr"));
    view.showModal();
    history.pushState({ walk: true }, ""); // the browser's way back leads to the class
  });
  previous.addEventListener("click", () => show(rowAt(-1)));
  next.addEventListener("click", () => show(rowAt(1)));
  close.addEventListener("click", () => view.close());
  view.addEventListener("close", () => {
    page.replaceChildren();
    if (history.state && history.state.walk) history.back();
  });
  addEventListener("popstate", () => { if (view.open) view.close(); });
})();

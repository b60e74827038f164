"use strict";
// Copies a case as code. All that it copies is in the page; without it, the code can be selected.
(() => {
  const select = (code) => {
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  // Where the page has no secure address, a browser may have no clipboard but for what is selected.
  async function copy(code) {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      code.closest("details").open = true;
      select(code);
      return document.execCommand("copy");
    }
  }

  for (const button of document.querySelectorAll("button.copy")) {
    const words = button.textContent;
    const code = button.parentElement.querySelector("code");
    button.addEventListener("click", async () => {
      if (!(await copy(code))) return;
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = words; }, 2000);
    });
    button.hidden = false;
  }
})();

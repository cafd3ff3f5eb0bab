// Keys. Without this file every function is there as well: all of them are links, fields and buttons of forms.
"use strict";

const busy = () => document.body.dataset.busy === "1"; // what was pressed for one item must not reach the next
let prefix = "";

function isTyping(target) {
  return target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog[open]") !== null;
}

function use(element) {
  if (element.matches("textarea, select, input")) {
    element.focus();
  } else {
    element.click();
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isTyping(event.target)) {
    event.target.blur();
    return;
  }
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping(event.target)) {
    return;
  }
  if (event.key === " " && event.target.closest("button, summary, a, input, pre")) {
    return; // there, a space already means something
  }
  if (event.key === "g" && !prefix) {
    prefix = "g ";
    return;
  }
  const element = document.querySelector(`[data-key="${CSS.escape(prefix + event.key)}"]`);
  prefix = "";
  if (element && !busy()) {
    event.preventDefault();
    use(element);
  }
});

document.addEventListener("submit", () => {
  document.body.dataset.busy = "1";
});

const settled = () => {
  delete document.body.dataset.busy;
  const heading = document.querySelector("#main h1[tabindex]");
  if (heading) {
    heading.focus();
  }
};
for (const name of ["htmx:after:swap", "htmx:error", "pageshow"]) {
  (name === "pageshow" ? window : document).addEventListener(name, settled);
}

// Live: the server sends rows of the list, whose every text is escaped.
const live = document.getElementById("live");
if (live) {
  const source = new EventSource(live.dataset.live);
  source.addEventListener("message", (event) => {
    live.insertAdjacentHTML("afterbegin", event.data);
    while (live.children.length > 200) {
      live.lastElementChild.remove();
    }
  });
}

// Parts of a page that change: the server sends all of them when one is another. What holds the focus stays until it is
// left, so that nobody's typing or place is lost.
const fresh = document.querySelector("[data-fresh]");
if (fresh) {
  const known = new Map([...fresh.children].map((part) => [part.id, part.outerHTML]));
  const later = new Map();
  const show = (part, text) => {
    const old = document.getElementById(part.id);
    if (old.contains(document.activeElement)) {
      later.set(part.id, part);
      return;
    }
    known.set(part.id, text);
    later.delete(part.id);
    old.replaceWith(part);
  };
  const source = new EventSource(fresh.dataset.fresh);
  source.addEventListener("message", (event) => {
    const holder = document.createElement("template");
    holder.innerHTML = event.data;
    for (const part of [...holder.content.children]) {
      if (known.get(part.id) === part.outerHTML) {
        later.delete(part.id);
      } else {
        show(part, part.outerHTML);
      }
    }
  });
  document.addEventListener("focusout", () => {
    setTimeout(() => later.forEach((part) => show(part, part.outerHTML)));
  });
}

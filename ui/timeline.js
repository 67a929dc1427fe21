// The stored entries as a listbox. Everything stored is set as text, never as markup.
// Tells Python which entry was picked, by its id, and when Ctrl+Z was pressed outside of a text field.

const NEAR = 48; // pixels from the end of the list at which its newest row counts as in sight
const HEAD = 28; // pixels that the heading of a turn takes at the top of the list

const lists = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".list");
  let list = lists.get(root);
  if (!list) {
    list = create(root);
    lists.set(root, list);
  }
  list.pick = (id) => setTriggerValue("picked", { id });
  list.undo = () => setTriggerValue("undo", true);
  list.data = data;
  draw(list);
  return () => {
    document.removeEventListener("keydown", list.shortcut);
    list.resized.disconnect();
    clearTimeout(list.timer);
    lists.delete(root);
  };
}

function create(root) {
  const list = { root, drawn: null, selected: null, timer: 0, height: 0 };
  root.addEventListener("keydown", (event) => move(list, event));
  root.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (row) choose(list, row.dataset.entry, 0);
  });
  list.shortcut = (event) => {
    const plain = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!plain || event.key.toLowerCase() !== "z" || !list.data.can_undo || editing()) return;
    event.preventDefault();
    list.undo();
  };
  document.addEventListener("keydown", list.shortcut);
  list.resized = new ResizeObserver(() => keepInSight(list));
  list.resized.observe(root);
  return list;
}

// Cards and notices take their room from the list: what was in sight stays so, the newest row and the picked one. Where
// there is no room for both, the picked one.
function keepInSight(list) {
  const { root, height } = list;
  const row = current(list);
  const top = root.getBoundingClientRect().top + root.clientTop;
  const place = () => row.getBoundingClientRect();
  const seen = row && place().bottom > top && place().bottom - top <= height + 1;
  if (atEnd(list)) root.scrollTop = root.scrollHeight;
  if (seen) {
    // Heights are whole pixels, places are not: the last row may end a little below the list.
    const below = place().bottom - top - root.clientHeight;
    const above = top + HEAD - place().top;
    if (below > 0) root.scrollTop += below;
    else if (above > 0) root.scrollTop -= above;
  }
  list.height = root.clientHeight;
}

// Whether the newest row was in sight when the list had the height that was seen last.
function atEnd({ root, height }) {
  return root.scrollHeight - root.scrollTop - Math.max(height, root.clientHeight) < NEAR;
}

function editing() {
  let element = document.activeElement;
  while (element && element.shadowRoot) element = element.shadowRoot.activeElement;
  return !!element && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));
}

function draw(list) {
  const { root, data } = list;
  const { selected, ...rest } = data;
  const mark = JSON.stringify(rest);
  if (mark !== list.drawn) {
    const end = list.drawn === null || atEnd(list);
    const stayed = root.scrollTop;
    root.setAttribute("aria-label", data.label);
    const cut = data.none_sent || data.rows.some((row) => row.first_sent);
    root.setAttribute("aria-description", cut ? data.sent_words : "");
    root.replaceChildren(...groups(data));
    root.scrollTop = data.page === list.page && !end ? stayed : root.scrollHeight;
    list.drawn = mark;
    list.page = data.page;
    select(list, selected);
  } else if (selected !== list.selected) {
    select(list, selected);
    current(list)?.scrollIntoView({ block: "nearest" });
  }
}

// In one column the card of a picked row is below the window, and below a new key it is at the end of the panel:
// bring it in, once it is drawn.
function bringCard(tries = 20) {
  const narrow = matchMedia("(max-width: 640px)").matches;
  if (!narrow && !document.querySelector(".st-key-new_key_panel")) return;
  const card = document.querySelector(".st-key-detail");
  if (card) card.scrollIntoView({ block: narrow ? "start" : "nearest", behavior: "smooth" });
  else if (tries) setTimeout(bringCard, 100, tries - 1);
}

function groups(data) {
  const made = [];
  let group = null;
  let turn = null;
  for (const row of data.rows) {
    const begins = !group || row.turn !== turn;
    if (row.first_sent && begins) made.push(border(data.sent_words)); // above the heading of what is sent
    if (begins) {
      turn = row.turn;
      group = element("div", "turn");
      group.setAttribute("role", "group");
      if (row.turn) {
        group.setAttribute("aria-label", row.turn);
        const head = element("div", "head", row.turn);
        head.setAttribute("aria-hidden", "true");
        group.append(head);
      }
      made.push(group);
    }
    if (row.first_sent && !begins) group.append(border(data.sent_words));
    group.append(option(row));
  }
  if (data.none_sent) made.push(border(data.sent_words));
  return made;
}

// Only options may stand in a listbox: those who hear the page are told by the list's description.
function border(words) {
  const line = element("div", "sent", words);
  line.setAttribute("aria-hidden", "true");
  return line;
}

function option(row) {
  const made = element("div", "row");
  made.id = "entry-" + row.id;
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", "false");
  made.dataset.entry = row.id;
  made.dataset.kind = row.kind;
  made.dataset.state = row.state;
  if (row.unsent) made.dataset.unsent = "";
  const icon = element("i", "icon");
  icon.dataset.i = row.icon;
  icon.setAttribute("aria-hidden", "true");
  const line = element("div", "line");
  line.append(icon, element("b", "kind", row.word));
  if (row.agent) line.append(element("span", "agent", row.agent));
  if (row.flag) line.append(element("span", "flag", row.flag));
  const text = element("div", "text", row.text);
  text.dir = "auto";
  const body = element("div", "body");
  body.append(line, text);
  made.append(element("span", "number", row.number), body);
  return made;
}

function element(tag, name, text) {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

function options(list) {
  return [...list.root.querySelectorAll("[role=option]")];
}

function current(list) {
  return options(list).find((row) => row.dataset.entry === list.selected);
}

function select(list, id) {
  list.selected = null;
  for (const row of options(list)) {
    const yes = id !== null && row.dataset.entry === id;
    row.setAttribute("aria-selected", yes ? "true" : "false");
    if (yes) list.selected = id;
  }
  const row = current(list);
  if (row) list.root.setAttribute("aria-activedescendant", row.id);
  else list.root.removeAttribute("aria-activedescendant");
}

function choose(list, id, wait) {
  select(list, id);
  current(list)?.scrollIntoView({ block: "nearest" });
  clearTimeout(list.timer);
  // Held down, an arrow key moves on at once and tells the server where it came to rest.
  list.timer = setTimeout(() => {
    list.pick(id);
    if (id !== null) bringCard();
  }, wait);
}

function move(list, event) {
  const rows = options(list);
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.dataset.entry === list.selected);
  const last = rows.length - 1;
  const to = {
    ArrowDown: at < 0 ? 0 : Math.min(at + 1, last),
    ArrowUp: at < 0 ? last : Math.max(at - 1, 0),
    PageDown: Math.min(Math.max(at, 0) + 8, last),
    PageUp: at < 0 ? last : Math.max(at - 8, 0),
    Home: 0,
    End: last,
  }[event.key];
  if (event.key === "Escape" && list.selected) {
    event.preventDefault();
    choose(list, null, 0);
  } else if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    choose(list, rows[to].dataset.entry, 160);
  }
}

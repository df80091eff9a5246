// The viewer's own notes in this app's AppData: one key for each note, its value the JSON text
// {"text", "saved"}. A note saves itself when its writer pauses; unsaved text stays in its box.

const pauseMs = 800;
const limitBytes = 102_400; // of all keys and values of a member in one app
const full = 'Not saved: your notes are full (100 kB). Shorten or delete one.';

const element = (id) => document.getElementById(id);
const notes = new Map(); // by key
const deleted = new Map(); // deleted here, by key
let undoable; // the note deleted last, until the next action
let oldestFirst = false;
let stopWatching = () => {};

element('add').addEventListener('click', addNote);
element('undo').addEventListener('click', undoDelete);
element('retry').addEventListener('click', load);
document.addEventListener('visibilitychange', saveAll);
gadgets.util.registerOnLoadHandler(load);

function load() {
  say('Fetching your notes …');
  stopWatching();
  // Subscribed, not awaited: the first result may come from the cache, and changes elsewhere
  // follow.
  stopWatching = osapi.appdata.get({ userId: '@viewer' }).subscribe(
    (answer) => {
      const [stored = {}] = Object.values(answer);
      arrange(stored.preferences);
      absorb(stored);
      show('notebook');
    },
    (error) => {
      if (notes.size > 0) return; // keep the notes on screen
      if (error.code === 401) say('Sign in to keep notes. Nobody else can read them.');
      else say('Your notes could not be fetched just now. They are safe.', { retry: true });
    },
  );
}

/** Applies the viewer's choices of preferences.html. */
function arrange(text) {
  const { order, size } = preferencesIn(text);
  const list = element('notes');
  list.classList.toggle('large', size === 'large');
  if (oldestFirst === (order === 'oldest')) return;
  oldestFirst = !oldestFirst;
  list.append(...[...list.children].reverse());
}

function preferencesIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function put(item) {
  if (oldestFirst) element('notes').append(item);
  else element('notes').prepend(item);
}

/** Merges the stored notes without overwriting the writer's unsaved changes. */
function absorb(stored) {
  const entries = Object.entries(stored)
    .filter(([key]) => key.startsWith('note.') && !deleted.has(key))
    .map(([key, value]) => ({ key, ...parse(value) }))
    .sort((a, b) => a.saved.localeCompare(b.saved));
  for (const { key, text, saved } of entries) {
    const note = notes.get(key);
    if (!note) put(createNote({ key, text, saved }).item);
    else if (isUntouched(note) && saved > note.savedAt) fill(note, { text, saved });
  }
  for (const note of notes.values()) {
    if (isUntouched(note) && !note.savedHere && !Object.hasOwn(stored, note.key)) remove(note);
  }
  summarize();
}

function isUntouched({ box, stored, saving }) {
  return box.value === stored && !saving;
}

// Shows a value of another version as it is, rather than losing it.
function parse(value) {
  try {
    const { text, saved } = JSON.parse(value);
    return { text: String(text ?? ''), saved: String(saved ?? '') };
  } catch {
    return { text: value, saved: '' };
  }
}

function createNote({ key, text, saved, savedHere = false }) {
  const item = element('note').content.firstElementChild.cloneNode(true);
  const note = { key, item, box: item.querySelector('textarea'), savedHere, timer: undefined, saving: undefined };
  note.box.addEventListener('input', () => {
    clearTimeout(note.timer);
    note.timer = setTimeout(save, pauseMs, note);
    undoable = undefined;
    tell(note, 'Not saved yet');
  });
  note.box.addEventListener('blur', () => save(note));
  item.querySelector('.save').addEventListener('click', () => save(note));
  item.querySelector('.delete').addEventListener('click', () => deleteNote(note));
  notes.set(key, note);
  fill(note, { text, saved });
  return note;
}

function fill(note, { text, saved }) {
  note.box.value = text;
  note.stored = text;
  note.savedAt = saved;
  tell(note, saved && `Saved ${when(saved)}`);
}

function addNote() {
  const note = createNote({ key: newKey(), text: '', saved: '', savedHere: true });
  put(note.item);
  undoable = undefined;
  summarize();
  note.box.focus();
}

function newKey() {
  for (let time = Date.now(); ; time++) {
    const key = `note.${time.toString(36)}`;
    if (!notes.has(key)) return key;
  }
}

function saveAll() {
  if (document.hidden) for (const note of notes.values()) save(note).catch(reportError);
}

/** Saves the text of the box, and again until the box holds nothing newer. */
async function save(note) {
  clearTimeout(note.timer);
  if (note.saving || note.box.value === note.stored || !notes.has(note.key)) return;
  note.saving = store(note);
  const failure = await note.saving;
  note.saving = undefined;
  if (failure) tell(note, failure, { failed: true });
  else if (note.box.value === note.stored) tell(note, `Saved ${when(note.savedAt)}`);
  else return save(note);
  summarize();
}

/** Resolves with an error message for the writer, or with nothing when the note is stored. */
async function store(note) {
  const text = note.box.value;
  const saved = new Date().toISOString();
  if (bytesUsed() > limitBytes) return full;
  tell(note, 'Saving …');
  try {
    await osapi.appdata.update({ userId: '@viewer', data: { [note.key]: JSON.stringify({ text, saved }) } });
    Object.assign(note, { stored: text, savedAt: saved, savedHere: true });
    return undefined;
  } catch (error) {
    if (error.code === 400 || error.code === 413) return full;
    if (error.code === 401) return 'Not saved: you are signed out. Your text stays here.';
    return 'Not saved: the site did not answer. Your text stays here.';
  }
}

async function deleteNote(note) {
  clearTimeout(note.timer);
  note.item.inert = true;
  tell(note, 'Deleting …');
  deleted.set(note.key, note); // only Undo brings it back now
  notes.delete(note.key);
  await note.saving;
  try {
    await osapi.appdata.delete({ userId: '@viewer', keys: [note.key] });
  } catch {
    deleted.delete(note.key);
    notes.set(note.key, note);
    note.item.inert = false;
    tell(note, 'Not deleted: the site did not answer.');
    return;
  }
  remove(note);
  undoable = note;
  summarize();
  element('undo').focus();
}

function remove(note) {
  notes.delete(note.key);
  note.item.remove();
}

async function undoDelete() {
  const { key, box } = undoable;
  undoable = undefined;
  deleted.delete(key);
  const note = createNote({ key, text: '', saved: '', savedHere: true });
  note.box.value = box.value;
  put(note.item);
  note.box.focus();
  await save(note);
}

function summarize() {
  const used = bytesUsed() / limitBytes;
  const count = notes.size === 0 ? 'No notes yet.' : notes.size === 1 ? '1 note' : `${notes.size} notes`;
  const space = used > 0.5 ? `, ${Math.round(used * 100)} % of your space` : '';
  element('summary').textContent = undoable ? 'Note deleted.' : count + space;
  element('undo').hidden = !undoable;
  gadgets.window.adjustHeight();
}

function bytesUsed() {
  const values = [...notes.values()].map(
    ({ key, box, savedAt }) => key + JSON.stringify({ text: box.value, saved: savedAt }),
  );
  return new TextEncoder().encode(values.join('')).length;
}

function tell({ item }, text, { failed = false } = {}) {
  item.querySelector('.state').textContent = text;
  item.classList.toggle('failed', failed);
  item.querySelector('.save').hidden = !failed;
  gadgets.window.adjustHeight();
}

function when(iso) {
  const date = new Date(iso);
  const today = date.toDateString() === new Date().toDateString();
  return today
    ? `at ${date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`
    : `on ${date.toLocaleDateString([], { day: 'numeric', month: 'long' })}`;
}

function say(text, { retry = false } = {}) {
  element('message').textContent = text;
  show('message');
  element('retry').hidden = !retry;
  gadgets.window.adjustHeight();
}

function show(id) {
  for (const part of ['message', 'notebook']) element(part).hidden = part !== id;
  element('retry').hidden = true;
  gadgets.window.adjustHeight();
}

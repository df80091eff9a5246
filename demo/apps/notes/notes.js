// The viewer's own notes, kept in this app's AppData: one key a note, its value the JSON text {"text", "saved"}.
// A note saves itself when its writer pauses; what could not be saved stays in its box until it can.

const pauseMs = 800;
const limitBytes = 102_400; // of all keys and values of a member in one app

const element = (id) => document.getElementById(id);
const notes = new Map(); // by key

element('add').addEventListener('click', addNote);
element('undo').addEventListener('click', undoDelete);
element('retry').addEventListener('click', load);
document.addEventListener('visibilitychange', saveAll);
gadgets.util.registerOnLoadHandler(load);

let deleted; // the last one, for Undo

async function load() {
  say('Fetching your notes …');
  try {
    const [stored = {}] = Object.values(await osapi.appdata.get({ userId: '@viewer' }));
    const found = Object.entries(stored).filter(([key]) => key.startsWith('note.'));
    const newestFirst = found
      .map(([key, value]) => ({ key, ...parse(value) }))
      .sort((a, b) => b.saved.localeCompare(a.saved));
    notes.clear();
    element('notes').replaceChildren(...newestFirst.map((note) => createNote(note).item));
    summarize();
    show('notebook');
  } catch (error) {
    if (error.code === 401) say('Sign in to keep notes. Nobody else can read them.');
    else say('Your notes could not be fetched just now. They are safe.', { retry: true });
  }
}

// A value that another version wrote is shown as it is rather than lost.
function parse(value) {
  try {
    const { text, saved } = JSON.parse(value);
    return { text: String(text ?? ''), saved: String(saved ?? '') };
  } catch {
    return { text: value, saved: '' };
  }
}

function createNote({ key, text, saved }) {
  const item = element('note').content.firstElementChild.cloneNode(true);
  const note = { key, item, box: item.querySelector('textarea'), stored: text, timer: undefined, saving: undefined };
  note.box.value = text;
  note.box.addEventListener('input', () => {
    clearTimeout(note.timer);
    note.timer = setTimeout(save, pauseMs, note);
    tell(note, 'Not saved yet');
    gadgets.window.adjustHeight();
  });
  note.box.addEventListener('blur', () => save(note));
  item.querySelector('.save').addEventListener('click', () => save(note));
  item.querySelector('.delete').addEventListener('click', () => deleteNote(note));
  tell(note, saved && `Saved ${when(saved)}`);
  notes.set(key, note);
  return note;
}

function addNote() {
  const note = createNote({ key: newKey(), text: '', saved: '' });
  element('notes').prepend(note.item);
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
  if (document.hidden) for (const note of notes.values()) save(note);
}

/** Saves what is in the box, and again until the box holds nothing newer. */
async function save(note) {
  clearTimeout(note.timer);
  if (note.saving || note.box.value === note.stored || !notes.has(note.key)) return;
  note.saving = store(note);
  const failure = await note.saving;
  note.saving = undefined;
  if (failure) tell(note, failure, { failed: true });
  else if (note.box.value === note.stored) tell(note, `Saved ${when(new Date().toISOString())}`);
  else save(note);
  summarize();
}

/** Resolves to what went wrong, as text for the writer; to nothing when it is stored. */
async function store(note) {
  const text = note.box.value;
  if (bytesUsed() > limitBytes) return 'Not saved: your notes are full (100 kB). Shorten or delete one.';
  tell(note, 'Saving …');
  try {
    await osapi.appdata.update({ userId: '@viewer', data: { [note.key]: value(text) } });
    note.stored = text;
    return undefined;
  } catch (error) {
    if (error.code === 401) return 'Not saved: you are signed out. Your text stays here.';
    return 'Not saved: the site did not answer. Your text stays here.';
  }
}

async function deleteNote(note) {
  clearTimeout(note.timer);
  notes.delete(note.key); // from here on nothing saves it
  note.item.inert = true;
  tell(note, 'Deleting …');
  await note.saving;
  try {
    await osapi.appdata.delete({ userId: '@viewer', keys: [note.key] });
  } catch {
    notes.set(note.key, note);
    note.item.inert = false;
    return tell(note, 'Not deleted: the site did not answer.');
  }
  note.item.remove();
  deleted = note;
  summarize('Note deleted.');
  element('undo').hidden = false;
  element('undo').focus();
}

async function undoDelete() {
  const note = createNote({ key: deleted.key, text: deleted.box.value, saved: '' });
  note.stored = undefined; // so that it counts as new
  element('notes').prepend(note.item);
  note.box.focus();
  await save(note);
}

function summarize(text = undefined) {
  const used = bytesUsed() / limitBytes;
  const count = notes.size === 1 ? '1 note' : `${notes.size} notes`;
  const space = used > 0.5 ? `, ${Math.round(used * 100)} % of your space` : '';
  element('summary').textContent = text ?? (notes.size === 0 ? 'No notes yet.' : count + space);
  element('undo').hidden = true;
  gadgets.window.adjustHeight();
}

function bytesUsed() {
  const all = [...notes.values()].map(({ key, box }) => key + value(box.value)).join('');
  return new TextEncoder().encode(all).length;
}

function value(text) {
  return JSON.stringify({ text, saved: new Date().toISOString() });
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
}

function show(id) {
  for (const part of ['message', 'notebook']) element(part).hidden = part !== id;
  element('retry').hidden = true;
  gadgets.window.adjustHeight();
}

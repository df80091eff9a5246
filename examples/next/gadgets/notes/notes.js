// Each note is one value of the member's AppData, under a key that sorts by the time it was
// written.
const form = document.getElementById('form');
const text = document.getElementById('text');
const status = document.getElementById('status');
const list = document.getElementById('notes');

// Calls back again when a note changes, in this gadget or in another tab.
osapi.appdata.get().subscribe(
  (data) => {
    const [notes = {}] = Object.values(data); // by member; there is one
    const keys = Object.keys(notes)
      .filter((key) => key.startsWith('note.'))
      .sort();
    list.replaceChildren(...keys.map((key) => noteItem(key, notes[key])));
  },
  (error) => report({ error }),
);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  osapi.appdata.update({ data: { [`note.${Date.now()}`]: text.value } }).execute(report);
  form.reset();
});

function noteItem(key, note) {
  const item = document.createElement('li');
  const words = document.createElement('span');
  words.textContent = note;
  const remove = document.createElement('button');
  remove.textContent = 'Delete';
  remove.setAttribute('aria-label', `Delete: ${note}`);
  remove.onclick = () => osapi.appdata.delete({ keys: [key] }).execute(report);
  item.append(words, remove);
  return item;
}

function report(result) {
  status.textContent = result.error?.message ?? '';
}

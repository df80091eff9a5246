// The member chooser: opens, filters and navigates a list that the server rendered. Choosing
// submits an ordinary form.

const foldings = { ø: 'o', ł: 'l', đ: 'd', þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss', '’': "'" };
const dialog = document.getElementById('chooser');
const filter = document.getElementById('filter');
const summary = document.getElementById('found');
const rows = [...document.querySelectorAll('#member-list li')].map((item) => ({
  item,
  button: item.querySelector('button'),
  text: plain(item.textContent),
}));

document.getElementById('choose')?.addEventListener('click', open);
document.getElementById('close-chooser')?.addEventListener('click', () => dialog.close());
dialog?.addEventListener('click', (event) => event.target === dialog && dialog.close()); // the backdrop
dialog?.addEventListener('keydown', walk);
filter?.addEventListener('input', narrow);

function open() {
  filter.value = '';
  narrow();
  dialog.showModal();
  filter.focus();
  dialog.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
}

function narrow() {
  const words = plain(filter.value).split(/\s+/).filter(Boolean);
  for (const { item, text } of rows) item.hidden = !words.every((word) => text.includes(word));
  const count = visible().length;
  summary.textContent = count === 0 ? 'Nobody of that name' : count === 1 ? '1 member' : `${count} members`;
}

// `Ødegård` is found as `odegard`, and so is `Straße` as `strasse`.
function plain(text) {
  const decomposed = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return decomposed.replace(/[øłđþæœß’]/g, (char) => foldings[char]).trim();
}

function walk(event) {
  const list = visible();
  const at = list.indexOf(document.activeElement);
  if (event.key === 'Enter' && event.target === filter) {
    event.preventDefault();
    list[0]?.click();
  } else if (event.key === 'ArrowDown') {
    event.preventDefault();
    list[Math.min(at + 1, list.length - 1)]?.focus();
  } else if (event.key === 'ArrowUp') {
    event.preventDefault();
    (at > 0 ? list[at - 1] : filter).focus();
  }
}

function visible() {
  return rows.filter(({ item }) => !item.hidden).map(({ button }) => button);
}

import { type Board, type Friend, initialOf, saveNote, signedOut, watchBoard } from './board.ts';

const form = element('form', HTMLFormElement);
const note = element('note', HTMLInputElement);
const status = element('status', HTMLElement);
const friends = element('friends', HTMLUListElement);
const empty = element('empty', HTMLElement);
const retry = element('retry', HTMLButtonElement);
const template = element('friend', HTMLTemplateElement);

let stop = watchBoard(show, fail);

retry.onclick = () => {
  stop();
  retry.hidden = true;
  status.textContent = 'Fetching friends …';
  stop = watchBoard(show, fail);
};

form.onsubmit = async (event) => {
  event.preventDefault();
  status.textContent = await saveNote(note.value);
};

// A saved file replaces its code in the page: what is written in the form stays.
import.meta.hot?.accept();
import.meta.hot?.dispose(() => stop());

function show(board: Board): void {
  if (form.hidden) {
    status.textContent = '';
    note.value = board.note; // once: what is being written stays
  }
  form.hidden = false;
  retry.hidden = true;
  empty.hidden = board.friends.length > 0;
  friends.replaceChildren(...board.friends.map(row));
}

function fail(words: string): void {
  status.textContent = words;
  retry.hidden = words === signedOut;
}

// Members write text: it is never put on the page as HTML.
function row({ name, picture, note }: Friend): Node {
  const item = template.content.cloneNode(true) as DocumentFragment;
  const image = item.querySelector('img');
  image?.before(initialOf(name));
  if (image && picture) {
    image.src = picture;
    image.hidden = false;
    image.onerror = () => image.remove(); // the letter below it stays
  }
  item.querySelector('.name')?.append(name);
  item.querySelector('.said')?.append(note);
  return item;
}

function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${kind.name} with the id ${id}.`);
}

import { html } from 'hono/html';
import type { Html } from '../messages/html.ts';
import type { ItemRequest } from '../request/page-request.ts';
import { paths } from './paths.ts';

/** Renders the form that adds photos to an album. The page may have `uploadScript`. */
export function uploadForm({ context, formOwner: owner, id, settings, texts }: ItemRequest): Html {
  const megabytes = settings.photoMegabytes;
  const action = paths.upload(id);
  const scriptTexts = JSON.stringify({
    adding: texts.say('upload.adding', { number: '{number}', total: '{total}' }),
    added: texts.say('upload.added'),
    done: texts.say('upload.done', { added: '{added}', total: '{total}' }),
    failed: texts.say('upload.failed'),
    offline: texts.say('upload.offline'),
    larger: texts.say('image_too_large', { megabytes }),
  });
  return html`<section class="card" aria-labelledby="add"><header><h2 id="add">${texts.say('upload.add')}</h2>
<p id="add-note" class="muted small">${texts.say('upload.formats', { megabytes })}</p></header>
<form class="fields" id="upload" method="post" action="${action}" enctype="multipart/form-data" data-most="${megabytes}" data-album="${paths.album(id)}" data-texts="${scriptTexts}">${context.forms.field({ owner, action })}
<div class="field"><label for="files">${texts.say('nav.photos')}</label><input id="files" name="photos" type="file" accept="image/jpeg,image/png,image/webp,image/gif" multiple required aria-describedby="add-note"></div>
<div class="actions"><button>${texts.say('upload.add')}</button></div></form>
<p id="upload-state" role="status" hidden></p>
<ul id="upload-list" class="uploads" hidden></ul>
<div class="actions" id="upload-done" hidden><a class="button" href="${paths.album(id)}">${texts.say('upload.show')}</a></div></section>`;
}

/** Sends the chosen photos one after another and shows the progress of each. */
export const uploadScript = `
const form = document.getElementById('upload');
const list = document.getElementById('upload-list');
const state = document.getElementById('upload-state');
const done = document.getElementById('upload-done');
const most = Number(form.dataset.most) * 1048576;
const texts = JSON.parse(form.dataset.texts);
const fill = (text, values) => text.replace(/\\{(\\w+)\\}/g, (_, name) => values[name]);

function send(file, progress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('PUT', form.action + '?' + new URLSearchParams({ name: file.name }));
    request.setRequestHeader('x-form-token', form.elements.form_token.value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => { progress.max = total; progress.value = loaded; };
    request.upload.onload = () => progress.removeAttribute('value');
    request.onload = () => resolve(request.status === 201 ? undefined : request.response?.error?.message ?? texts.failed);
    request.onerror = () => resolve(texts.offline);
    request.send(file);
  });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const files = [...form.elements.photos.files];
  const button = form.querySelector('button');
  button.disabled = true;
  list.replaceChildren();
  list.hidden = state.hidden = false;
  done.hidden = true;
  const rows = files.map((file) => {
    const row = document.createElement('li');
    const name = document.createElement('bdi');
    name.textContent = file.name;
    const progress = document.createElement('progress');
    progress.value = 0;
    progress.setAttribute('aria-label', file.name);
    row.append(name, progress);
    list.append(row);
    return { file, row, progress };
  });
  let added = 0;
  for (const [index, { file, row, progress }] of rows.entries()) {
    state.textContent = fill(texts.adding, { number: index + 1, total: files.length });
    const problem = file.size > most ? texts.larger : await send(file, progress);
    const result = document.createElement('span');
    result.textContent = problem ?? texts.added;
    result.className = problem === undefined ? 'muted' : 'wrong';
    progress.replaceWith(result);
    if (problem === undefined) added++;
  }
  if (added === files.length) {
    location.assign(form.dataset.album + '?added=' + added);
    return;
  }
  state.textContent = fill(texts.done, { added, total: files.length });
  done.hidden = added === 0;
  button.disabled = false;
  form.reset();
});
`;

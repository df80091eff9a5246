/**
 * Sends the chosen photos one after another and shows how far each is. Without it, the browser sends the form as a whole.
 */
export const uploadScript = `
const form = document.getElementById('upload');
const list = document.getElementById('upload-list');
const state = document.getElementById('upload-state');
const done = document.getElementById('upload-done');
const most = Number(form.dataset.most) * 1048576;

function send(file, progress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('PUT', form.action + '?' + new URLSearchParams({ name: file.name }));
    request.setRequestHeader('x-form-token', form.elements.form_token.value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => { progress.max = total; progress.value = loaded; };
    request.upload.onload = () => progress.removeAttribute('value');
    request.onload = () => resolve(request.status === 201 ? undefined : request.response?.error?.message ?? 'That did not work.');
    request.onerror = () => resolve('The connection broke off. Try again.');
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
    state.textContent = 'Adding photo ' + (index + 1) + ' of ' + files.length + ' …';
    const problem = file.size > most ? 'This photo is larger than ' + form.dataset.most + ' MB.' : await send(file, progress);
    const result = document.createElement('span');
    result.textContent = problem ?? 'Added';
    result.className = problem === undefined ? 'muted' : 'wrong';
    progress.replaceWith(result);
    if (problem === undefined) added++;
  }
  if (added === files.length) {
    location.assign(form.dataset.album + '?added=' + added);
    return;
  }
  state.textContent = added + ' of ' + files.length + ' photos added.';
  done.hidden = added === 0;
  button.disabled = false;
  form.reset();
});
`;

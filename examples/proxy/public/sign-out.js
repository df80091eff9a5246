import { purge } from '/gantry/container.js';

// Without this script the form signs the member out, too; with it nothing of theirs stays in the browser, in any tab.
const form = document.getElementById('sign-out');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { ok } = await fetch(form.action, { method: 'POST' });
  if (ok) await purge();
  location.assign('/');
});

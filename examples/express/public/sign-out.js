import { purge } from '/gantry/container.js';

// Clears the member's data in this browser, in all tabs. Without this script the form still signs
// out.
const form = document.getElementById('sign-out');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { ok } = await fetch(form.action, { method: 'POST' });
  if (ok) await purge();
  location.assign('/');
});

import { purge } from '/gantry/container.js';

// The token of the signed-in member lasts five minutes: renew it while the page stays open.
const refresh = () => fetch('/refresh-viewer', { method: 'POST' });
setInterval(refresh, 240_000);
document.addEventListener('visibilitychange', () => document.hidden || refresh());

// A sign-out also clears the cached data of gadgets in this browser, in all tabs.
document.getElementById('sign-out').addEventListener('submit', async (event) => {
  event.preventDefault();
  await fetch('/sign-out', { method: 'POST' });
  await purge();
  location.replace('/');
});

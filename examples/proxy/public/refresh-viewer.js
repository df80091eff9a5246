// The token that names the member to Gantry lasts five minutes.
setInterval(() => fetch('/refresh-viewer', { method: 'POST' }), 240_000);

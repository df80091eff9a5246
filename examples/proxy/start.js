// Starts both servers for a trial: the site, and the `gantry proxy` behind it. In production each
// is a service of its own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { data } from './database.js';
import { openSite } from './site.js';

process.loadEnvFile(join(data, 'viewer.env'));
const port = Number(process.env.PORT ?? 3000);
const proxyPort = Number(process.env.GANTRY_PORT ?? 4400);
const url = `http://localhost:${port}`;
const api = `http://127.0.0.1:${port}`;

const site = await openSite({ port, url, api, gantry: { host: '127.0.0.1', port: proxyPort } });
const flags = ['--upstream', `${api}/social/rest`, '--url', url, '--port', String(proxyPort)];
const proxy = spawn('node_modules/.bin/gantry', ['proxy', ...flags, '--data', join(data, 'gantry')], {
  cwd: import.meta.dirname,
  stdio: ['ignore', 'pipe', 'inherit'],
});
proxy.stdout.once('data', () => console.log(`Listening on ${url}`));
proxy.once('exit', (code) => {
  site.close();
  process.exitCode = code ?? 1;
});
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => proxy.kill('SIGTERM'));

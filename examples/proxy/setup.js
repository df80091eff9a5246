// One-time setup: the shared key, a consumer of the site for each app, and the apps' registration
// in Gantry.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, openDatabase } from './database.js';
import { fillMembers } from './members.js';

const db = openDatabase();
await fillMembers(db);
const key = join(data, 'viewer.env');
if (!existsSync(key)) {
  writeFileSync(key, `GANTRY_VIEWER_KEY=${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
}
// Two gadgets to begin with. They are yours: a copy that exists is left alone.
const starters = join(import.meta.dirname, 'node_modules/@gantry/cli/starters');
cpSync(starters, join(import.meta.dirname, 'gadgets'), { recursive: true, force: false });
for (const app of ['friends', 'notes']) {
  db.prepare('insert or ignore into consumer values (?, ?, ?)').run(
    `gantry-${app}`,
    randomBytes(32).toString('base64url'),
    app,
  );
  const consumer = db.prepare('select key, secret from consumer where app = ?').get(app);
  const args = ['app', 'add', `gadgets/${app}`, '--id', app, '--update', '--key', consumer.key];
  const { status } = spawnSync('node_modules/.bin/gantry', args, {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    // In the environment, since every process of the machine can read a command line.
    env: { ...process.env, GANTRY_DATA: join(data, 'gantry'), GANTRY_APP_SECRET: consumer.secret },
  });
  if (status !== 0) process.exit(1);
}
db.close();

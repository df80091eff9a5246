import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageJson, type Stranger, sites, stranger } from './stranger.ts';

/** Writes what `gantry init` shows, and resolves with its lines about insertions and next steps. */
async function init(site: Stranger, ...args: string[]): Promise<string> {
  const { code, out, err } = await site.init('--yes', ...args);
  expect([code, err]).toEqual([0, '']);
  return out.slice(out.indexOf('Insert by hand'));
}

const commaFirst = `var express = require('express')
  , routes = require('./routes')
  , http = require('http')
  , app = express();

app.configure(function () {
  app.set('port', process.env.PORT || 4000);
  app.use(express.bodyParser());
  app.use(express.session({ secret: 'x' }));
});
app.post('/sign-in', function (req, res) { req.session.user = 'ada'; res.end(); });
http.createServer(app).listen(app.get('port'));
`;

test('CommonJS with commas first: the lines are for the owner, until they are there', async () => {
  const site = stranger({ 'app.js': commaFirst, 'package.json': packageJson({ dependencies: { express: '3' } }) });
  const out = await init(site);
  expect(out).toContain(
    `Insert by hand at app.js:9, after the session and before what reads bodies (no one statement makes the one app):
  app.use(require('./gantry.js').gantryListener);`,
  );
  expect(out).toContain('Next:\n  insert the lines above at app.js:9\n  npm install');
  expect(out).toContain('Then open http://localhost:4000/gadgets.html.');
  expect(site.read('app.js')).toBe(commaFirst);
  expect(site.read('gantry.js')).toContain('request?.session?.user; // a guess: request.session.user, as in app.js:11');
  expect(await init(site)).toContain('Nothing to write.');
  const done = stranger({
    ...{ 'app.js': `${commaFirst}app.use(require('./gantry').gantryListener);`, 'gantry.js': site.read('gantry.js') },
    'package.json': site.read('package.json'),
  });
  expect((await done.init('--yes')).out).not.toContain('Insert by hand');
});

test('bin/www: the app’s file gets one line, and the port is that of bin/www', async () => {
  const site = stranger({
    'app.js': `var express = require('express');\nvar path = require('path');\n\nvar app = express();\n\napp.use(express.json());\napp.use(express.static(path.join(__dirname, 'public')));\n\nmodule.exports = app;\n`,
    'bin/www': `#!/usr/bin/env node\nvar app = require('../app');\nvar http = require('http');\nvar port = normalizePort(process.env.PORT || '3007');\napp.set('port', port);\nvar server = http.createServer(app);\nserver.listen(port);\n`,
    'package.json': packageJson({ scripts: { start: 'node ./bin/www' }, dependencies: { express: '4' } }),
  });
  const before = site.read('bin/www');
  const { code, out } = await site.init('--yes');
  expect(code).toBe(0);
  expect(out).toContain('http://localhost:3007/gadgets.html');
  expect(site.read('app.js')).toContain(
    "var app = express();\napp.use(require('./gantry.js').gantryListener);\n\napp.use(express.json",
  );
  expect(site.read('bin/www')).toBe(before);
});

test('npm workspaces: the folder that starts the site is named, and there it works', async () => {
  const site = stranger({
    'package.json': packageJson({ workspaces: ['packages/*'] }),
    'packages/web/package.json': packageJson({ type: 'module', dependencies: { express: '5' } }),
    'packages/web/src/server.js': sites.esm,
  });
  const { code, err } = await site.init('--yes');
  expect([code, err]).toEqual([
    2,
    `packages/web/src/server.js is started in packages/web, which has a package.json of its own. Run gantry init ${join(site.folder, 'packages/web')} --entry src/server.js.`,
  ]);
  expect(site.read('packages/web/src/server.js')).toBe(sites.esm);
  expect(await site.initBelow('packages/web', '--yes', '--entry', 'src/server.js')).toMatchObject({ code: 0, err: '' });
  expect(site.read('packages/web/src/server.js')).toContain('app.use(gantryListener);');
  expect(site.read('package.json')).not.toContain('@gantry');
});

test('Fastify: its server is made before Gantry could be, so the owner makes it', async () => {
  const text = `import Fastify from 'fastify';\n\nconst app = Fastify({ logger: true });\nawait app.listen({ port: 3210 });\n`;
  const site = stranger({ 'server.mjs': text, 'package.json': packageJson({ dependencies: { fastify: '5' } }) });
  const out = await init(site, '--data', join(site.folder, '.gantry'));
  expect(out).toContain(`Insert by hand at server.mjs:3, as an option of Fastify(…), with createServer of node:http:
  import { addGantry } from './gantry.mjs';
  serverFactory: (handler) => addGantry(createServer(handler)),`);
  expect(out).toContain('http://localhost:3210/gadgets.html');
  expect(site.read('server.mjs')).toBe(text);
});

test('PHP without an index: its files stay, and the sign-out is named', async () => {
  const files = {
    'login.php': `<?php\nsession_start();\n$_SESSION['uid'] = 7;\n`,
    'inc/out.php': `<?php session_destroy();\n`,
  };
  const site = stranger(files);
  const { out } = await site.init('--yes', '--data', `${site.folder}-home/keys`);
  expect(out).toContain(`Insert by hand at inc/out.php:1, at the sign-out:
  require_once __DIR__ . '/../gantry-viewer.php';
  gantry_send_viewer(null);`);
  expect(out).toContain("gadgets.php takes the signed-in member by a guess: $_SESSION['uid'], as in login.php:3.");
  for (const [path, text] of Object.entries(files)) expect(site.read(path)).toBe(text);
});

test('Flask: its file stays, and gets the lines once', async () => {
  const site = stranger({
    'shop/__init__.py': `import flask\n\ndef make():\n    site = flask.Flask(__name__)\n    return site\n`,
  });
  const out = await init(site);
  expect(out).toContain(`Insert by hand at shop/__init__.py:4, after the app is made:
  from .gantry_viewer import add_gantry
  add_gantry(site)`);
});

const listens = (port: string) => `const express = require('express');
const app = express();
app.listen(${port});
`;
const started = (start: string) => packageJson({ scripts: { start, serve: 'node dist/main.js' } });

test.each<[string, number, Record<string, string>]>([
  ['a command', 9090, { 'app.js': listens('process.env.PORT'), 'package.json': started('PORT=9090 node app.js') }],
  [
    'a file that is imported',
    8181,
    {
      'app.js': `const { port } = require('./config');\n${listens('port')}`,
      'config/index.js': `module.exports = { database: { port: 5432 }, smtpPort: 2525, port: process.env.PORT || 8181 };`,
      'package.json': started('node .'),
    },
  ],
  [
    'the source of what is built, by another script',
    7070,
    {
      'src/app.ts': `import express from 'express';\nexport const app = express();\n`,
      'src/main.ts': `import { start } from './start.js';\nstart();\n`,
      'src/start.ts': `import { app } from './app.js';\nexport const start = () => app.listen(7070);\n`,
      'other.js': `require('http').createServer().on('x', () => {}).listen(6060);\n`,
      'package.json': started('npm run serve'),
    },
  ],
])('the port is looked for where the script start leads: %s', async (_, port, files) => {
  const { out } = await stranger(files).init('--dry-run', '--json', '--framework', 'express');
  expect(JSON.parse(out).url).toBe(`http://localhost:${port}`);
  expect(out).not.toContain('No port was found');
});

test('a port that is found nowhere is said, and is a guess', async () => {
  const site = stranger({ 'app.js': listens('process.env.PORT'), 'package.json': started('node app.js') });
  const note = /No port was found, .*: http:\/\/localhost:3000 is a guess\. .*get 421 and an empty page\. .* --url/;
  const { out } = await site.init('--yes', '--json');
  expect(JSON.parse(out).notes).toEqual([expect.stringMatching(note), expect.stringContaining('No session was found')]);
  const named = await site.init('--dry-run', '--url', 'http://localhost:5000');
  expect(named.out).not.toContain('No port was found');
});

test.each([
  ['in the file of the app', `const passport = require('passport');\napp.use(passport.authenticate('session'));\n`, {}],
  [
    'in another file',
    `require('./auth')(app);\n`,
    { 'auth.js': `const auth = require('passport');\nmodule.exports = (app) => app.use(auth.session());\n` },
  ],
])('the user of Passport %s is the member, by a guess', async (_, use, files) => {
  const text = `const express = require('express');\nconst app = express();\n${use}app.listen(8000);\n`;
  const site = stranger({ 'app.js': text, 'package.json': started('node app.js'), ...files });
  const { out } = await site.init('--yes');
  expect(out).toContain('takes the signed-in member by a guess: Passport');
  expect(site.read('gantry.js')).toContain("const id = request?.user?.id; // a guess: Passport's user");
  if ('auth.js' in files) expect(out).toContain('Insert by hand at app.js:2');
  else
    expect(site.read('app.js')).toContain("authenticate('session'));\napp.use(require('./gantry.js').gantryListener);");
});

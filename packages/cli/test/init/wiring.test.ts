import { describe, expect, test } from 'vitest';
import { wireExpress } from '../../src/init/express.ts';
import type { Wiring } from '../../src/init/insert-line.ts';
import { wireHttp } from '../../src/init/node-http.ts';
import { moduleForm } from '../../src/init/node-source.ts';
import { readProject } from '../../src/project/project.ts';
import { parseScript, type Script } from '../../src/project/script.ts';
import { packageJson, sites, stranger } from './stranger.ts';

/** Wires one file of a project. */
function wire(path: string, text: string, { files = {}, hasKey = false } = {}): Wiring {
  const project = readProject(stranger({ [path]: text, ...files }).folder);
  const script = parseScript(path, text) as Script;
  const form = moduleForm(project, script);
  return text.includes('express') ? wireExpress(script, form, hasKey) : wireHttp(script, form);
}

const wired = (path: string, text: string, options = {}) => wire(path, text, options).after;
const added = (before: string, after: string) => after.split('\n').filter((line) => !before.split('\n').includes(line));

describe('gantry init inserts one line into an Express app (site owner’s guide)', () => {
  test('the line comes after the session, which names the member, and its import after the last one', () => {
    const lines = wired('server.js', sites.esm, { hasKey: true }).split('\n');
    expect(lines.slice(2, 7)).toEqual([
      "import { gantryListener } from './gantry.js';",
      ...['', 'const app = express();'],
      "app.use(session({ secret: 'x', resave: false, saveUninitialized: false }));",
      'app.use(gantryListener);',
    ]);
  });

  test('right after the app is made where there is no session, and without an import in CommonJS', () => {
    const line = "app.use(require('./gantry.js').gantryListener);";
    expect(added(sites.commonjs, wired('index.js', sites.commonjs))).toEqual([line]);
    expect(wired('a.cjs', `const app = require('express')(); // mine`)).toBe(
      `const app = require('express')(); // mine\napp.use(require('./gantry.cjs').gantryListener);`,
    );
  });

  test('below a session over many lines, in a function, and of Passport', () => {
    const long = `import web from 'express';\nimport sessions from 'cookie-session';\nexport function make() {\n  const site = web();\n  site.set('a', 1);\n  site.use(\n    sessions({\n      secret: ')};', // )\n    }),\n  );\n  site.use(web.json());\n}\n`;
    expect(wired('a.mjs', long)).toContain('    }),\n  );\n  site.use(gantryListener);\n  site.use(web.json');
    const passport = `const express = require('express');\nconst session = require('express-session');\nconst app = express();\napp.use(session({}));\napp.use(passport.session());\napp.use(express.urlencoded());\n`;
    expect(wired('a.js', passport)).toContain("passport.session());\napp.use(require('./gantry.js').gantryListener);");
  });

  const typed = `import express from 'express';\nconst app = express();\n`;
  test.each([
    ['names .ts where others do', typed.replace('\n', `\nimport { a } from './a.ts';\n`), {}, "'./gantry.ts'"],
    ['names .js in a compiled module', typed, { type: 'module' }, "'./gantry.js'"],
    ['names no ending in compiled CommonJS', typed, {}, "'./gantry'"],
    [
      'names .ts where Node runs the sources',
      typed,
      { type: 'module', scripts: { start: 'node --watch src/app.ts' } },
      "'./gantry.ts'",
    ],
  ])('in TypeScript it %s', (_, text, manifest, specifier) => {
    expect(wired('src/app.ts', text, { files: { 'package.json': packageJson(manifest) } })).toContain(
      `from ${specifier};`,
    );
  });

  test('line endings and a byte order mark stay', () => {
    const after = wired('server.js', `\uFEFF${sites.esm.replaceAll('\n', '\r\n')}`);
    expect(after).toBe(`\uFEFF${wired('server.js', sites.esm).replaceAll('\n', '\r\n')}`);
  });

  const head = `const express = require('express');\nconst session = require('express-session');\n`;
  const app = `${head}const app = express();\n`;
  const use = 'app.use(session({}));\n';
  test.each([
    [
      'a body parser before the session',
      `${app}app.use(express.json());\n${use}`,
      5,
      'line 4 comes before the session',
    ],
    [
      'code that gets the app before the session',
      `${app}configure(app);\n${use}`,
      5,
      'line 4 comes before the session',
    ],
    ['a session in a variable', `${app}const keep = session({});\napp.use(keep);\n`, 4, 'no line of its own'],
    ['a session for some paths', `${app}app.use('/shop', session({}));\n`, 4, 'no line of its own'],
    ['a session in a condition', `${app}if (process.env.DB) ${use}`, 4, 'no line of its own'],
    ['two apps', `${head}const a = express();\nconst b = express();\n`, 3, 'no one statement makes the one app'],
    ['a property', `${head}exports.app = express();\n`, 3, 'no one statement makes the one app'],
    ['more in the statement', `${head}const app = express(), other = 1;\n`, 3, 'no one statement'],
    ['more in the line', `${head}const app = express(); app.use(express.json());\n`, 3, 'not plain'],
    ['a mistake elsewhere', `${app.replace(/.*session.*\n/, '')}let a; let a;\n`, 2, 'not plain'],
  ])('%s is left alone, and the owner gets the line', (_, text, line, reason) => {
    const { after, paste } = wire('a.js', text);
    expect(after).toBe(text);
    expect(paste).toMatchObject({ path: 'a.js', line, where: expect.stringContaining(reason) });
    expect(paste?.lines).toEqual([expect.stringMatching(/^app\.use\(require\('\.\/gantry\.js'\)\.gantryListener\);$/)]);
  });

  test('a session that is made elsewhere is not guessed (control: without one the place is certain)', () => {
    expect(wire('index.js', sites.commonjs, { hasKey: true }).paste).toMatchObject({ line: 4 });
    expect(wire('index.js', sites.commonjs).paste).toBeUndefined();
  });
});

describe('gantry init inserts one line after a Node server (site owner’s guide)', () => {
  const head = "import { createServer } from 'node:http';\n";

  test.each(['(request, response) => response.end(f({ a: 1 }, [2]))', '{ keepAlive: true }, handle', '\n  handle,\n'])(
    'that createServer(%s) made',
    (handler) => {
      const made = `const server = createServer(${handler});`;
      expect(wired('s.mjs', `${head}${made}\nserver.listen(1);\n`)).toBe(
        `${head}import { addGantry } from './gantry.mjs';\n${made}\naddGantry(server);\nserver.listen(1);\n`,
      );
    },
  );

  test.each([
    'createServer(handle).listen(1)',
    'const server = createServer()',
    'const server = createServer({ a: 1 })',
    "const server = createServer(options);\nserver.on('request', handle)",
    'const a = createServer(x), b = createServer(y)',
  ])('%s is left alone, and the owner gets the lines', (text) => {
    const { after, paste } = wire('s.mjs', `${head}${text};\n`);
    expect(after).toBe(`${head}${text};\n`);
    expect(paste).toMatchObject({ path: 's.mjs', line: 2 });
    expect(paste?.lines).toEqual(["import { addGantry } from './gantry.mjs';", 'addGantry(server);']);
  });
});

import { describe, expect, test } from 'vitest';
import { wireExpress } from '../../src/init/express.ts';
import { wireFlask } from '../../src/init/flask.ts';
import { wireHttp } from '../../src/init/node-http.ts';
import { moduleForm, type NodeSource } from '../../src/init/node-source.ts';
import { maskJavaScript } from '../../src/project/mask-code.ts';
import { readProject } from '../../src/project/project.ts';
import { packageJson, sites, stranger } from './stranger.ts';

/** Wires one file of a project and returns its lines that are new. */
function wired(path: string, text: string, { wire = wireExpress, files = {} } = {}): string {
  const source: NodeSource = { path, text, ...maskJavaScript(text) };
  const project = readProject(stranger({ [path]: text, ...files }).folder);
  return wire(source, moduleForm(project, source));
}

const added = (before: string, after: string) => after.split('\n').filter((line) => !before.split('\n').includes(line));

describe('gantry init inserts Gantry into an Express app (site owner’s guide)', () => {
  test('after the session, which names the member, and before what reads bodies', () => {
    const lines = wired('server.js', sites.esm).split('\n');
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(at("import { gantryListener } from './gantry.js';")).toBe(2);
    expect(at('app.use(session(')).toBeLessThan(at('app.use(gantryListener)'));
    expect(at('app.use(gantryListener)')).toBeLessThan(at('app.use(express.json())'));
  });

  test('right after the app is made where there is no session; a directive stays first', () => {
    expect(added(sites.commonjs, wired('index.js', sites.commonjs))).toEqual([
      "const { gantryListener } = require('./gantry.js');",
      'app.use(gantryListener); // before what reads bodies, and before the 404',
    ]);
    expect(wired('a.cjs', `'use strict';\nconst app = require('express')();\n`)).toBe(
      `'use strict';\nconst { gantryListener } = require('./gantry.cjs');\nconst app = require('express')();\napp.use(gantryListener); // before what reads bodies, and before the 404\n`,
    );
  });

  test('a require below the app would come too late', () => {
    const text = `const express = require('express');\nconst app = express();\nconst other = require('./other');\n`;
    const lines = wired('a.js', text).split('\n');
    expect(lines[1]).toBe("const { gantryListener } = require('./gantry.js');");
  });

  test('below a session over many lines, in a variable, in a function, or of Passport', () => {
    const long = `import web from 'express';\nimport sessions from 'cookie-session';\nexport function make() {\n  const site = web();\n  site.use(\n    sessions({\n      secret: ')};', // )\n    }),\n  );\n  site.use(web.json());\n}\n`;
    expect(wired('a.mjs', long)).toContain('    }),\n  );\n  site.use(gantryListener); // before');
    const named = `const express = require('express');\nconst session = require('express-session');\nconst keep = session({});\nconst app = express();\napp.use('/a', x);\napp.use(keep);\napp.use(passport.session());\napp.use(express.urlencoded());\n`;
    expect(wired('a.js', named)).toContain('app.use(passport.session());\napp.use(gantryListener);');
  });

  test.each([
    [
      'names .ts where others do',
      `import express from 'express';\nimport { a } from './a.ts';\nconst app = express();\n`,
      {},
      "'./gantry.ts'",
    ],
    [
      'names .js in a compiled module',
      `import express from 'express';\nconst app = express();\n`,
      { type: 'module' },
      "'./gantry.js'",
    ],
    [
      'names no ending in compiled CommonJS',
      `import express from 'express';\nconst app = express();\n`,
      {},
      "'./gantry'",
    ],
    [
      'names .ts where Node runs the sources',
      `import express from 'express';\nconst app = express();\n`,
      { type: 'module', scripts: { start: 'node --watch src/app.ts' } },
      "'./gantry.ts'",
    ],
  ])('in TypeScript it %s', (_, text, manifest, specifier) => {
    expect(wired('src/app.ts', text, { files: { 'package.json': packageJson(manifest) } })).toContain(
      `from ${specifier};`,
    );
  });

  test('line endings and a byte order mark stay', () => {
    const windows = `\uFEFF${sites.esm.replaceAll('\n', '\r\n')}`;
    const after = wired('server.js', windows);
    expect(after.startsWith('\uFEFFimport express')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(after.replaceAll('\r\n', '\n').slice(1)).toBe(wired('server.js', sites.esm));
  });

  test('a second time it changes nothing', () => {
    const once = wired('server.js', sites.esm);
    expect(wired('server.js', once)).toBe(once);
  });

  test.each([
    [
      'a body parser before the session',
      `const express = require('express');\nconst session = require('express-session');\nconst app = express();\napp.use(express.json());\napp.use(session({}));\n`,
      'a.js:4 reads bodies or collects answers before the session of line 5. Move it below',
    ],
    [
      'two apps',
      `import express from 'express';\nconst a = express();\nconst b = express();\n`,
      'creates several Express apps',
    ],
    [
      'more behind the statement',
      `import express from 'express';\nconst app = express(), other = 1;\n`,
      'a.js:2 is too complex',
    ],
    ['brackets that do not match', `import express from 'express';\nconst app = express(;\n`, 'creates no Express app'],
  ])('%s is refused with what to insert', (_, text, message) => {
    expect(() => wired('a.js', text)).toThrow(message);
    expect(() => wired('a.js', text)).toThrow(
      /Write \w+\.use\(gantryListener\) after the session and before body parsers/,
    );
  });
});

describe('gantry init puts Gantry around the handler of a Node server (site owner’s guide)', () => {
  test.each([
    [
      'createServer((request, response) => response.end(f({ a: 1 }, [2])))',
      'createServer(withGantry((request, response) => response.end(f({ a: 1 }, [2]))))',
    ],
    ['createServer({ keepAlive: true }, handle)', 'createServer({ keepAlive: true }, withGantry(handle))'],
    ['createServer(\n  handle,\n)', 'createServer(\n  withGantry(handle),\n)'],
  ])('%s', (before, after) => {
    const head = "import { createServer } from 'node:http';\n";
    const text = `${head}const server = ${before};\n`;
    expect(wired('s.mjs', text, { wire: wireHttp })).toBe(
      `${head}import { withGantry } from './gantry.mjs';\nconst server = ${after};\n`,
    );
  });

  test.each(['createServer()', 'createServer({ a: 1 })', 'createServer(a); createServer(b)'])(
    '%s is refused with what to write',
    (text) => {
      expect(() => wired('s.mjs', `import { createServer } from 'node:http';\n${text};\n`, { wire: wireHttp })).toThrow(
        /^s\.mjs:2 does not pass one handler to one createServer\(…\)\. Write createServer\(withGantry\(handler\)\)/,
      );
    },
  );
});

describe('gantry init inserts two lines into a Flask app (site owner’s guide)', () => {
  test('after the app is made, in a function too', () => {
    expect(wireFlask('app.py', sites.flask)).toContain(
      'app = Flask(__name__)\n\nfrom gantry_viewer import add_gantry\n\nadd_gantry(app)\n',
    );
    const factory = `import flask\n\ndef make():\n    site = flask.Flask(\n        __name__, # )\n    )\n    return site\n`;
    expect(wireFlask('shop/__init__.py', factory)).toContain(
      '    )\n\n    from .gantry_viewer import add_gantry\n\n    add_gantry(site)\n    return site\n',
    );
  });

  test('once', () => {
    const once = wireFlask('app.py', sites.flask);
    expect(wireFlask('app.py', once)).toBe(once);
  });

  test('a statement that goes on is refused with what to insert', () => {
    expect(() => wireFlask('app.py', 'from flask import Flask\napp = Flask(__name__); x = 1\n')).toThrow(
      'app.py:2 is too complex to insert after it safely. Import add_gantry from gantry_viewer, call add_gantry(app)',
    );
  });
});

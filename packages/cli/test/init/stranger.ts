import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CommandRun, runCommand } from '../run-command.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A stranger's project in its own folder. */
export interface Stranger {
  readonly folder: string;
  read(path: string): string;
  /** Runs `gantry init` in it, and resolves with its output. */
  init(...args: string[]): Promise<Ran>;
  /** Runs it in a folder below. */
  initBelow(folder: string, ...args: string[]): Promise<Ran>;
}

/** Writes a project's files; they are removed after the test. */
export function stranger(files: Readonly<Record<string, string>>): Stranger {
  const folder = join(mkdtempSync(join(tmpdir(), 'gantry-init-')), 'site');
  mkdirSync(folder);
  onTestFinished(() => rmSync(dirname(folder), { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    folder,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    init: (...args) => initIn(folder, args),
    initBelow: (path, ...args) => initIn(join(folder, path), args),
  };
}

/** Runs `gantry init` in a folder, with a user's data directory beside it. */
export function initIn(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandRun> {
  return runCommand(['init', folder, ...args], { XDG_DATA_HOME: `${folder}-home`, ...env });
}

/** The text of a `package.json` as npm writes it. */
export function packageJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** A server that listens nowhere, of the kinds that people write. */
export const sites = {
  esm: `import express from 'express';
import session from 'express-session';

const app = express();
app.use(session({ secret: 'x', resave: false, saveUninitialized: false }));
app.use(express.json());
app.post('/sign-in', (request, response) => {
  request.session.memberId = 'm-1001';
  response.redirect('/');
});
app.use((request, response) => response.status(404).send('Not found'));
app.listen(process.env.PORT ?? 3456);
`,
  commonjs: `'use strict';
const express = require('express');

const app = express();
app.use(express.json());
app.listen(8000);
`,
  http: `import { createServer } from 'node:http';

const server = createServer((request, response) => response.end(request.url === '/' ? 'home' : 'other'));
server.listen(Number(process.env.PORT ?? 3100), () => console.log('listening'));
`,
  flask: `from flask import Flask, session

app = Flask(__name__)


@app.post('/sign-in')
def sign_in():
    session['member_id'] = 'm-1001'
    return 'ok'
`,
} as const;

export const expressPackage = packageJson({ name: 'shop', type: 'module', dependencies: { express: '^5.0.0' } });

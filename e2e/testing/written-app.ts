import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a spec's gadget consists of. */
export interface WrittenApp {
  readonly uses?: readonly string[];
  readonly fields?: readonly string[];
  /** Of the page, between `<body>` and the script. */
  readonly body: string;
  readonly script?: string;
  readonly style?: string;
}

/** Writes a gadget that the demo does not know, and returns its folder, which has the name that is its id. */
export async function writeApp(name: string, { uses = [], fields = [], body, script = '', style = '' }: WrittenApp) {
  const folder = join(await mkdtemp(join(tmpdir(), 'gantry-testing-')), name);
  await mkdir(folder);
  const files = {
    'gadget.json': JSON.stringify({ name, page: 'index.html', height: 160, uses, fields }),
    'index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>
      <style>:root { color-scheme: light dark } body { margin: 1rem; font: 1rem/1.5 system-ui } ${style}</style>
      <script src="/gantry/osapi.js"></script><script src="app.js" defer></script>${body}</html>`,
    'app.js': script,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  return folder;
}

const threeMembers = {
  site: { name: 'Small' },
  members: [
    { id: 'eva', displayName: 'Eva Kiel', birthday: '1990/05/17' },
    { id: 'finn', displayName: 'Finn Moor', birthday: '1984/02/29' },
    { id: 'gil', displayName: 'Gil Stray' },
  ],
  friendships: [['eva', 'finn']],
};

/** Writes a site of three members, of whom two are friends, and returns the path of its world file. */
export async function writeWorld(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'gantry-testing-')), 'world.json');
  await writeFile(file, JSON.stringify(threeMembers));
  return file;
}

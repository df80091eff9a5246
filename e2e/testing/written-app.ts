import { join } from 'node:path';
import { writeApp } from '../write-app.ts';

/** Parts of a spec's gadget. */
interface WrittenApp {
  readonly uses?: readonly string[];
  readonly fields?: readonly string[];
  /** Markup between `<body>` and the script. */
  readonly body: string;
  readonly script?: string;
  readonly style?: string;
}

/** Writes a gadget with a style and a script, and returns its folder, named like its id. */
export function writeGadget(
  name: string,
  { uses = [], fields = [], body, script = '', style = '' }: WrittenApp,
): string {
  return writeApp(name, {
    'gadget.json': JSON.stringify({ name, page: 'index.html', height: 160, uses, fields }),
    'index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>
      <style>:root { color-scheme: light dark } body { margin: 1rem; font: 1rem/1.5 system-ui } ${style}</style>
      <script src="/gantry/osapi.js"></script><script src="app.js" defer></script>${body}</html>`,
    'app.js': script,
  });
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

/** Writes a world file of three members, two of them friends, and returns its path. */
export function writeWorld(): string {
  return join(writeApp('small', { 'world.json': JSON.stringify(threeMembers) }), 'world.json');
}

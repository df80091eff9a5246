// Takes pictures of every state of the container's chrome, light and dark, narrow and wide, some in
// forced colours, and writes one page with all: gallery/index.html. Not part of `npm test`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const folder = join(root, 'gallery');
const only = process.argv.slice(2);
if (only.length === 0) rmSync(folder, { recursive: true, force: true });
await import('./build.mjs');
const cli = join(root, 'node_modules/@playwright/test/cli.js');
const args = [
  cli,
  'test',
  '--config',
  join(root, 'scripts/gallery.config.mjs'),
  ...only.flatMap((name) => ['-g', name]),
];
const env = { ...process.env, NODE_OPTIONS: '--conditions=@gantry/source', GANTRY_GALLERY: folder };
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });

mkdirSync(folder, { recursive: true });
const files = readdirSync(folder).filter((name) => name.endsWith('.png'));
const states = [...new Set(files.map((name) => name.split('~')[0]))].sort();
const section = (state) => {
  const pictures = files.filter((name) => name.startsWith(`${state}~`)).sort();
  const figures = pictures.map(
    (name) => `<figure><img src="${name}" alt=""><figcaption>${name.split('~')[1]}</figcaption></figure>`,
  );
  return `<section><h2>${state}</h2><div>${figures.join('')}</div></section>`;
};
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>
    body { margin: 1rem; background: #777; color: #fff; font: 16px system-ui; }
    section > div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
    figure { margin: 0; } img { max-width: 40rem; display: block; } figcaption { font-size: 0.8rem; }
  </style><h1>${states.length} states</h1>${states.map(section).join('\n')}`,
);
console.log(`${files.length} pictures of ${states.length} states: ${join(folder, 'index.html')}`);
process.exitCode = status ?? 1;

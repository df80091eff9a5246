import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { type DevServer, startDevServer } from '@gantry/dev';
import { addApp } from '@gantry/server';
import type { FrameLocator } from '@playwright/test';
import { build } from 'vite';
import { checkApp } from '../../packages/cli/src/app-check/check-app.ts';
import { expect, frameOf, test } from '../hosted.ts';
import { writeApps } from './sample-apps.ts';

// Files of each kind, small enough to be inlined by a bundler and too large for it: what loads in
// dev loads on a site, or is reported.

type Outcome = 'loaded' | 'refused';
type Outcomes = Readonly<Record<string, Outcome>>;

const sizes = { small: 1_024, large: 8_192 };
const kinds = ['font', 'sound', 'video', 'picture', 'svg', 'css', 'json', 'wasm', 'script'] as const;
const cells = kinds.flatMap((kind) => Object.keys(sizes).map((size) => `${kind} ${size}`));

const font = inflateSync(
  Buffer.from(
    'eNpjYGRgYOBiaGBgZlDwD9Y3CpMMFQOKrAHihOTcxAIGHoYSBgZGHiBfJz2nMo3pG8sbIN8CyFfKSE1MSeRyugnkxwD5ZhlAAVYxRn0gfwqQr5KRW1LB/ALIYmDcASQ4cvKTExkEwfwDQIItN7GigIGFgRXIPwHkK+Ql5qYyiLAEAPkgXSIF+cUlQHeB1P8ByTOwMH5hnABSTwRgROb4+fu5MjgwODI4Miv8B7qdWYHhBEwN0MwvYNMZwSLMYJoH6C4FIM0ChCC+4///EPL/AajJCL1AFzICAYjHwPCPByIOVwPEcj/DxeP5bb4yMENCA8OpEBdwMDAh3A5xJ8QcIMmIpoUJJAO1hQEcpiAVTFDXMmCoh4gJgXzHwglkgWxyhIQtbgAARJI9mA==',
    'base64',
  ),
);
const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const padded = (start: Buffer, size: number) => Buffer.concat([start, Buffer.alloc(size - start.length)]);

/** Silence as a WAV file, which elements for video play too. */
function silence(size: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
  head.writeUInt32LE(size - 8, 4);
  for (const [index, value] of [16, 0x1_0001, 8_000, 8_000, 0x8_0001].entries())
    head.writeUInt32LE(value, 16 + 4 * index);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(size - 44, 40);
  return Buffer.concat([head, Buffer.alloc(size - 44, 128)]);
}

const makers: Readonly<Record<(typeof kinds)[number], readonly [ending: string, make: (size: number) => Buffer]>> = {
  font: ['ttf', (size) => padded(font, size)],
  sound: ['wav', silence],
  video: ['mp4', silence],
  picture: ['gif', (size) => padded(pixel, size)],
  svg: ['svg', (size) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--${'x'.repeat(size)}--></svg>`)],
  css: ['gif', (size) => padded(pixel, size)],
  json: ['json', (size) => Buffer.from(JSON.stringify('x'.repeat(size)))],
  wasm: ['wasm', (size) => padded(Buffer.from('\0asm\x01\0\0\0', 'latin1'), size)],
  script: ['js', (size) => Buffer.from(`ran = ${size}; /*${'x'.repeat(size)}*/`)],
};
const fileOf = (cell: string) => `${cell.replace(' ', '-')}.${makers[cell.split(' ')[0] as 'font'][0]}`;

const style = Object.keys(sizes)
  .map(
    (size) =>
      `@font-face { font-family: ${size}; src: url(./font-${size}.ttf); } #${size} { background: url(./css-${size}.gif); }`,
  )
  .join('\n');
const imports = cells
  .filter((cell) => !/^(?:font|css)/.test(cell))
  .map(
    (cell) =>
      `import ${cell.replace(' ', '_')} from './${fileOf(cell)}${/^(?:wasm|script)/.test(cell) ? '?url' : ''}';`,
  );
const script = `import './style.css';
${imports.join('\n')}
const urls = { ${cells.filter((cell) => !/^(?:font|css)/.test(cell)).map((cell) => `'${cell}': ${cell.replace(' ', '_')}`)} };
const event = (element, name, src) => new Promise((resolve, reject) => {
  element.addEventListener(name, resolve);
  element.addEventListener('error', reject);
  element.src = src;
});
const picture = (src) => event(new Image(), 'load', src);
const ways = {
  font: (_, size) => document.fonts.load('16px ' + size, 'A').then((faces) => { if (!faces[0]) throw new Error('no face'); }),
  sound: (url) => event(new Audio(), 'loadedmetadata', url),
  video: (url) => event(document.createElement('video'), 'loadedmetadata', url),
  picture,
  svg: picture,
  css: (_, size) => picture(/url\\("(.*)"\\)/.exec(getComputedStyle(document.getElementById(size)).backgroundImage)[1]),
  json: async (text, size) => { if (text.length !== ${JSON.stringify(sizes)}[size]) throw new Error('no data'); },
  script: async (url, size) => {
    const script = document.createElement('script');
    const loaded = event(script, 'load', url);
    document.body.append(script);
    await loaded;
    if (ran !== ${JSON.stringify(sizes)}[size]) throw new Error('not run');
  },
  wasm: (url) => WebAssembly.instantiateStreaming(fetch(url)),
};
const directives = { font: 'font-src', sound: 'media-src', video: 'media-src', script: 'script-src-elem', wasm: 'connect-src' };
const outcomes = {};
for (const cell of ${JSON.stringify(cells)}) {
  const [kind, size] = cell.split(' ');
  const loaded = await ways[kind](urls[cell], size).then(() => true, () => false);
  // The event can be later than the error.
  for (let tries = 0; !loaded && !refused.has(directives[kind]) && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  outcomes[cell] = loaded ? 'loaded' : refused.has(directives[kind]) ? 'refused' : 'failed';
}
document.querySelector('output').textContent = JSON.stringify(outcomes);
`;
const app = {
  'index.html': `<!doctype html><html lang="en"><head><title>Assets</title><script>
const refused = new Set(); // browsers load data: fonts with the style sheet, before scripts that come after it
addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.add(effectiveDirective));
</script></head><body><i id="small"></i><i id="large"></i><output></output>
<script src="/gantry/osapi.js"></script><script type="module" src="./main.js"></script>`,
  'main.js': script,
  'style.css': style,
  'gadget.json': '{ "name": "Assets", "page": "index.html" }',
};

let folders: Readonly<Record<'template' | 'usual', string>>;
let remove: () => Promise<void>;
let dev: DevServer;
test.beforeAll(async () => {
  ({ folders, remove } = await writeApps({
    template: app,
    usual: { ...app, 'vite.config.js': "export default { base: './' };" },
  }));
  const templates = join(import.meta.dirname, '../../packages/create-gantry/templates');
  await copyFile(join(templates, 'typescript/vite.config.ts'), join(folders.template, 'vite.config.ts'));
  await copyFile(join(templates, 'module/gadget-manifest.ts'), join(folders.template, 'gadget-manifest.ts'));
  const home = process.cwd();
  for (const folder of Object.values(folders)) {
    for (const cell of cells) {
      const [kind, size] = cell.split(' ') as ['font', 'small'];
      await writeFile(join(folder, fileOf(cell)), makers[kind][1](sizes[size]));
    }
    process.chdir(folder); // the template's plugin reads gadget.json there
    await build({ root: folder, logLevel: 'warn' });
    await mkdir(join(folder, 'dist'), { recursive: true });
    await copyFile('gadget.json', join(folder, 'dist/gadget.json'));
  }
  process.chdir(home);
  const built = Object.values(folders).map((folder) => join(folder, 'dist'));
  dev = await startDevServer({ folders: [...Object.values(folders), ...built], port: 0 });
});
test.afterAll(async () => {
  await dev.close();
  await remove();
});

async function outcomesIn(frame: FrameLocator): Promise<Outcomes> {
  await expect(frame.locator('output')).not.toBeEmpty({ timeout: 30_000 });
  return JSON.parse((await frame.locator('output').textContent()) ?? '');
}

const withRefused = (pattern: RegExp): Outcomes =>
  Object.fromEntries(cells.map((cell) => [cell, pattern.test(cell) ? 'refused' : 'loaded']));

for (const { name, refused, reported } of [
  { name: 'template', refused: /wasm/, reported: [] },
  {
    name: 'usual',
    refused: /wasm|(?:font|sound|video|script) small/,
    reported: ['A font data', 'A script data', 'A video or sound data'],
  },
] as const) {
  test(`every kind of file of a build with the ${name} configuration loads on a site as in gantry dev, or is reported`, async ({
    page,
    hosted,
    show,
  }) => {
    const inDev = async (id: string) => {
      await page.goto(`${dev.url}/?app=${id}`);
      return outcomesIn(page.locator(`[app="${id}"] iframe`).first().contentFrame());
    };
    const idOf = (folder: string) => dev.apps.find((one) => one.folder === folder)?.id ?? '';
    const dataAddresses = new Set<string>();
    const explain = dev.createExplainer();
    const stop = dev.record.subscribe((entry) => {
      const { id, subject } = explain(entry) ?? {};
      if (id === 'data-address') dataAddresses.add(`${subject}`);
    });
    expect(await inDev(idOf(folders[name]))).toEqual(withRefused(/wasm/));
    expect(dataAddresses).toEqual(new Set());
    expect(await inDev(idOf(join(folders[name], 'dist')))).toEqual(withRefused(refused));
    await expect.poll(() => [...dataAddresses].sort()).toEqual(reported);
    stop();
    const { findings } = await checkApp(join(folders[name], 'dist'));
    const checked = findings.flatMap(({ id, what }) =>
      id === 'data-address' ? what.replace(/ with a (\w+):.*/, ' $1') : [],
    );
    expect([...new Set(checked)].sort()).toEqual(reported);
    await addApp(hosted.stores, { id: name, folder: join(folders[name], 'dist'), live: true, trusted: true });
    expect(await outcomesIn(frameOf(await show(`<gantry-gadget app="${name}"></gantry-gadget>`), name))).toEqual(
      withRefused(refused),
    );
  });
}

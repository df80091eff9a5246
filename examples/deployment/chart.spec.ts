import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@playwright/test';
import { freePort } from '../../packages/server/test/free-port.ts';

// Rendered with the libraries of Helm, and compared with the types of Kubernetes: neither is here.

const root = join(import.meta.dirname, '../..');
const folder = join(process.env.GANTRY_EXAMPLES ?? '', 'deployment');
const tools = join(root, 'tools/deployment');
const chart = join(folder, 'chart');
const scratch = mkdtempSync(join(tmpdir(), 'gantry-chart-'));
const renderer = join(scratch, 'render');

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
}
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
interface Probe {
  readonly httpGet: { readonly path: string };
}

test.beforeAll(() => {
  const { status, stderr } = spawnSync('go', ['build', '-o', renderer, 'render.go'], {
    cwd: join(tools, 'chart'),
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(scratch, 'cache') },
    encoding: 'utf8',
  });
  expect(stderr + status).toBe('0');
});
test.afterAll(() => rmSync(scratch, { recursive: true }));

function render(values = join(tools, 'chart/values.yaml'), release = 'social') {
  const { status, stdout, stderr } = spawnSync(renderer, [chart, release, values], { encoding: 'utf8' });
  expect(stderr + status).toBe('0');
  return JSON.parse(stdout) as { readonly objects: readonly KubernetesObject[]; readonly notes: string };
}

/** Returns what the compiler finds in objects, as literals of the types of Kubernetes. */
function faults(objects: readonly KubernetesObject[]): string {
  const file = join(tools, 'node_modules/.rendered.ts');
  const lines = objects.map((object, index) => {
    const group = object.apiVersion.includes('/') ? object.apiVersion.replace(/\.k8s\.io(?=\/)/, '') : 'core/v1';
    const type = `import('kubernetes-types/${group}').${object.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object)};`;
  });
  writeFileSync(file, lines.join('\n'));
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    file,
  ];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, ...flags], { encoding: 'utf8' }).stdout;
}

test('each object of the chart has the members that Kubernetes knows, in their types', () => {
  const { objects } = render();
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'Ingress', 'Job']);
  expect(faults(objects)).toBe('');
  // Positive controls: a misspelt name, and a number as text.
  for (const [right, wrong, code] of [
    ['"containerPort"', '"containersPort"', 'TS2353'],
    ['"replicas":3', '"replicas":"3"', 'TS2322'],
  ] as const) {
    expect(faults(JSON.parse(JSON.stringify(objects).replace(right, wrong)))).toContain(code);
  }
});

test('values are refused by name before anything starts: no image, no bucket, an address with a path', () => {
  const { default: Ajv } = createRequire(join(root, 'package.json'))('ajv') as { default: typeof import('ajv').Ajv };
  const isValid = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')),
  );
  const right = {
    image: { repository: 'x', tag: '1' },
    url: 'https://a.example',
    secretName: 'gantry',
    bucket: 's3://x',
  };
  const all = { ...right, replicas: 2, workers: 1 };
  expect(isValid(all)).toBe(true);
  for (const wrong of [
    { ...all, image: { repository: '', tag: '1' } },
    { ...all, bucket: '' },
    { ...all, url: 'https://a.example/path' },
    { ...all, replicsa: 3 },
  ]) {
    expect(isValid(wrong)).toBe(false);
  }
});

test('the values of the chart itself render too, without an ingress, and the notes say so', () => {
  const { objects, notes } = render(join(chart, 'values.yaml'), 'gantry');
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'Job']);
  expect(notes).toContain('No ingress: send the site’s requests'.replace('’', "'"));
  expect(render().notes).not.toContain('No ingress');
});

test('the services find pods of servers and no pods of migrations', () => {
  const texts = render().objects.map((object) => JSON.stringify(object));
  const component = (text = '') =>
    [...text.matchAll(/"app\.kubernetes\.io\/component":"(\w+)"/g)].map(([, name]) => name);
  expect(texts.map((text) => [...new Set(component(text))])).toEqual([
    ['server'],
    ['server'],
    ['server'],
    ['server'],
    ['migration'],
  ]);
});

test('what a container of it runs starts with its settings, answers the probes and ends in time', async () => {
  const [deployment] = render().objects as readonly [KubernetesObject];
  const { spec } = deployment.spec.template;
  const [container] = spec.containers as readonly [Container];
  const settings = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const image = readFileSync(join(folder, 'Containerfile'), 'utf8');
  expect(image).toContain(`EXPOSE ${container.ports[0]?.containerPort}\n`);
  expect(container.ports).toHaveLength(1);
  const program = join(folder, 'node_modules/@gantry/cli/bin/gantry.js');
  const helpOf = (args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' }).stdout;
  const help = helpOf(['--help']) + helpOf(['serve', '--help']);
  for (const name of Object.keys(settings)) expect(help).toContain(name);

  const data = join(scratch, 'data');
  const environmentFile = join(scratch, 'gantry.env');
  writeFileSync(environmentFile, `GANTRY_VIEWER_KEY=${'k'.repeat(40)}\n`, { mode: 0o400 });
  const port = await freePort();
  const own = { GANTRY_DATA: data, GANTRY_ENV_FILE: environmentFile, GANTRY_HOST: '127.0.0.1', PORT: `${port}` };
  const { GANTRY_BUCKET: _, ...others } = settings; // a bucket is not here
  const child = spawn(process.execPath, [program, ...container.args], {
    env: { PATH: process.env.PATH, ...others, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const isUp = (probe: Probe) =>
    fetch(`http://127.0.0.1:${port}${probe.httpGet.path}`).then(({ status }) => status === 200);
  const answers: boolean[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes('Gantry ready at ')) continue;
    answers.push(await isUp(container.readinessProbe), await isUp(container.livenessProbe));
    child.kill('SIGTERM');
  }
  expect(answers).toEqual([true, true]); // a server that ended without a word had none
  expect(await ended).toEqual([0, null]);
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.GANTRY_GRACE) + 30);
});

// Runs in a thread of its own: loads one story file with the modules it imports, and makes its
// worlds when it is asked to.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { StoryExport, ThreadError, ToWorker, WorkerMessage } from './story-thread.ts';

const { file }: { readonly file: string } = workerData;
const port = parentPort;
if (!port) throw new Error('This module runs in a worker thread.');
const tell = (message: WorkerMessage): void => port.postMessage(message);

const files = new Set([file]);
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) files.add(fileURLToPath(url));
    return next(url, context);
  },
});

let source: string | undefined;
let exported: Readonly<Record<string, unknown>> = {};
try {
  exported = await import(pathToFileURL(file).href);
  tell({ type: 'loaded', files: [...files], exports: Object.entries(exported).sort(bySource).map(describe) });
} catch (error) {
  tell({ type: 'failed', files: [...files], error: describeError(error) });
}

port.on('message', async ({ name, number }: ToWorker) => {
  try {
    const { world } = exported[name] as { readonly world: () => unknown };
    tell({ type: 'world', number, json: JSON.stringify(await world()) });
  } catch (error) {
    tell({ type: 'world', number, error: describeError(error) });
  }
});

/** Order of the file, as far as its text shows it: a module's own is alphabetic. */
function bySource([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return placeOf(one) - placeOf(other);
}

function placeOf(name: string): number {
  source ??= readFileSync(file, 'utf8');
  const place = source.search(new RegExp(`\\b(?:const|let|var|function)\\s+${name.replaceAll('$', '\\$')}\\b`));
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
}

/** Describes an export as data: values that cannot be sent are named. */
function describe([name, value]: readonly [string, unknown]): StoryExport {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { name, kind: Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value };
  }
  const members: Record<string, unknown> = {};
  const functions: string[] = [];
  const unsendable: string[] = [];
  for (const [member, content] of Object.entries(value)) {
    if (typeof content === 'function') functions.push(member);
    else if (isSendable(content)) members[member] = content;
    else unsendable.push(member);
  }
  return { name, kind: 'object', members, functions, unsendable };
}

function isSendable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

function describeError(error: unknown): ThreadError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  return { name: error.name, message: error.message, stack: error.stack ?? '' };
}

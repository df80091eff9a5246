import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentTypeOf } from '@gantry/proxy';
import type { Route } from './route.ts';

const folder = join(import.meta.dirname, '..', 'dist', 'page');
const pages: readonly string[] = ['/', '/stories', '/tape'];

/** Serves the page at `/`, `/stories` and `/tape`, and its files below `/dev/page/`. */
export const pageFiles: Route = async ({ outgoing, path }) => {
  const file = pages.includes(path) ? 'index.html' : /^\/dev\/page\/((?:assets\/)?[\w.-]+)$/.exec(path)?.[1];
  if (file === undefined) return false;
  const content = await readFile(join(folder, file)).catch(() => undefined);
  if (content === undefined) return false;
  outgoing.writeHead(200, { 'Content-Type': contentTypeOf(file) });
  outgoing.end(content);
  return true;
};

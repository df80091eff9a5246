import { open, readdir } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import { appDeclares, type Manifest, readManifest } from '@gantry/proxy';
import { type PermissionName, permissionWords, SocialError, sentenceFor } from '@gantry/wire';
import { type Source, storageWarnings } from './check-storage.ts';

/** What stands in the way of an app, and what its author should know before others see it. */
export interface AppCheck {
  /** The folder cannot be registered. */
  readonly errors: readonly string[];
  /** Something of it will not work, or is not as it seems. */
  readonly warnings: readonly string[];
  /** Those of them that are about data kept in the browser: no app can do without what it keeps. */
  readonly storage: readonly string[];
  readonly name?: string;
  /** What members are asked before the app starts, by permission. */
  readonly asks: readonly PermissionName[];
  /** What it may ask them for while it runs. */
  readonly mayAsk: readonly PermissionName[];
}

/**
 * Looks at an app's folder as registering and running it would. Never rejects for what is in the folder.
 *
 * @param options.appsHost Where the site that it is for serves apps, if that is known.
 */
export async function checkApp(
  folder: string,
  { appsHost = '' }: { readonly appsHost?: string | undefined } = {},
): Promise<AppCheck> {
  try {
    const manifest = await readManifest(folder);
    const { required, optional } = appDeclares(manifest);
    const sources = await sourcesOf(folder);
    const hasOwnHost = /^(https?:\/\/)?\*\./.test(appsHost);
    const storage = storageWarnings(sources.texts, { storage: manifest.storage, hasOwnHost });
    return {
      errors: [],
      warnings: [...warningsOf(sources, manifest), ...storage],
      storage,
      name: manifest.name,
      asks: required,
      mayAsk: optional,
    };
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    return { errors: [error.message], warnings: [], storage: [], asks: [], mayAsk: [] };
  }
}

/** What a permission means, as members read it. */
export function wordsOf(name: PermissionName): string {
  return sentenceFor(name, permissionWords);
}

const largestBytes = 1_000_000;
const mostFiles = 500;
const mostText = 20_000_000;

interface Sources {
  /** Paths of all files. */
  readonly files: readonly string[];
  /** Those that browsers run. */
  readonly texts: readonly Source[];
}

async function sourcesOf(folder: string): Promise<Sources> {
  const files = await filesOf(folder);
  const run = files.filter((path) => ['.html', '.htm', '.js', '.mjs'].includes(extname(path)));
  const texts: Source[] = [];
  let length = 0;
  for (const path of run) {
    const source = await read(folder, path);
    length += source.text.length;
    if (length > mostText) break;
    texts.push(source);
  }
  return { files, texts };
}

function warningsOf({ files, texts }: Sources, manifest: Manifest): string[] {
  const known = new Set(files);
  const pages = new Set([manifest.page, ...Object.values(manifest.views ?? {})].map((path) => posix.normalize(path)));
  return [
    ...texts
      .filter(({ path }) => pages.has(path))
      .flatMap((page) => pageWarnings(page, { known, manifest, sources: texts })),
    ...callWarnings(texts, manifest),
  ];
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) =>
        entry.isFile() && !/(^|[\\/])(node_modules|\.[^\\/]+)([\\/]|$)/.test(entry.parentPath.slice(folder.length)),
    )
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .slice(0, mostFiles);
}

async function read(folder: string, path: string): Promise<Source> {
  const file = await open(join(folder, path));
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, largestBytes)));
    return { path, text: buffer.toString('utf8', 0, bytesRead) };
  } finally {
    await file.close();
  }
}

/** What the page loads: from the folder, from an origin of `hosts`, or not at all. */
function pageWarnings(
  page: Source,
  { known, manifest, sources }: { known: ReadonlySet<string>; manifest: Manifest; sources: readonly Source[] },
): string[] {
  const found: string[] = [];
  const loads = [
    ...page.text.matchAll(/<(?:script|img|link|source|video|audio)\b[^<>]*?\s(?:src|href)\s*=\s*["']([^"']*)["']/gi),
  ];
  let line = 1;
  let counted = 0;
  for (const { 1: address = '', index } of loads) {
    for (
      let end = page.text.indexOf('\n', counted);
      end !== -1 && end < index;
      end = page.text.indexOf('\n', counted)
    ) {
      line += 1;
      counted = end + 1;
    }
    const where = `${page.path}:${line}`;
    if (/^(https?:)?\/\//.test(address)) {
      const { protocol, origin, hostname } = new URL(address, 'https://any');
      const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
      if (protocol === 'http:' && !isLocal) found.push(`${where} loads ${address}: the frame loads over https only.`);
      else if (!manifest.hosts.includes(origin))
        found.push(`${where} loads from ${origin}, which hosts does not list.`);
    } else if (address !== '' && !/^([a-z]+:|\/gantry\/)/i.test(address)) {
      const path = posix.normalize(posix.join(posix.dirname(page.path), decoded(address.replace(/[?#].*/, ''))));
      if (address.startsWith('/'))
        found.push(`${where} names ${address}: only /gantry/ is there, name files relative to the page.`);
      else if (!known.has(path)) found.push(`${where} names ${address}, which is not in the folder.`);
    }
  }
  const hasSdk = [page, ...sources].some(({ text }) => /\/gantry\/osapi\.js|gantry=\\d/.test(text));
  if (!hasSdk)
    found.push(`${page.path} does not load /gantry/osapi.js: without the SDK the app counts as not starting.`);
  return found;
}

/** Calls are found as text, so one that is put together from parts is not; what members are asked for does not depend on it. */
function callWarnings(sources: readonly Source[], { uses, optional }: Manifest): string[] {
  const declared = [...uses, ...optional.uses];
  const all = sources.map(({ text }) => text).join('\n');
  const made = new Set(
    [
      ...all.matchAll(
        /\b(people|activities|appdata|albums|mediaItems|mediaitems)\s*\??\.\s*(get\w*|create|update|delete)\s*(?:\?\.\s*)?\(/g,
      ),
    ].map(
      ([, service = '', method = '']) =>
        `${service.replace('mediaitems', 'mediaItems')}.${method.startsWith('get') ? 'get' : method}`,
    ),
  );
  return [
    ...[...made]
      .filter((call) => !declared.includes(call))
      .map(
        (call) => `The app calls ${call}, which gadget.json lists neither in uses nor in optional: it will be refused.`,
      ),
    ...declared
      .filter((call) => !made.has(call))
      .map((call) => `gadget.json asks members for ${call}, which no script of the folder calls.`),
  ];
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

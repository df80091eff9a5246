import { posix } from 'node:path';
import { isServed, type Manifest } from '@gantry/proxy';
import { type Finding, placesIn } from './finding.ts';
import type { Source, Sources } from './sources.ts';

/** Characters shown of a sentence with an app's address. */
const mostShown = 500;

const loads = /^<(?:script|img|link|source|video|audio) (?:src|href)=/;

/** Returns files that pages name and cannot load, and pages that do not load the SDK. */
export function pageFindings({ files, texts }: Sources, manifest: Manifest): readonly Finding[] {
  const known = new Set(files);
  const pages = new Set([manifest.page, ...Object.values(manifest.views ?? {})].map((path) => posix.normalize(path)));
  const hasSdk = texts.some(({ text }) => /\/gantry\/osapi\.js|@gantry\/osapi|gantry=\\d/.test(text));
  const isBuilt = files.some((path) => /^vite\.config\.[cm]?[jt]s$/.test(path));
  return texts
    .filter(({ path }) => pages.has(path))
    .flatMap((page) => [
      ...loadFindings(page, { known, hosts: manifest.hosts, isBuilt }),
      ...(hasSdk ? [] : [withoutSdk(page)]),
    ]);
}

function withoutSdk({ path }: Source): Finding {
  return {
    ...{ id: 'no-sdk', level: 'warning', file: path },
    what: 'does not load /gantry/osapi.js: without the SDK the app does not start',
    cure: 'Write <script src="/gantry/osapi.js"></script> before its own scripts.',
  };
}

interface Folder {
  readonly known: ReadonlySet<string>;
  readonly hosts: readonly string[];
  /** A bundler reads the page: absolute paths are paths in the folder. */
  readonly isBuilt: boolean;
}

function loadFindings(page: Source, folder: Folder): readonly Finding[] {
  const placeOf = placesIn(page.text);
  return page.uses.flatMap(({ code, value }): Finding[] => {
    const problem = value && loads.test(code) && problemOf(value.text, page.path, folder);
    if (!problem) return [];
    return [{ level: 'warning', file: page.path, ...placeOf(value.at), ...problem, what: cut(problem.what) }];
  });
}

type Problem = Pick<Finding, 'id' | 'what' | 'cure'>;

function problemOf(address: string, page: string, { known, hosts, isBuilt }: Folder): Problem | undefined {
  if (/^(https?:)?\/\//i.test(address)) return elsewhere(address, hosts);
  if (address === '' || /^([a-z]+:|\/gantry\/)/i.test(address)) return undefined;
  const file = decoded(address.replace(/[?#].*/, ''));
  if (!address.startsWith('/')) {
    const path = posix.normalize(posix.join(posix.dirname(page), file));
    if (known.has(path)) return isBuilt || isServed(path) ? undefined : notServed(address);
    return { id: 'file-missing', what: `names ${address}, which is not in the folder` };
  }
  const path = file.slice(1);
  if (isBuilt && (known.has(path) || known.has(`public/${path}`))) return undefined;
  return {
    id: 'absolute-path',
    what: `names ${address}: only /gantry/ is there`,
    cure: "Name files relative to the page; a Vite build does with base: './'.",
  };
}

function notServed(address: string): Problem {
  return {
    id: 'file-not-served',
    what: `names ${address}, which a site does not serve`,
    cure: 'Name a file that a page can load, outside of tests and packages; build TypeScript first.',
  };
}

function elsewhere(address: string, hosts: readonly string[]): Problem | undefined {
  if (!URL.canParse(address, 'https://any')) return { id: 'bad-address', what: `names ${address}, which is not a URL` };
  const { protocol, origin, hostname } = new URL(address, 'https://any');
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  if (protocol === 'http:' && !isLocal) {
    return {
      id: 'insecure-address',
      what: `loads ${address}: the frame loads over https only`,
      cure: 'Name it with https:, or put the file into the folder.',
    };
  }
  if (hosts.includes(origin)) return undefined;
  return {
    id: 'host-not-listed',
    what: `loads from ${origin}, which hosts does not list`,
    cure: `Write "hosts": [${JSON.stringify(cut(origin))}] in gadget.json, or put the file into the folder.`,
  };
}

function cut(text: string): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)} …` : text;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

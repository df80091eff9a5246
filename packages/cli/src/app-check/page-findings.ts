import { posix } from 'node:path';
import { type ProblemTexts, problem } from '@gantry/lab/record';
import { isServed, type Manifest } from '@gantry/proxy';
import { type Finding, placesIn } from './finding.ts';
import type { Source, Sources } from './sources.ts';

/** Characters shown of a sentence with an app's address. */
const mostShown = 500;

const loads = /^<(?:script|img|link|source|video|audio) (?:src|href)=|^url\(\)$/;
const styleLoads = /^url\(\)$/;

/** Returns files that pages and styles name and cannot load, and pages that do not load the SDK. */
export function pageFindings({ files, texts }: Sources, manifest: Manifest): readonly Finding[] {
  const known = new Set(files);
  const pages = new Set([manifest.page, ...Object.values(manifest.views ?? {})].map((path) => posix.normalize(path)));
  const hasSdk = texts.some(({ text }) => /\/gantry\/osapi\.js|@gantry\/osapi|gantry=\\d/.test(text));
  const isBuilt = files.some((path) => /^vite\.config\.[cm]?[jt]s$/.test(path));
  return texts.flatMap((source): readonly Finding[] => {
    const isPage = pages.has(source.path);
    const findings = loadFindings(source, isPage ? loads : styleLoads, { known, manifest, isBuilt });
    const hasNone = isPage && !hasSdk;
    return hasNone ? [...findings, { ...problem('no-sdk', {}), level: 'warning', file: source.path }] : findings;
  });
}

interface Folder {
  readonly known: ReadonlySet<string>;
  readonly manifest: Manifest;
  /** A bundler reads the page: absolute paths are paths in the folder. */
  readonly isBuilt: boolean;
}

function loadFindings(page: Source, pattern: RegExp, folder: Folder): readonly Finding[] {
  const placeOf = placesIn(page.text);
  return page.uses.flatMap(({ code, value }): Finding[] => {
    const texts = value && pattern.test(code) && problemOf(value.text, page.path, folder);
    return texts ? [{ ...texts, level: 'warning', file: page.path, ...placeOf(value.at) }] : [];
  });
}

function problemOf(address: string, page: string, { known, manifest, isBuilt }: Folder): ProblemTexts | undefined {
  if (/^(https?:)?\/\//i.test(address)) return elsewhere(address, manifest);
  if (/^(?:$|#|[a-z]+:|\/gantry\/)/i.test(address)) return undefined;
  if (isBuilt && /^[@~]|[${]/.test(address)) return undefined; // an import of a package, or an address that a builder completes
  const file = decoded(address.replace(/[?#].*/, ''));
  const name = cut(address);
  if (!address.startsWith('/')) {
    const path = posix.normalize(posix.join(posix.dirname(page), file));
    if (!known.has(path)) return problem('file-missing', { name });
    return isBuilt || isServed(path) ? undefined : problem('file-not-served', { name });
  }
  const path = file.slice(1);
  if (isBuilt && (known.has(path) || known.has(`public/${path}`))) return undefined;
  return problem('absolute-path', { path: name });
}

function elsewhere(address: string, manifest: Manifest): ProblemTexts | undefined {
  if (!URL.canParse(address, 'https://any')) return problem('bad-address', { address: cut(address) });
  const { protocol, origin, hostname } = new URL(address, 'https://any');
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  const facts = { kind: 'A file', origin: cut(origin), manifest };
  if (protocol === 'http:' && !isLocal) return problem('insecure-address', facts);
  return manifest.hosts.includes(origin) ? undefined : problem('host-not-listed', facts);
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

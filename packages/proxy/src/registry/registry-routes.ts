import { isBelow } from '@gantry/wire';
import type { KeyMay } from './registry-keys.ts';

const all: readonly KeyMay[] = ['live', 'approval', 'preview'];
const live: readonly KeyMay[] = ['live'];

/** Root of the registry. It is outside of REST: its bearer keys open nothing else. */
export const registryRoot = '/gantry/registry';

/** Returns true for a path of the registry, whose bodies are read after the key was checked. */
export function isRegistryPath(path: string): boolean {
  return isBelow([registryRoot], path);
}

/** The registry's operations, in the order of the document. `may` names the keys that it takes. */
export const registryRoutes = {
  readKey: {
    ...{ method: 'GET', path: '/key', may: all, isChange: false },
    summary: 'Read what this key may do',
  },
  readApp: {
    ...{ method: 'GET', path: '/apps/{app}', may: all, isChange: false },
    summary: 'Read which version is live, which wait, and which are previews',
  },
  readHistory: {
    ...{ method: 'GET', path: '/apps/{app}/history', may: all, isChange: false },
    summary: 'Read the versions and changes of an app, newest first',
  },
  readVersion: {
    ...{ method: 'GET', path: '/apps/{app}/versions/{version}', may: all, isChange: false },
    summary: 'Read a version and its differences to the live one',
  },
  findMissing: {
    ...{ method: 'POST', path: '/apps/{app}/missing', may: all, isChange: false },
    summary: 'Check a list of files, and read which of their chunks are missing',
  },
  putChunk: {
    ...{ method: 'PUT', path: '/chunks/{chunk}', may: all, isChange: false },
    summary: 'Send the bytes of one chunk',
  },
  commit: {
    ...{ method: 'POST', path: '/apps/{app}/versions', may: all, isChange: true },
    summary: 'Make a version of files whose chunks were sent',
  },
  approve: {
    ...{ method: 'POST', path: '/apps/{app}/versions/{version}/approve', may: live, isChange: true },
    summary: 'Make a version live that waits',
  },
  refuse: {
    ...{ method: 'POST', path: '/apps/{app}/versions/{version}/refuse', may: live, isChange: true },
    summary: 'Refuse a version that waits',
  },
  preview: {
    ...{ method: 'POST', path: '/apps/{app}/versions/{version}/preview', may: ['live', 'preview'], isChange: true },
    summary: 'Offer a version to named members',
  },
  rollBack: {
    ...{ method: 'POST', path: '/apps/{app}/rollback', may: live, isChange: true },
    summary: 'Make an earlier version live again',
  },
  pause: {
    ...{ method: 'POST', path: '/apps/{app}/pause', may: live, isChange: true },
    summary: 'Pause an app: members see a card, and its calls are refused',
  },
  resume: {
    ...{ method: 'POST', path: '/apps/{app}/resume', may: live, isChange: true },
    summary: 'Resume an app',
  },
} as const satisfies Readonly<Record<string, RegistryRoute>>;

export type RegistryOperation = keyof typeof registryRoutes;

export interface RegistryRoute {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the root, with names for its variable parts. */
  readonly path: string;
  readonly may: readonly KeyMay[];
  /** Changes an app: it is a row of the audit, also if it is refused. */
  readonly isChange: boolean;
  readonly summary: string;
}

/** Decoded variable parts of a path; those that it does not have are empty. */
export interface RegistryParams {
  readonly app: string;
  readonly version: string;
  readonly chunk: string;
}

export type RegistryMatch =
  | { readonly operation: RegistryOperation; readonly params: RegistryParams }
  | { readonly allow: readonly string[] }
  | undefined;

const templates = Object.entries(registryRoutes).map(([operation, { method, path }]) => ({
  operation: operation as RegistryOperation,
  method,
  parts: path.slice(1).split('/'),
}));

/** Finds the operation of a request; the methods of its path if it takes others. */
export function matchRegistryRoute(method: string, pathname: string): RegistryMatch {
  const segments = segmentsOf(pathname);
  const fitting = templates.filter(({ parts }) => segments !== undefined && fits(parts, segments));
  const match = fitting.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
  if (match === undefined || segments === undefined) {
    const allow = fitting.flatMap((one): string[] => (one.method === 'GET' ? ['GET', 'HEAD'] : [one.method]));
    return allow.length > 0 ? { allow } : undefined;
  }
  const partOf = (name: string) => segments[match.parts.indexOf(`{${name}}`)] ?? '';
  return {
    operation: match.operation,
    params: { app: partOf('app'), version: partOf('version'), chunk: partOf('chunk') },
  };
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  return (
    parts.length === segments.length && parts.every((part, index) => part.startsWith('{') || part === segments[index])
  );
}

function segmentsOf(pathname: string): readonly string[] | undefined {
  if (!pathname.startsWith(`${registryRoot}/`) || pathname.length > 1_000) return undefined;
  try {
    return pathname
      .slice(registryRoot.length + 1)
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

import { isRecord } from '@gantry/wire';
import { explainError } from './explain-script.ts';
import type { Explanation, Known } from './explanation.ts';
import { problem } from './problems.ts';

const address = "the app's address"; // a page does not report it
const ids = {
  blocked: 'frame-refused',
  version: 'version-mismatch',
  'resize-loop': 'resize-loop',
  left: 'left-page',
  reloads: 'left-page',
  unresponsive: 'busy',
  flood: 'flood',
  malformed: 'flood',
} as const;

/** Explains an incident that a page reports to its site. */
export function explainIncident(name: string, detail: unknown, { isRemote = false }: Known): Explanation | undefined {
  if (name === 'silent') {
    const isLoaded = !isRecord(detail) || detail.loaded !== false;
    return isLoaded ? problem('no-sdk', { isSilent: true, isRemote }) : problem('page-unreachable', { address });
  }
  return Object.hasOwn(ids, name)
    ? problem(ids[name as keyof typeof ids], { address, isStopped: name === 'reloads' })
    : undefined;
}

/** Explains an error that only the page received, in the words of the SDK. */
export function explainReported(detail: unknown): Explanation | undefined {
  const message = isRecord(detail) ? detail.message : undefined;
  return typeof message === 'string' && message !== '' ? explainError({ kind: 'script-error', message }) : undefined;
}

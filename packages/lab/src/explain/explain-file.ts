import { closest } from '@gantry/wire/runtime';
import type { LabEvent } from '../record/entry.ts';
import type { Explanation, Known } from './explanation.ts';
import { declares } from './manifest-line.ts';
import { problem } from './problems.ts';

/** Address of a file of an app in a lab. */
const ownFile = /^http:\/\/(?:127\.0\.0\.1|(?:[\w-]+\.)*localhost):\d+\/gantry\/apps\/[^/]+\/[\w-]+~[\w-]+\/([^?#]+)/;

/** Explains a file that did not load. A file that the policy blocked is another entry. */
export function explainFile(
  { address }: Extract<LabEvent, { kind: 'file' }>,
  { manifest, files = [] }: Known,
): Explanation | undefined {
  const about = { subject: address };
  const name = URL.canParse(address) ? ownFile.exec(address)?.[1] : address;
  if (name !== undefined) {
    if (files.includes(name)) return undefined; // the file exists, and its build reports why it fails
    const facts = { name: name || 'A file without a name', meant: nearMiss(name, files) };
    return { ...problem('file-missing', facts), subject: name };
  }
  const { origin, pathname: path, hostname } = new URL(address);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  if (isLocal && /^\/(avatars|pictures|gantry\/media)\//.test(path)) {
    const oddity = path === '/pictures/gone.svg' ? ' (hostile/dead-item)' : '';
    return { ...problem('picture-missing', { path, oddity }), ...about };
  }
  if (isLocal) return { ...problem('absolute-path', { path }), ...about };
  if (!declares(manifest, 'hosts', origin)) return undefined; // the policy violation is explained instead
  return { ...problem('file-failed', { address }), ...about };
}

function nearMiss(name: string, files: readonly string[]): string | undefined {
  const last = name.split('/').at(-1)?.toLowerCase();
  const elsewhere = files.find((file) => file.split('/').at(-1)?.toLowerCase() === last);
  return elsewhere ?? closest(name, files.slice(0, 500));
}

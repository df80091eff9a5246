import type { LabEvent } from '../record/entry.ts';
import type { Explanation, Known } from './explanation.ts';
import { problem } from './problems.ts';

const kinds: Readonly<Record<string, string>> = {
  'img-src': 'A picture',
  'style-src': 'A style sheet',
  'script-src': 'A script',
  'font-src': 'A font',
  'media-src': 'A video or sound',
  'manifest-src': 'A file',
  'default-src': 'A file',
};

/** Explains a violation of the frame's policy. */
export function explainPolicy(
  { directive, blocked, where }: Extract<LabEvent, { kind: 'policy' }>,
  { manifest }: Known,
): Explanation | undefined {
  const explained = explainRefused(directive.replace(/-(elem|attr)$/, ''), blocked, manifest);
  return explained && { ...explained, ...(where && { where }) };
}

function explainRefused(directive: string, blocked: string, manifest: Known['manifest']): Explanation | undefined {
  if (['eval', 'wasm-eval', 'trusted-types-policy'].includes(blocked)) return problem('eval');
  switch (directive) {
    case 'connect-src':
      return { ...problem('fetch-elsewhere', { address: blocked }), ...(blocked && { subject: blocked }) };
    case 'form-action':
      return { ...problem('form-submit', { address: blocked }), subject: blocked };
    case 'worker-src':
      return problem('starts-worker');
    case 'frame-src':
    case 'child-src':
    case 'object-src':
    case 'fenced-frame-src':
      return { ...problem('frame-inside', { address: blocked }), subject: `${directive} ${blocked}` };
    case 'base-uri':
      return problem('base-element');
  }
  const kind = kinds[directive];
  if (kind === undefined) return undefined;
  if (!/^https?:/.test(blocked)) {
    const scheme = /^[a-z-]+/i.exec(blocked)?.[0] ?? blocked;
    return { ...problem('data-address', { kind, scheme }), subject: `${kind} ${scheme}` };
  }
  const { origin, protocol } = new URL(URL.canParse(blocked) ? blocked : 'https://unknown.example');
  const id = protocol === 'http:' ? 'insecure-address' : 'host-not-listed';
  return { ...problem(id, { kind, origin, manifest }), subject: origin };
}

import type { LabEvent } from '../record/entry.ts';
import { explainFile } from './explain-file.ts';
import { explainIncident, explainReported } from './explain-incident.ts';
import { explainBuild, explainManifest } from './explain-manifest.ts';
import { explainPolicy } from './explain-policy.ts';
import { explainReply } from './explain-reply.ts';
import { explainConsole, explainError } from './explain-script.ts';
import type { Explanation, Known } from './explanation.ts';
import { problem } from './problems.ts';

/**
 * Explains an entry that reports a problem: what is wrong in plain words, and its cure.
 *
 * @returns `undefined` for an entry that reports no problem.
 */
export function explain(entry: LabEvent, known: Known = {}): Explanation | undefined {
  switch (entry.kind) {
    case 'manifest':
      return explainManifest(entry);
    case 'build':
      return explainBuild(entry);
    case 'reply':
    case 'push':
      return entry.error && explainReply(entry.error, known);
    case 'policy':
      return explainPolicy(entry, known);
    case 'script-error':
      return explainError(entry);
    case 'console':
      return explainConsole(entry, known);
    case 'file':
      return explainFile(entry, known);
    case 'sandbox':
      return explainSandbox(entry);
    case 'incident':
      if (entry.name === 'error') return known.isRemote ? explainReported(entry.detail) : undefined;
      if (entry.name === 'left' && known.isRemote) return undefined; // its own dev server reloads it
      return explainIncident(entry.name, entry.detail);
    case 'load':
      return entry.what === 'failed' ? explainIncident(entry.why ?? '', entry.error) : undefined;
    case 'long-task':
      return entry.ms < 1_000 ? undefined : problem('busy', { seconds: Math.round(entry.ms / 100) / 10 });
    default:
      return undefined;
  }
}

/** Explains a call or link that does nothing in a frame, without an error. */
function explainSandbox({ name, target, where }: Extract<LabEvent, { kind: 'sandbox' }>): Explanation {
  const texts = ['alert', 'confirm', 'prompt', 'print'].includes(name)
    ? { ...problem('silent-dialog', { name }), subject: name }
    : { ...problem('silent-window', { address: target }), ...(target && { subject: target }) };
  return { ...texts, ...(where && { where }) };
}

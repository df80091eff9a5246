import type { LabEvent } from '../record/entry.ts';
import { explainFile } from './explain-file.ts';
import { explainIncident, explainReported } from './explain-incident.ts';
import { explainBuild, explainManifest } from './explain-manifest.ts';
import { explainAction, explainCall } from './explain-params.ts';
import { explainPolicy } from './explain-policy.ts';
import { explainReply } from './explain-reply.ts';
import { explainConsole, explainError } from './explain-script.ts';
import type { Explanation, Known } from './explanation.ts';
import { type ProblemTexts, problem } from './problems.ts';

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
    case 'call':
      return explainCall(entry);
    case 'action':
      return explainAction(entry);
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
      if (entry.name === 'left' && known.isRemote) return undefined; // its dev server reloads it
      return explainIncident(entry.name, entry.detail, known);
    case 'load':
      return entry.what === 'failed' ? explainIncident(entry.why ?? '', entry.error, known) : undefined;
    case 'cut-off':
      return known.hasHeight ? undefined : problem('cut-off');
    case 'long-task':
      return entry.ms < 1_000 ? undefined : problem('busy', { seconds: Math.round(entry.ms / 100) / 10 });
    default:
      return undefined;
  }
}

/** Explains a call or link that the sandbox refuses or ignores: the app may catch the error. */
function explainSandbox({ name, target, where }: Extract<LabEvent, { kind: 'sandbox' }>): Explanation {
  return { ...sandboxTexts(name, target), ...(where && { where }) };
}

function sandboxTexts(name: string, address: string | undefined): ProblemTexts & Pick<Explanation, 'subject'> {
  switch (name) {
    case 'alert':
    case 'confirm':
    case 'prompt':
    case 'print':
      return { ...problem('silent-dialog', { name }), subject: name };
    case 'open':
    case 'link':
      return { ...problem('silent-window', { address }), ...(address && { subject: address }) };
    case 'download':
      return problem('downloads');
    case 'requestFullscreen':
      return problem('full-screen');
    case 'navigator.share':
      return problem('web-share');
    case 'Notification':
      return problem('notifications');
    case 'PaymentRequest':
      return problem('payments');
    case 'Worker':
    case 'serviceWorker':
      return problem('starts-worker');
    default:
      return name.startsWith('navigator.')
        ? { ...problem('uses-device', { name }), subject: name }
        : { ...problem('browser-storage', { name }), subject: name };
  }
}

import type { LoadEnd } from './start-app.ts';

/**
 * What the site's owner may want to know of an app. `silent`: it said no hello in time, and `detail.loaded` says whether its page
 * arrived · `blocked`: the page's `Content-Security-Policy` refused its frame · `error`: it says that an error was not caught · `left`: its document went
 * away · `unresponsive`: it does not answer in time · `process`: nor do others that may share its process, all in
 * `detail.apps` · `restart`: after `detail.delayMs` · `version`: it speaks none of the page's versions of the protocol, and `detail`
 * is a `VersionMismatch` · `malformed`, `flood`: its port was closed for that ·
 * `focus`: it took the focus from a member who typed, for the `detail.times`th time, or without that number so often that it was stopped ·
 * `resize-loop`: its height depends on itself · `refused`: its registration is unsafe · `stopped`: `detail.by` is the `member` or the `site`.
 */
export interface GadgetIncident {
  readonly app: string;
  readonly kind:
    | 'unresponsive'
    | 'process'
    | 'restart'
    | 'refused'
    | 'stopped'
    | 'error'
    | 'resize-loop'
    | Exclude<LoadEnd, 'moved'>;
  readonly detail: Readonly<Record<string, unknown>>;
}

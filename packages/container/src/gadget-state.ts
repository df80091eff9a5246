import type { CloseReason } from '@gantry/bridge';

/**
 * State of a gadget. `asking`: the member has to allow what the app needs · `unresponsive`: it runs
 * and does not respond · `stopped`: by the member or the site · `failed`: a card says why.
 */
export type GadgetState = 'empty' | 'waiting' | 'asking' | 'loading' | 'ready' | 'unresponsive' | 'stopped' | 'failed';

/** Limits of an app, which a site may set for each gadget. */
export interface Budgets {
  /** From its frame to its hello. */
  readonly startMs: number;
  /** For the response to a heartbeat. */
  readonly responseMs: number;
  /** Without any response, until the app is restarted; 0 is never. */
  readonly restartMs: number;
  /**
   * In the long run, with a reserve of 20 seconds. Beyond it calls are refused, then the app
   * stopped.
   */
  readonly messagesPerSecond: number;
}

/**
 * Reason of an end: `silent` apps never said hello, `blocked` ones violate the page's own policy,
 * `left` ones loaded another document, `moved` ones show a view that has another page, `focus` ones
 * kept taking the focus from a member who typed.
 */
export type LoadEnd = 'silent' | 'blocked' | 'left' | 'moved' | 'focus' | Exclude<CloseReason, 'closed'>;

/** End of a load that neither site nor member asked for. */
export interface Ended {
  readonly why: LoadEnd;
  /** Some document arrived in the frame; an error page of the browser is one too. */
  readonly loaded: boolean;
}

/**
 * Incident of an app, for the site's owner. `silent`: it said no hello in time, and `detail.loaded`
 * says whether its page arrived · `blocked`: the page's `Content-Security-Policy` refused its frame
 * · `error`: it reports an uncaught error · `left`: its document went away · `unresponsive`: it
 * does not respond in time · `process`: nor do others that may share its process, all in
 * `detail.apps` · `restart`: after `detail.delayMs` · `version`: it speaks none of the page's
 * versions of the protocol, and `detail` is a `VersionMismatch` · `malformed`, `flood`: its port
 * was closed for that · `focus`: it took the focus from a member who typed, for the
 * `detail.times`th time, or without that number so often that it was stopped · `resize-loop`: its
 * height depends on itself · `refused`: its registration is unsafe · `stopped`: `detail.by` is the
 * `member` or the `site`.
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

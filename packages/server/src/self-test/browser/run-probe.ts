import { randomNonce } from '@gantry/bridge';
import { type Report, readReport } from './report.ts';

export interface ProbeOptions {
  readonly document: string;
  /** Its role: `looks`, `stays`, … */
  readonly role: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Value of the attribute; no sandbox without it, for a control. */
  readonly sandbox?: string;
  readonly fragment?: string;
  /** Claim of its last report; `done` by default. */
  readonly until?: string;
  /** Time-out; 20 s after its start by default. */
  readonly enough?: Promise<unknown>;
  readonly onReport?: (report: Report) => void;
  /** Makes the frame; an iframe with `sandbox` by default. */
  readonly frame?: (address: string) => HTMLIFrameElement;
  /** Called with the frame before it is in the page. */
  readonly onFrame?: (frame: HTMLIFrameElement) => void;
}

/** Mounts a probe and resolves with its reports by claim, when it is done or timed out. */
export type RunProbe = (options: ProbeOptions) => Promise<ReadonlyMap<string, Report>>;

/** @param parent Element or shadow root, whose frames are not in `window.frames`. */
export function createRunProbe(parent: ParentNode & Node): RunProbe {
  return async (options) => {
    const { document: href, role, query, sandbox, fragment = '', until = 'done', frame, onFrame, onReport } = options;
    const key = randomNonce();
    const reports = new Map<string, Report>();
    const { promise, resolve } = Promise.withResolvers<void>();
    function onMessage({ data }: MessageEvent): void {
      const report = readReport(data);
      if (report?.key !== key) return;
      reports.set(report.claim, report);
      onReport?.(report);
      if (report.claim === until) resolve();
    }
    addEventListener('message', onMessage);
    const address = `${href}?${new URLSearchParams({ as: role, key, ...query })}${fragment}`;
    const made = frame ? frame(address) : plainFrame(address, sandbox);
    // In view: Chromium lays out no frames out of view, and an object without layout does not load.
    Object.assign(made.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' });
    onFrame?.(made);
    parent.append(made);
    await Promise.race([promise, options.enough ?? after(20_000)]);
    removeEventListener('message', onMessage);
    return reports;
  };
}

function plainFrame(address: string, sandbox: string | undefined): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Probe';
  if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox);
  frame.src = address;
  return frame;
}

/** Resolves after `ms`. */
export function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

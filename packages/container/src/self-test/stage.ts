import { type Report, readReport } from './report.ts';

export interface ProbeOptions {
  /** Address of its document. */
  readonly document: string;
  /** What it does: `looks`, `stays`, … */
  readonly role: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Absent: no sandbox at all, for a control. */
  readonly sandbox?: string;
  readonly fragment?: string;
  /** The report after which it has nothing more to say. */
  readonly until?: string;
  /** When to give up; 20 s after its start when absent. */
  readonly enough?: Promise<unknown>;
  /** Hears each report as it comes. */
  readonly onReport?: (report: Report) => void;
  /** Makes the frame; an iframe with that sandbox when absent. */
  readonly frame?: (address: string) => HTMLIFrameElement;
  /** Gets it before it is in the page. */
  readonly onFrame?: (frame: HTMLIFrameElement) => void;
}

/** Where probes stand while they try. */
export interface Stage {
  /** Mounts one and resolves with its reports, by claim, when it is done or out of time. */
  run(options: ProbeOptions): Promise<ReadonlyMap<string, Report>>;
}

/** @param options.parent Element or shadow root; frames in a shadow tree are no part of `window.frames`. */
export function createStage({
  parent,
  random,
}: {
  readonly parent: ParentNode & Node;
  readonly random: () => string;
}): Stage {
  return {
    async run({
      document: href,
      role,
      query,
      sandbox,
      fragment = '',
      until = 'done',
      enough = after(20_000),
      frame,
      onFrame,
      onReport,
    }) {
      const key = random();
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
      // All in one place and in sight: Chromium gives frames out of sight no layout, and without one an object does not load.
      Object.assign(made.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', border: '0' });
      onFrame?.(made);
      parent.append(made);
      await Promise.race([promise, enough]);
      removeEventListener('message', onMessage);
      return reports;
    },
  };
}

function plainFrame(address: string, sandbox: string | undefined): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Probe';
  if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox);
  frame.src = address;
  return frame;
}

/** Resolves when that time has passed. */
export function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import type { WriteReport } from '@gantry/bridge';
import type { Clock } from '@gantry/wire/runtime';
import { layersOf } from '../layers/page-layers.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';

export interface Waiting {
  readonly element: HTMLElement;
  readonly messages: Messages;
  /** All writes that wait. */
  readonly reports: readonly WriteReport[];
  /** False if the member must leave the page open for them. */
  readonly areKept: boolean;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

const lines = new WeakMap<HTMLElement, HTMLElement>();
const stops = new WeakMap<HTMLElement, () => void>(); // each clears a timer

/** Shows below an app how many of its changes wait, and counts down to the next post. */
export function showWaiting({ element, messages, reports: waiting, areKept, clock }: Waiting): void {
  stops.get(element)?.();
  if (waiting.length === 0) {
    lines.get(element)?.remove();
    lines.delete(element);
    return;
  }
  const line = lines.get(element) ?? newLine(element, messages.language);
  const [spoken, visible] = line.children as unknown as [HTMLElement, HTMLElement];
  const retryAt = Math.min(...waiting.map((report) => report.retryAt ?? Number.POSITIVE_INFINITY));
  const offline = waiting.filter((report) => report.retryAt === undefined).length;
  const write = (): void => {
    const nowMs = clock.now();
    const isCounting = offline === 0 && retryAt > nowMs;
    const time = clockText(retryAt - nowMs);
    const warning = areKept ? '' : ` ${messages.keepOpen}`;
    const text = isCounting ? fill(messages.postingIn, { time }) : waitingText(messages, offline || waiting.length);
    if (visible.textContent !== text + warning) visible.textContent = text + warning;
    // Announced once, not every second.
    const announced = (isCounting ? messages.postingLater : text) + warning;
    if (spoken.textContent !== announced) spoken.textContent = announced;
    if (isCounting) stops.set(element, clock.after(1_000, write));
  };
  write();
}

function waitingText(messages: Messages, count: number): string {
  return count === 1 ? messages.oneWaits : fill(messages.severalWait, { count: String(count) });
}

/** `0:23` */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function newLine(element: HTMLElement, lang: string): HTMLElement {
  const line = document.createElement('p');
  line.part.add('outbox');
  line.lang = lang;
  const spoken = document.createElement('span');
  spoken.setAttribute('role', 'status');
  spoken.style.cssText =
    'position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';
  const visible = document.createElement('span');
  visible.ariaHidden = 'true';
  line.style.cssText =
    'position:relative;box-sizing:border-box;inline-size:fit-content;max-inline-size:100%;margin:0.5rem 0 0;padding:0.25rem 0.75rem;border:1px solid var(--_line);border-radius:var(--_radius);background:var(--_surface);color:var(--_muted);font-size:0.875rem;font-variant-numeric:tabular-nums';
  line.append(spoken, visible);
  element.shadowRoot?.append(line);
  if (element.shadowRoot) layersOf(document).keepClear(element.shadowRoot);
  lines.set(element, line);
  return line;
}

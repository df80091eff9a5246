import type { Report } from './report.ts';
import { callerOf } from './watch-console.ts';

const silent = ['alert', 'confirm', 'prompt', 'print', 'open'] as const;

/** Reports calls and links that the sandbox ignores silently. */
export function watchSandbox(window: Window & Pick<typeof globalThis, (typeof silent)[number]>, report: Report): void {
  for (const name of silent) {
    const native = window[name] as (...values: unknown[]) => unknown;
    const watched = (...values: unknown[]): unknown => {
      report(() => ({
        kind: 'sandbox',
        name,
        ...(name === 'open' && { target: String(values[0] ?? '').slice(0, 1_000) }),
        ...callerOf(watched),
      }));
      return native.apply(window, values);
    };
    Object.assign(window, { [name]: watched });
  }
  window.addEventListener('click', (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (event.defaultPrevented || !link?.href || ['', '_self'].includes(link.target)) return;
    report(() => ({ kind: 'sandbox', name: 'link', target: link.href.slice(0, 1_000) }));
  });
}

import type { Report } from './report.ts';

const patienceMs = 1_000;

/** Reports a page that loaded without the SDK, which takes its fragment out of the address. */
export function watchStart(
  window: Window,
  { report, after }: { readonly report: Report; readonly after: (ms: number, run: () => void) => void },
): void {
  function check(): void {
    if (/^#gantry=/.test(window.location.hash)) {
      report(() => ({ kind: 'incident', name: 'silent', detail: { loaded: true } }));
    }
  }
  window.addEventListener('load', () => after(patienceMs, check));
}

import type { Report } from './report.ts';

const patienceMs = 2_000;

/** Reports once that the content has been taller than its frame for two seconds. */
export function watchHeight(
  document: Document,
  { report, after }: { readonly report: Report; readonly after: (ms: number, run: () => void) => void },
): void {
  let isWaiting = false;
  function isCutOff(): boolean {
    const { scrollHeight, clientHeight } = document.scrollingElement ?? document.documentElement;
    return clientHeight > 0 && scrollHeight > clientHeight;
  }
  const observer = new ResizeObserver(() => {
    if (isWaiting || !isCutOff()) return;
    isWaiting = true;
    after(patienceMs, () => {
      isWaiting = false;
      if (!isCutOff()) return;
      observer.disconnect();
      report(() => ({ kind: 'cut-off' }));
    });
  });
  document.addEventListener('DOMContentLoaded', () => observer.observe(document.body));
}

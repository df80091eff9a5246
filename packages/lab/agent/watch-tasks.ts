import type { Report } from './report.ts';

/** Reports tasks of at least 50 ms, which the browser names so: meanwhile the app answers nobody. */
export function watchTasks(report: Report): void {
  if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) report(() => ({ kind: 'long-task', ms: Math.round(duration) }));
  });
  observer.observe({ type: 'longtask', buffered: true });
}

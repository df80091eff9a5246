import type { Report } from './report.ts';

/** Reports long tasks (50 ms or more), during which the app cannot respond. */
export function watchTasks(report: Report): void {
  if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) report(() => ({ kind: 'long-task', ms: Math.round(duration) }));
  });
  observer.observe({ type: 'longtask', buffered: true });
}

import type { Report } from './report.ts';

const isPicture = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/** Reports files that style sheets name and that do not load: no event says so. */
export function watchStyles(report: Report): void {
  const tell = (address: string): void => report(() => ({ kind: 'file', element: 'style', address }));
  const observer = new PerformanceObserver((list) => {
    for (const { name, initiatorType, responseStatus } of list.getEntries() as PerformanceResourceTiming[]) {
      if (initiatorType !== 'css') continue;
      if (responseStatus >= 400) tell(name);
      if (responseStatus > 0 || !isPicture.test(new URL(name).pathname)) continue;
      const again = new Image(); // the status of pictures is kept from frames without an origin
      again.onerror = () => tell(name);
      again.src = name;
    }
  });
  observer.observe({ type: 'resource', buffered: true });
}

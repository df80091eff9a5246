import type { Report } from './report.ts';

/** Reports files that style sheets name and that do not load: no event says so. */
export function watchStyles(report: Report): void {
  const observer = new PerformanceObserver((list) => {
    for (const { name, initiatorType, responseStatus } of list.getEntries() as PerformanceResourceTiming[]) {
      const tell = (): void => report(() => ({ kind: 'file', element: 'style', address: name }));
      if (initiatorType !== 'css' || (responseStatus > 0 && responseStatus < 400)) continue;
      // Frames without an origin are not told the status of pictures: the cache knows them.
      if (/\.(?:avif|gif|ico|jpe?g|png|svg|webp)([?#]|$)/i.test(name))
        Object.assign(new Image(), { onerror: tell, src: name });
      else if (/\.(?:woff2?|[ot]tf)([?#]|$)/i.test(name))
        new FontFace('of-a-style', `url(${JSON.stringify(name)})`).load().catch(tell);
      else if (responseStatus >= 400) tell();
    }
  });
  observer.observe({ type: 'resource', buffered: true });
}

import type { Place } from '../gadget.ts';

const suspendAfterMs = 60_000;

/**
 * Visibility of an app. `hidden`: scrolled out of view, or in another tab. `suspended`: hidden for
 * a minute, or the browser froze the page.
 */
export type Visibility = 'visible' | 'hidden' | 'suspended';

/**
 * Emits the app's visibility to app and page, and `teardown` to the app when the page unloads,
 * which may come too late. A page in the back/forward cache does not unload: its apps are
 * suspended.
 */
export function watchVisibility({ element, gadget, emit, dispatch }: Place): () => void {
  const over = new AbortController();
  const { signal } = over;
  let isInView = true;
  let current: Visibility | undefined;
  let stopTimer = () => {};

  function set(state: Visibility): void {
    if (current === state) return;
    current = state;
    stopTimer();
    if (state === 'hidden') stopTimer = gadget.clock.after(suspendAfterMs, () => set('suspended'));
    element.toggleAttribute('suspended', state === 'suspended');
    emit('visibility', { state });
    dispatch('gantry-visibility', { app: gadget.context.app.id, state });
  }
  function check(): void {
    if (isInView && document.visibilityState === 'visible') set('visible');
    else if (current !== 'suspended') set('hidden');
  }

  const observer = new IntersectionObserver((entries) => {
    isInView = entries.at(-1)?.isIntersecting ?? false;
    check();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', check, { signal });
  document.addEventListener('freeze', () => set('suspended'), { signal });
  document.addEventListener('resume', check, { signal });
  addEventListener('pagehide', ({ persisted }) => (persisted ? set('suspended') : emit('teardown', {})), { signal });
  addEventListener('pageshow', check, { signal });
  return () => {
    stopTimer();
    observer.disconnect();
    over.abort();
    element.removeAttribute('suspended');
  };
}

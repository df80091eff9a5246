import { announce } from '../chrome/live-region.ts';
import type { StateChange } from '../container-api.ts';
import type { GadgetState } from '../gadget-state.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';

const gatherMs = 500;
const slowMs = 2_000;
const maxTitles = 5;

/**
 * Announces states to screen readers: those of one moment in one sentence, nothing twice, and
 * nothing of apps that load as fast as everything else.
 */
export function createStateAnnouncer(messages: () => Messages): (change: StateChange) => void {
  const pending = new Map<Element, StateChange>(); // gadgets that are gone are not kept
  const announced = new WeakMap<Element, GadgetState>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function announceAll(isSlow: boolean): void {
    const groups = new Map<GadgetState, StateChange[]>();
    for (const change of [...pending.values()]) {
      const { element, state } = change;
      if (state !== 'loading' || isSlow) pending.delete(element);
      if (!isNews(state, announced.get(element), isSlow)) continue;
      announced.set(element, state);
      groups.set(state, [...(groups.get(state) ?? []), change]);
    }
    for (const [state, group] of groups)
      announce({ text: sentence(state, group, messages()), lang: messages().language });
    if (pending.size > 0) {
      clearTimeout(patience);
      patience = setTimeout(announceAll, slowMs, true);
    }
  }

  return (change) => {
    const { element, state } = change;
    if (state === 'empty') {
      pending.delete(element);
      announced.delete(element);
      return;
    }
    pending.set(element, change);
    clearTimeout(timer);
    timer = setTimeout(announceAll, gatherMs, false);
  };
}

function isNews(state: GadgetState, before: GadgetState | undefined, isSlow: boolean): boolean {
  if (state === before || state === 'waiting' || state === 'unresponsive') return false; // a notice announces the last one
  if (state === 'loading') return isSlow;
  return state !== 'ready' || (before !== undefined && before !== 'unresponsive');
}

function sentence(state: GadgetState, group: readonly StateChange[], messages: Messages): string {
  const { title, reason } = group[0] as StateChange;
  const [one, several] = {
    loading: [messages.loading, messages.severalLoading],
    ready: [messages.ready, messages.severalReady],
    asking: [messages.asking, messages.severalAsking],
    stopped: [messages.stopped, messages.severalStopped],
    failed: [messages.notAvailable, messages.severalNotAvailable],
  }[state as string] as [string, string];
  if (group.length === 1) return [fill(one, { title }), reason].filter(Boolean).join('. ');
  const titles = group.slice(0, maxTitles).map(({ title }) => title);
  const rest = group.length > maxTitles ? ' …' : '';
  return fill(several, { count: String(group.length), titles: titles.join(', ') + rest });
}

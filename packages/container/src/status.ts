import { say } from './chrome/voice.ts';
import type { GadgetState } from './gantry-gadget.ts';
import { fill, type Messages } from './messages/messages.ts';

/** A gadget shows something else than before. */
export interface News {
  readonly element: Element;
  readonly state: GadgetState;
  readonly title: string;
  /** What went wrong, if something did. */
  readonly reason: string | undefined;
}

const gatherMs = 500;
const slowMs = 2_000;
const maxTitles = 5;

/**
 * Tells those who do not look what becomes of a page's gadgets: what comes together in one sentence, nothing twice, and nothing
 * of apps that load as fast as everything else.
 */
export function createStatus(messages: () => Messages, speak: typeof say = say): (news: News) => void {
  const present = new Map<Element, News>();
  const told = new Map<Element, GadgetState>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  function tell(isSlow: boolean): void {
    const groups = new Map<GadgetState, News[]>();
    for (const news of present.values()) {
      const { element, state } = news;
      if (!isNews(state, told.get(element), isSlow)) continue;
      told.set(element, state);
      groups.set(state, [...(groups.get(state) ?? []), news]);
    }
    for (const [state, group] of groups) speak({ text: sentence(state, group, messages()), lang: messages().language });
    if ([...present.values()].some(({ state }) => state === 'loading')) {
      clearTimeout(patience);
      patience = setTimeout(tell, slowMs, true);
    }
  }

  return (news) => {
    if (news.state === 'empty') {
      present.delete(news.element);
      told.delete(news.element);
      return;
    }
    present.set(news.element, news);
    clearTimeout(timer);
    timer = setTimeout(tell, gatherMs, false);
  };
}

function isNews(state: GadgetState, before: GadgetState | undefined, isSlow: boolean): boolean {
  if (state === before || state === 'waiting' || state === 'unresponsive') return false; // a notice says the last one
  if (state === 'loading') return isSlow;
  return state !== 'ready' || (before !== undefined && before !== 'unresponsive');
}

function sentence(state: GadgetState, group: readonly News[], messages: Messages): string {
  const { title, reason } = group[0] as News;
  const [one, several] = {
    loading: [messages.loading, messages.severalLoading],
    ready: [messages.ready, messages.severalReady],
    asking: [messages.asking, messages.severalAsking],
    stopped: [messages.stopped, messages.severalStopped],
    failed: [messages.notAvailable, messages.severalNotAvailable],
  }[state as string] as [string, string];
  if (group.length === 1) return [fill(one, { title }), reason].filter(Boolean).join('. ');
  const titles = group.slice(0, maxTitles).map((news) => news.title);
  const rest = group.length > maxTitles ? ' …' : '';
  return fill(several, { count: String(group.length), titles: titles.join(', ') + rest });
}

import { adoptStyles } from '../chrome/css.ts';
import { openDialog } from '../chrome/dialog.ts';
import { textElement } from '../chrome/text-element.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { appName } from './app-name.ts';
import type { Asker } from './askers.ts';
import { rememberNotNow } from './not-now.ts';
import { neededQuestion } from './question.ts';
import { togetherStyles } from './together-styles.ts';

/**
 * Asks for what several apps need in one dialog, with a line to decide about each alone. Grants
 * what its lines show, to apps whose cards still wait; one that asks later is not in it.
 *
 * @param options.asking One for each app.
 * @param options.place As `openDialog`.
 */
export async function askTogether(options: {
  readonly asking: readonly Asker[];
  readonly words: Messages;
  readonly place: Element;
}): Promise<void> {
  const { asking, words, place } = options;
  const over = new AbortController();
  const { signal } = over;
  const lines = asking.map((asker, index) => createLine(asker, { index, words, onChange: goOn, signal }));
  const hint = textElement('p', words.takeBackHint, { className: 'quiet' });
  const chosen = openDialog({
    title: fill(words.asksTogether, { count: `${asking.length}` }),
    content: [...lines.map(({ element }) => element), hint],
    actions: [
      { id: 'later', label: words.notNow },
      { id: 'all', label: words.allowAll, isPrimary: true },
    ],
    messages: words,
    place,
    signal,
  });
  const root = hint.getRootNode() as ShadowRoot;
  adoptStyles(root, togetherStyles);
  const all = root.querySelector('.primary') as HTMLElement;
  holdUntilShown(all, hint.parentElement as HTMLElement);
  goOn(); // the browser may have focused the scroller

  /** Focuses the next line, or closes the dialog after the last. */
  function goOn(): void {
    if (lines.every(({ state }) => state === 'over')) over.abort();
    else if (root.activeElement?.matches(':enabled') !== true) {
      root.querySelector<HTMLElement>('button:enabled')?.focus();
    }
  }

  const isAll = (await chosen) === 'all';
  over.abort();
  const open = lines.filter(({ state }) => state === 'open');
  if (isAll) await Promise.all(open.map(({ allow }) => allow()));
  else for (const { refuse } of open) refuse();
}

/**
 * Lets the button for all take no press before the last line was shown: one before that shows more.
 */
function holdUntilShown(all: HTMLElement, content: HTMLElement): void {
  let isShown = false;
  const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;
  function look(): void {
    const { scrollTop, clientHeight, scrollHeight } = content;
    content.classList.toggle('more', scrollTop + clientHeight < scrollHeight - 1);
    const last = [...content.querySelectorAll('.line > .actions')].at(-1);
    isShown ||= last === undefined || bottomOf(last) <= bottomOf(content) + 1;
  }
  content.addEventListener('scroll', look);
  new ResizeObserver(look).observe(content);
  all.addEventListener(
    'click',
    (event) => {
      look();
      if (isShown) return;
      event.stopImmediatePropagation();
      content.scrollBy(0, content.clientHeight * 0.8);
    },
    { capture: true },
  );
}

/** @param options.signal Aborted when the dialog is closed. */
function createLine(
  asker: Asker,
  options: {
    readonly index: number;
    readonly words: Messages;
    readonly onChange: () => void;
    readonly signal: AbortSignal;
  },
) {
  const { index, words, onChange, signal } = options;
  const { gadget, card } = asker;
  const { heading, content, needed } = neededQuestion(gadget, words);
  const name = appName(gadget);
  const buttons = [button(words.notNow, refuse), button(words.allow, () => void allow())];
  const outcome = textElement('p', '', { className: 'outcome', role: 'status' });
  const row = textElement('div', '', { className: 'actions' });
  row.append(outcome, ...buttons);
  const element = textElement('div', '', { className: 'line', role: 'group' });
  element.dataset.app = gadget.context.app.id;
  element.setAttribute('aria-labelledby', `line-${index}`);
  element.append(textElement('strong', heading, { id: `line-${index}` }), ...content, row);
  const line = { element, state: 'open' as 'open' | 'deciding' | 'over', allow, refuse };
  asker.signal.addEventListener('abort', leave, { signal });
  if (asker.signal.aborted) queueMicrotask(leave); // the gadget was removed while this loaded

  function button(label: string, onClick: () => void): HTMLButtonElement {
    const made = textElement('button', label, { type: 'button', className: 'action', ariaLabel: `${label}: ${name}` });
    made.addEventListener('click', onClick);
    return made;
  }
  function enter(state: typeof line.state, text: string): void {
    line.state = state;
    outcome.textContent = text;
    for (const each of buttons) {
      each.disabled = state === 'deciding';
      if (state === 'over') each.remove();
    }
    onChange();
  }
  /** Removes a line that was decided elsewhere, or whose app is not what it was. */
  function leave(): void {
    if (line.state !== 'open') return;
    element.remove();
    enter('over', '');
  }
  function refuse(): void {
    rememberNotNow(gadget);
    enter('over', words.notNow);
  }
  async function allow(): Promise<void> {
    if (!card.isConnected) return leave();
    enter('deciding', '');
    const reply = await gadget.decide({ grant: needed });
    if (!('error' in reply)) enter('over', words.allowed);
    else if (signal.aborted) asker.wait(words.failed);
    else enter('open', words.failed);
  }
  return line;
}

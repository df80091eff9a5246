import type { WireError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Gadget, Question } from '../gadget.ts';
import type { Ended, GadgetState } from '../gadget-state.ts';
import type { SilentApp } from '../load/responsiveness.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';

// Rendered by hand: every page has these few elements, and templates come with the chrome.

const patienceMs = 1_000;

/** Elements of every gadget, and the places of its chrome. */
export interface GadgetBody {
  readonly root: HTMLElement;
  /** Row of the heading, with the menu behind it. */
  readonly head: HTMLElement;
  readonly before: HTMLElement;
  /** Place of the app. */
  readonly pane: HTMLElement;
  /** In the pane. */
  readonly card: HTMLElement;
  readonly after: HTMLElement;
  /** @param chrome Undefined before it is fetched; false if it cannot be. */
  show(props: GadgetProps, chrome: object | false | undefined): void;
}

export interface Notices {
  /** Apps that do not respond: this one, and those that share its process. */
  readonly silent?: readonly SilentApp[] | undefined;
  /** The app took the focus from the member, who has not decided about it yet. */
  readonly isAccused?: boolean;
  /** Text for the app's author. */
  readonly warning?: string | undefined;
  /** Another version of the app is ready. */
  readonly version?: Question | undefined;
  /** The member may try a preview, or has one that could not be left. */
  readonly preview?: Question | undefined;
}

/** Properties by which a gadget is rendered. */
export interface GadgetProps extends Notices {
  readonly element: HTMLElement & { reload(): void };
  readonly state: GadgetState;
  readonly messages: Messages;
  readonly gadget: Gadget | undefined;
  readonly title: string;
  /** Absent without a heading. */
  readonly heading: string | undefined;
  /** Is never moved: a frame that is inserted again loads anew. */
  readonly frame: HTMLIFrameElement | undefined;
  /** Card that asks the member. */
  readonly asking: HTMLElement | undefined;
  readonly hasMenu: boolean;
  /** Called when the member has read a notice. */
  readonly onNotice: (change: Notices) => void;
  /** Error of the last load that failed, and its end. */
  readonly error: WireError | undefined;
  readonly ended: Ended | undefined;
  readonly onStop: () => void;
}

/** @param onHeading Called when the site adds a heading of its own, or removes it. */
export function createGadgetBody(clock: Pick<Clock, 'after'>, onHeading: () => void): GadgetBody {
  const text = make('h2', { part: 'heading' });
  const heading = make('slot', { name: 'heading' }, text);
  heading.addEventListener('slotchange', onHeading);
  const head = make('div', {}, heading);
  const rows = Array.from({ length: 5 }, () => make('div', { class: 'row' }, make('i'), make('b'), make('b')));
  const skeleton = make('div', { part: 'skeleton', class: 'skeleton' }, make('div', { class: 'rows' }, ...rows));
  const loading = make('slot', { name: 'loading' }, skeleton);
  const reason = make('p', { part: 'card' });
  const failed = make('slot', { name: 'error' }, reason);
  const card = make('div');
  const before = make('div');
  const after = make('div');
  const pane = make('div', { tabindex: '-1' }, card);
  const root = make('div', { class: 'body' }, head, before, pane, after);
  let children: readonly HTMLElement[] = [];
  let stopWaiting: (() => void) | undefined;

  /** Marks an app that takes longer than a second. */
  function wait(isLoading: boolean): void {
    if (isLoading === (stopWaiting !== undefined)) return;
    stopWaiting?.();
    stopWaiting = isLoading ? clock.after(patienceMs, () => root.classList.add('late')) : undefined;
    root.classList.remove('late');
  }

  return {
    root,
    head,
    before,
    pane,
    card,
    after,
    show(props, chrome) {
      const { element, state, messages, title, frame } = props;
      const isLoading = state === 'loading';
      const isPending = isLoading || state === 'waiting' || (isAway(state) && chrome === undefined);
      const hasHeading = props.heading !== undefined || element.querySelector(':scope > [slot=heading]') !== null;
      const loadingText = isLoading ? fill(messages.loading, { title }) : '';
      head.className = hasHeading ? 'head' : 'bare';
      text.textContent = props.heading ?? '';
      text.hidden = !props.heading;
      wait(isLoading);
      pane.className = `pane ${state}`;
      pane.ariaBusy = String(isLoading);
      skeleton.role = loadingText ? 'progressbar' : 'none';
      skeleton.ariaLabel = loadingText;
      if (frame) frame.title = title;
      const error = state === 'failed' && chrome === false ? props.error : undefined;
      reason.textContent = error?.message ?? '';
      const asking = state === 'asking' && props.asking;
      const parts = [frame, asking, isPending && loading, error && failed].filter((part) => !!part);
      for (const part of children) if (!parts.includes(part)) part.remove();
      for (const part of parts)
        if (!children.includes(part)) pane.insertBefore(part, part === frame ? pane.firstChild : card);
      children = parts;
    },
  };
}

/** True if a card takes the place of the app. */
export function isAway(state: GadgetState): boolean {
  return state === 'failed' || state === 'stopped';
}

function make(tag: string, attributes: Readonly<Record<string, string>> = {}, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

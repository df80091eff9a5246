import type { Clock } from '@gantry/wire';
import type { GadgetState } from '../gadget-state.ts';

// Rendered by hand: every page has these few elements, and templates come with the chrome.

const patienceMs = 1_000;

/** Elements of every gadget, and the places of its chrome. */
export interface GadgetBody {
  readonly root: HTMLElement;
  /** Row of the heading, with the menu behind it. */
  readonly head: HTMLElement;
  readonly before: HTMLElement;
  /** Place of the app. */
  readonly stage: HTMLElement;
  /** In the stage. */
  readonly card: HTMLElement;
  readonly after: HTMLElement;
  show(look: BodyLook): void;
}

export interface BodyLook {
  readonly state: GadgetState;
  readonly heading: string;
  /** The site wrote a heading of its own, or the app's title is one. */
  readonly hasHeading: boolean;
  /** Is never moved: a frame that is inserted again loads anew. */
  readonly frame: HTMLIFrameElement | undefined;
  /** Title of the frame. */
  readonly title: string;
  readonly asking: HTMLElement | undefined;
  /** The app is pending: a skeleton stands in its place. */
  readonly isPending: boolean;
  /** Name of the progress bar for screen readers; empty for an app that does not load yet. */
  readonly announced: string;
  /** Error text, where no card can be fetched. */
  readonly error: string | undefined;
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
  const stage = make('div', { tabindex: '-1' }, card);
  const root = make('div', { class: 'body' }, head, before, stage, after);
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
    stage,
    card,
    after,
    show(look) {
      const { state, frame, asking } = look;
      head.className = look.hasHeading ? 'head' : 'bare';
      text.textContent = look.heading;
      text.hidden = !look.heading;
      wait(state === 'loading');
      stage.className = `stage ${state}`;
      stage.ariaBusy = String(state === 'loading');
      skeleton.role = look.announced ? 'progressbar' : 'none';
      skeleton.ariaLabel = look.announced;
      if (frame) frame.title = look.title;
      reason.textContent = look.error ?? '';
      const wanted = [frame, asking, look.isPending && loading, look.error !== undefined && failed].filter(
        (part) => !!part,
      );
      for (const part of children) if (!wanted.includes(part)) part.remove();
      for (const part of wanted)
        if (!children.includes(part)) stage.insertBefore(part, part === frame ? stage.firstChild : card);
      children = wanted;
    },
  };
}

function make(tag: string, attributes: Readonly<Record<string, string>> = {}, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

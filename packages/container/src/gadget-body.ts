import type { Clock } from '@gantry/wire';
import type { GadgetState } from './gantry-gadget.ts';

// Drawn by hand: every page has these few elements, and templates come with what is shown only at times (`gadget-chrome.ts`).

const patienceMs = 1_000;

/** What every gadget has, and the places of what it shows at times. */
export interface GadgetBody {
  readonly root: HTMLElement;
  /** Of the heading. The menu comes after it. */
  readonly head: HTMLElement;
  readonly before: HTMLElement;
  /** Of the app. */
  readonly stage: HTMLElement;
  /** In the stage. */
  readonly card: HTMLElement;
  readonly after: HTMLElement;
  show(look: GadgetLook): void;
}

export interface GadgetLook {
  readonly state: GadgetState;
  readonly heading: string;
  /** The site wrote one of its own, or one comes with the app's title. */
  readonly hasHeading: boolean;
  /** Stays where it is for as long as it is shown: one that is put anywhere again loads anew. */
  readonly frame: HTMLIFrameElement | undefined;
  /** Of the frame. */
  readonly title: string;
  readonly asking: HTMLElement | undefined;
  /** The app is not here yet: a skeleton stands in its place. */
  readonly coming: boolean;
  /** What those find who listen; nothing for an app whose time has not come. */
  readonly announced: string;
  /** What went wrong, where no card can say so. */
  readonly error: string | undefined;
}

/** @param onHeading The site put a heading there, or took it away. */
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
  let standing: readonly HTMLElement[] = [];
  let stopWaiting: (() => void) | undefined;

  /** An app that keeps its member waiting is shown otherwise. */
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
      const wanted = [frame, asking, look.coming && loading, look.error !== undefined && failed].filter(
        (part) => !!part,
      );
      for (const part of standing) if (!wanted.includes(part)) part.remove();
      for (const part of wanted)
        if (!standing.includes(part)) stage.insertBefore(part, part === frame ? stage.firstChild : card);
      standing = wanted;
    },
  };
}

function make(tag: string, attributes: Readonly<Record<string, string>> = {}, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

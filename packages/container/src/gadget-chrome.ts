import { isLocalHost, type VersionMismatch, type VersionRange, type WireError } from '@gantry/wire';
import { html, nothing, render } from 'lit-html';
import type { SilentApp } from './care.ts';
import { css } from './chrome/css.ts';
import { explain } from './chrome/explain.ts';
import { holdInput } from './chrome/hold-input.ts';
import type { Gadget } from './gadget.ts';
import type { GadgetBody } from './gadget-body.ts';
import type { GantryGadget } from './gantry-gadget.ts';
import { layersOf } from './layers/page-layers.ts';
import { fill, type Messages } from './messages/messages.ts';
import type { Ended } from './start-app.ts';

// What a gadget shows beside its app when not all is as usual: fetched then. Text is shown as text (security rule 7).

/** What a gadget is, and what of its chrome there is to show now. */
export interface ChromeLook {
  readonly title: string;
  readonly messages: Messages;
  readonly gadget: Gadget | undefined;
  readonly element: GantryGadget;
  readonly hasMenu: boolean;
  /** Apps that do not answer: this one, and those that share its process. */
  readonly silent: readonly SilentApp[] | undefined;
  /** A text for the app's author. */
  readonly warning: string | undefined;
  readonly onRead: () => void;
  /** The app runs. */
  readonly isHere: boolean;
  /** A card stands in the place of the app. */
  readonly isAway: boolean;
  /** What went wrong. Without it, the app was stopped on purpose. */
  readonly error: WireError | undefined;
  /** How the app's load ended, if that is what went wrong. */
  readonly ended: Ended | undefined;
  readonly onStop: () => void;
}

const drawn = new WeakMap<Element, { readonly body: GadgetBody; readonly look: ChromeLook }>();
const accused = new WeakSet<Element>();

/** Offers the member to stop an app that took the focus from them, until they decide or it ends. */
export function offerStop(element: Element): void {
  accused.add(element);
  redraw(element);
}

function forgive(element: Element): void {
  accused.delete(element);
  redraw(element);
}

function redraw(element: Element): void {
  const last = drawn.get(element);
  if (last) drawChrome(last.body, last.look);
}

/** Draws what there is to show, and takes away what there is not. */
export function drawChrome(body: GadgetBody, look: ChromeLook): void {
  drawn.set(look.element, { body, look });
  if (!look.isHere) accused.delete(look.element);
  render(look.hasMenu ? menu(look) : nothing, body.head);
  const asks = look.silent ? notice(look, look.silent) : accused.has(look.element) ? focusNotice(look) : nothing;
  const notices = html`${asks}${look.warning ? warning(look) : nothing}`;
  render(html`${notices}${look.isHere ? skip(look) : nothing}`, body.before);
  render(look.isAway ? card(look) : nothing, body.card);
  render(look.isHere ? end(look) : nothing, body.after);
  layersOf(document).keepClear(look.element.shadowRoot as ShadowRoot);
  for (const question of body.before.querySelectorAll<HTMLElement>('.notice:not([data-held])')) hold(question);
}

/** A notice asks too, and an app chooses when: it takes no press that was meant for something else (security rule 26). */
function hold(notice: HTMLElement): void {
  notice.dataset.held = '';
  holdInput(notice, { buttons: () => notice.querySelectorAll('button'), now: () => performance.now() }).hold();
}

/** Before and behind an app: who goes by keyboard need not go through it. Both are seen when they have the focus. */
function skip({ title, messages }: ChromeLook): unknown {
  return html`<button part="skip" class="skip" type="button" lang=${messages.language} @click=${toEnd}>
    ${fill(messages.skip, { title })}
  </button>`;
}
function end({ title, messages }: ChromeLook): unknown {
  return html`<span part="end" class="skip end" tabindex="-1" @focus=${enter} @blur=${leave} lang=${messages.language}>${fill(messages.end, { title })}</span>`;
}

// From what has no place in the order of tabs, Chromium goes back to the start of its shadow tree.
function enter({ currentTarget }: Event): void {
  (currentTarget as HTMLElement).tabIndex = 0;
}
function leave({ currentTarget }: Event): void {
  (currentTarget as HTMLElement).tabIndex = -1;
}

function toEnd({ currentTarget }: Event): void {
  const root = (currentTarget as HTMLElement).getRootNode() as ShadowRoot;
  root.querySelector<HTMLElement>('.end')?.focus();
}

/** Stands where an app is not, and says why. */
function card(look: ChromeLook): unknown {
  const { title, messages, element } = look;
  const error = failureText(look);
  const isStopped = error === undefined;
  const versions = look.error?.data?.versions;
  const name = fill(isStopped ? messages.stopped : messages.notAvailable, { title });
  const drawn = html`<div part="card" class="card" role="group" aria-label=${name} lang=${messages.language}>
    ${isStopped ? resting : broken}
    <strong>${name}</strong>
    <p>${error ?? messages.stoppedText}</p>
    ${versions ? html`<p class="versions">${versionsText(versions, messages)}</p>` : nothing}
    <button part="retry" class="main" type="button" @click=${() => element.reload()}>
      ${isStopped ? messages.startAgain : messages.tryAgain}
    </button>
  </div>`;
  return isStopped ? drawn : html`<slot name="error">${drawn}</slot>`;
}

/** Says what went wrong: to members in their language, and on a developer's machine what keeps the app from starting. */
function failureText({ error, ended, gadget, messages }: ChromeLook): string | undefined {
  if (error === undefined) return undefined;
  const explained = ended && gadget?.declared && explain(ended, gadget.document);
  const texts: Readonly<Record<string, string>> = { APP_PAUSED: messages.paused, APP_MISSING: messages.missing };
  const own = isLocalHost(location.hostname) ? undefined : texts[error.data?.reason ?? ''];
  return explained || own || error.message;
}

/** Tells the owner of the site and the author of the app which of the two needs which version. */
function versionsText({ app, page, update, needs }: VersionMismatch, messages: Messages): unknown {
  const remedy = update === 'app' ? messages.appNeeds : needs ? messages.siteNeeds : messages.siteNeedsNewer;
  const spoken = fill(messages.versions, { app: spanOf(app), page: spanOf(page) });
  return html`${spoken} <br />${fill(remedy, { release: needs ?? '' })}`;
}

/** Writes a range of versions: `3–4`, or `1`. */
function spanOf(range: VersionRange): string {
  return [...new Set(range)].join('–');
}

const broken = html`<svg viewBox="0 0 48 48" aria-hidden="true">
  <path d="M27 9H12a5 5 0 0 0-5 5v20a5 5 0 0 0 5 5h24a5 5 0 0 0 5-5V22" />
  <path d="M7 18h17M31 17l4-5M37 18l5-2M33 10l1-5" />
  <path d="M18 31a7.5 7.5 0 0 1 12 0" />
</svg>`;

const resting = html`<svg viewBox="0 0 48 48" aria-hidden="true">
  <rect x="7" y="9" width="34" height="30" rx="5" />
  <path d="M7 18h34M21 25v7M27 25v7" />
</svg>`;

/** Stands above an app that does not answer, or above one of several that share a process. */
function notice({ title, messages }: ChromeLook, silent: readonly SilentApp[]): unknown {
  const isOne = silent.length === 1;
  const text = isOne ? messages.unresponsive : messages.unresponsiveTogether;
  const button = (label: string, act: (app: SilentApp) => void) =>
    html`<button part="notice-action" class="quiet" type="button" @click=${() => silent.forEach(act)}>${label}</button>`;
  return html`<div part="notice" class="notice" role="alert" lang=${messages.language}>
    <span>${fill(text, { title, count: String(silent.length) })}</span>
    <div>
      ${button(messages.wait, (app) => app.wait())}
      ${button(isOne ? messages.reload : messages.reloadAll, (app) => app.reload())}
      ${button(isOne ? messages.stop : messages.stopAll, (app) => app.stop())}
    </div>
  </div>`;
}

/** Says above an app what its author should see. */
function warning({ messages, warning, onRead }: ChromeLook): unknown {
  return html`<div part="notice" class="notice" role="alert" lang="en">
    <span>${warning}</span>
    <div><button part="notice-action" class="quiet" type="button" @click=${onRead}>${messages.close}</button></div>
  </div>`;
}

/** Stands above an app that took the focus from a member who was typing elsewhere, more than once. */
function focusNotice({ title, messages, element, onStop }: ChromeLook): unknown {
  const button = (label: string, act: () => void) =>
    html`<button part="notice-action" class="quiet" type="button" @click=${act}>${label}</button>`;
  return html`<div part="notice" class="notice" role="alert" lang=${messages.language}>
    <span>${fill(messages.tookFocus, { title })}</span>
    <div>${button(messages.close, () => forgive(element))} ${button(messages.stop, onStop)}</div>
  </div>`;
}

/** What the member can do with an app: a popover, so that it closes as members expect. */
function menu({ title, messages, gadget, element, onStop }: ChromeLook): unknown {
  const { context, consent } = gadget ?? {};
  const hasPermissions = context?.permissions.length || consent?.optional.length;
  const manage = async () => {
    const { managePermissions } = await import('./consent/manage.ts');
    if (gadget) await managePermissions({ gadget, element, messages });
  };
  const hasPreferences = context?.views.includes('preferences');
  const label = fill(messages.options, { title });
  return html`<button part="options" class="options" type="button" popovertarget="menu" lang=${messages.language} aria-label=${label}>⋮</button>
    <div
    id="menu"
    part="menu"
    popover
    role="group"
    lang=${messages.language}
    aria-label=${label}
    @toggle=${closeOnBlur}
    @click=${({ currentTarget }: Event) => (currentTarget as HTMLElement).hidePopover()}
  >
    <button part="menu-item" class="quiet" type="button" @click=${() => element.reload()}>${messages.reload}</button>
    <button part="menu-item" class="quiet" type="button" @click=${onStop}>${messages.stop}</button>
    ${hasPreferences ? html`<button part="menu-item preferences" class="quiet" type="button" @click=${() => gadget?.go?.('preferences')}>${messages.preferences}</button>` : nothing}
    ${hasPermissions ? html`<button part="menu-item permissions" class="quiet" type="button" @click=${manage}>${messages.permissions}</button>` : nothing}
  </div>`;
}

/** A click into a frame is none for the page, but takes the focus from it. */
function closeOnBlur({ currentTarget, newState }: ToggleEvent): void {
  if (newState === 'open') addEventListener('blur', () => (currentTarget as HTMLElement).hidePopover(), { once: true });
}

/** For the shadow tree of a gadget, beside its own styles. */
export const chromeStyles = css`
  .options {
    flex: none;
    inline-size: 1.75rem;
    block-size: 1.75rem;
    padding: 0;
    border: 1px solid transparent;
    border-radius: 0.5rem;
    background: none;
    color: var(--_muted);
    font: 700 1.125rem / 1 system-ui, sans-serif;
    cursor: pointer;
  }
  .options:hover,
  .options[aria-expanded='true'] {
    background: color-mix(in srgb, var(--_muted) 16%, var(--_surface));
    color: var(--_ink);
  }
  /* Without a heading there is no place for it: it comes over the app's corner for who points there or tabs to it. */
  .bare {
    position: absolute;
    z-index: 1;
    inset-block-start: 0.375rem;
    inset-inline-end: 0.375rem;
    margin: 0;
    opacity: 0;
    pointer-events: none;
    transition: opacity 0.15s;
  }
  .bare .options {
    border-color: var(--_line);
    background: var(--_surface);
  }
  :host(:hover) .bare,
  .bare:focus-within {
    opacity: 1;
    pointer-events: auto;
  }
  .skip {
    position: absolute;
    z-index: 2;
    inset-inline-start: 0.375rem;
    margin-block-start: 0.375rem; /* over the app, below its heading */
    min-block-size: 2.25rem;
    max-inline-size: calc(100% - 0.75rem);
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 4px);
    background: var(--_surface);
    color: var(--_accent);
    font: inherit;
    font-size: 0.9375rem;
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    cursor: pointer;
  }
  .skip:not(:focus) {
    inline-size: 1px;
    block-size: 1px;
    min-block-size: 0;
    padding: 0;
    clip-path: inset(50%);
  }
  .end {
    inset-block: auto 0.375rem;
    box-sizing: border-box;
    color: var(--_muted);
    cursor: default;
  }
  .skip:focus {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  /* English keeps its own order on a page that is written from right to left, and stands at that page's side. */
  strong,
  p,
  .notice > span,
  [popover] .quiet {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .skip,
  .main,
  .quiet {
    unicode-bidi: plaintext;
  }
  .card,
  .notice,
  [popover] {
    box-sizing: border-box;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_ink);
    overflow-wrap: anywhere;
  }
  .card {
    display: grid;
    justify-items: center;
    gap: 0.25rem;
    padding: 1.75rem 1.25rem;
    text-align: center;
  }
  svg {
    inline-size: 3rem;
    margin-block-end: 0.5rem;
    fill: none;
    stroke: var(--_muted);
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  strong {
    font-weight: 650;
  }
  p {
    max-inline-size: 36ch;
    margin: 0;
    color: var(--_muted);
    font-size: 0.9375rem;
    text-wrap: balance;
  }
  .versions {
    margin-block-start: 0.5rem;
    font-size: 0.8125rem;
  }
  .main {
    min-block-size: 2.75rem;
    margin-block-start: 1rem;
    padding: 0 1.25rem;
    border: 1px solid transparent;
    border-radius: 1.375rem;
    background: var(--_accent);
    color: var(--_on-accent);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  .main:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_ink));
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    margin-block-end: 0.5rem;
    padding-block: 0.375rem;
    padding-inline: 1rem 0.5rem;
    font-size: 0.9375rem;
  }
  .notice > span {
    flex: 1 1 12rem;
  }
  .quiet {
    min-block-size: 2.25rem;
    padding: 0 0.75rem;
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) - 4px);
    background: none;
    color: var(--_accent);
    font: inherit;
    font-size: 0.9375rem;
    font-weight: 600;
    cursor: pointer;
  }
  .quiet:hover {
    background: color-mix(in srgb, var(--_accent) 12%, transparent);
  }
  .quiet[aria-disabled='true'] {
    opacity: 0.55;
    cursor: default;
  }
  [popover] {
    min-inline-size: 9rem;
    padding: 0.25rem;
    box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.18);
    font: inherit;
  }
  [popover]:popover-open {
    display: grid;
    align-content: start; /* WebKit makes a grid as high as the view otherwise */
  }
  [popover] .quiet {
    color: var(--_ink);
    font-weight: 400;
  }
  /* Elsewhere it opens in the middle of the view, as popovers do. */
  @supports (position-area: block-end) {
    [popover] {
      inset: auto;
      margin: 0.25rem 0;
      position-area: block-end span-inline-start;
      position-try-fallbacks: flip-block, flip-inline;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bare {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .options,
    .bare .options {
      border-color: ButtonBorder;
      color: ButtonText;
    }
    .main,
    .quiet {
      border-color: ButtonBorder;
    }
    .quiet[aria-disabled='true'] {
      border-color: GrayText;
      color: GrayText;
      opacity: 1;
    }
  }
`;

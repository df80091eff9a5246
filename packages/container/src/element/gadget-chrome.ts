import type { WireError } from '@gantry/wire';
import { html, nothing, render } from 'lit-html';
import { explainFailedStart } from '../chrome/explain-failed-start.ts';
import { holdInput } from '../chrome/hold-input.ts';
import type { Gadget } from '../gadget.ts';
import type { Ended } from '../gadget-state.ts';
import { layersOf } from '../layers/page-layers.ts';
import type { SilentApp } from '../load/responsiveness.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { adoptStyles } from './adopt-styles.ts';
import { chromeStyles } from './chrome-styles.ts';
import type { GadgetBody } from './gadget-body.ts';
import { card } from './gadget-card.ts';

// Fetched when there is something to show beside the app. Text is shown as text (security rule 7).

/** The chrome of a gadget as it is to be rendered. */
export interface ChromeLook {
  readonly title: string;
  readonly messages: Messages;
  readonly gadget: Gadget | undefined;
  readonly element: HTMLElement & { reload(): void };
  readonly hasMenu: boolean;
  /** Apps that do not respond: this one, and those that share its process. */
  readonly silent: readonly SilentApp[] | undefined;
  /** Text for the app's author. */
  readonly warning: string | undefined;
  readonly onRead: () => void;
  /** The app runs. */
  readonly isHere: boolean;
  /** A card stands in the place of the app. */
  readonly isAway: boolean;
  /** Absent for an app that was stopped on purpose. */
  readonly error: WireError | undefined;
  /** End of the load, if that is the error. */
  readonly ended: Ended | undefined;
  readonly onStop: () => void;
}

const rendered = new WeakMap<Element, { readonly body: GadgetBody; readonly look: ChromeLook }>();
const accused = new WeakSet<Element>();

/** Offers the member to stop an app that took the focus from them, until they decide or it ends. */
export function offerStop(element: Element): void {
  accused.add(element);
  renderAgain(element);
}

function forgive(element: Element): void {
  accused.delete(element);
  renderAgain(element);
}

function renderAgain(element: Element): void {
  const last = rendered.get(element);
  if (last) renderChrome(last.body, last.look);
}

/** Renders the chrome around the body of a gadget. */
export function renderChrome(body: GadgetBody, look: ChromeLook): void {
  rendered.set(look.element, { body, look });
  if (!look.isHere) accused.delete(look.element);
  render(look.hasMenu ? menu(look) : nothing, body.head);
  const asks = look.silent ? notice(look, look.silent) : accused.has(look.element) ? focusNotice(look) : nothing;
  const notices = html`${asks}${look.warning ? warning(look) : nothing}`;
  render(html`${notices}${look.isHere ? skip(look) : nothing}`, body.before);
  render(look.isAway ? cardOf(look) : nothing, body.card);
  render(look.isHere ? end(look) : nothing, body.after);
  const root = look.element.shadowRoot as ShadowRoot;
  adoptStyles(root, chromeStyles);
  layersOf(document).keepClear(root);
  for (const question of body.before.querySelectorAll<HTMLElement>('.notice:not([data-held])')) hold(question);
}

function cardOf({ gadget, ended, element, ...look }: ChromeLook): unknown {
  const explanation = ended && gadget?.declared && explainFailedStart(ended, gadget.document);
  return card({ ...look, explanation, onReload: () => element.reload() });
}

/**
 * Ignores presses that were meant for something else: an app chooses when it asks (security rule
 * 26).
 */
function hold(notice: HTMLElement): void {
  notice.dataset.held = '';
  holdInput(notice, { buttons: () => notice.querySelectorAll('button'), now: () => performance.now() }).hold();
}

/**
 * Lets keyboards pass the app: a button before it and its target behind it, shown while focused.
 */
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

/** Asks what to do with an app that does not respond, or several that share a process. */
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

/** Shows a text for the app's author. */
function warning({ messages, warning, onRead }: ChromeLook): unknown {
  return html`<div part="notice" class="notice" role="alert" lang="en">
    <span>${warning}</span>
    <div><button part="notice-action" class="quiet" type="button" @click=${onRead}>${messages.close}</button></div>
  </div>`;
}

/** Offers to stop an app that took the focus repeatedly from a member who was typing elsewhere. */
function focusNotice({ title, messages, element, onStop }: ChromeLook): unknown {
  const button = (label: string, act: () => void) =>
    html`<button part="notice-action" class="quiet" type="button" @click=${act}>${label}</button>`;
  return html`<div part="notice" class="notice" role="alert" lang=${messages.language}>
    <span>${fill(messages.tookFocus, { title })}</span>
    <div>${button(messages.close, () => forgive(element))} ${button(messages.stop, onStop)}</div>
  </div>`;
}

/** Renders the member's menu: a popover, so that it closes as members expect. */
function menu({ title, messages, gadget, element, onStop }: ChromeLook): unknown {
  const { context, consent } = gadget ?? {};
  const hasPermissions = context?.permissions.length || consent?.optional.length;
  const manage = async () => {
    const { managePermissions } = await import('../consent/manage.ts');
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

/** Closes the menu at a click into a frame, which the page notices by its focus alone. */
function closeOnBlur({ currentTarget, newState }: ToggleEvent): void {
  if (newState === 'open') addEventListener('blur', () => (currentTarget as HTMLElement).hidePopover(), { once: true });
}

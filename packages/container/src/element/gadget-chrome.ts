import type { VersionMismatch, VersionRange, WireError } from '@gantry/wire';
import { isLocalHost } from '@gantry/wire/runtime';
import { html, nothing, render } from 'lit-html';
import { adoptStyles } from '../chrome/css.ts';
import { explainFailedStart } from '../chrome/explain-failed-start.ts';
import { holdInput } from '../chrome/hold-input.ts';
import { questionStyles } from '../chrome/question-styles.ts';
import type { Gadget, Question } from '../gadget.ts';
import { layersOf } from '../layers/page-layers.ts';
import type { SilentApp } from '../load/responsiveness.ts';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';
import { chromeStyles } from './chrome-styles.ts';
import { type GadgetBody, type GadgetProps, isAway } from './gadget-body.ts';

// Fetched when there is something to show beside the app. Text is shown as text (security rule 7).

/** Ends what the open menu of a gadget listens for. */
const menus = new WeakMap<GadgetBody, AbortController>();
/** Errors of the site's own page that the console has. */
const logged = new WeakSet<WireError>();
/** Closes the dialogs about a gadget. */
const dialogs = new WeakMap<GadgetBody, AbortController>();

export function renderChrome(body: GadgetBody, props: GadgetProps): void {
  const { element, state, messages, silent, frame, gadget } = props;
  const isPreview = gadget?.preview === 'shown' && state !== 'empty';
  const isHere = state === 'ready' || state === 'unresponsive';
  render(props.hasMenu ? menu(props, body) : nothing, body.head);
  if (!props.hasMenu) menus.get(body)?.abort(); // an open menu fires no event when removed
  if (!element.isConnected) dialogs.get(body)?.abort();
  // In places of their own: input is held anew for each question.
  const notices = html`
    ${silent ? silenceNotice(props, silent) : nothing}
    ${!silent && props.isAccused ? focusNotice(props) : nothing}
    ${props.warning ? notice(props.warning, 'en', [[messages.close, () => props.onNotice({ warning: undefined })]]) : nothing}
    ${props.version ? question(props.version) : nothing}
    ${props.preview ? question(props.preview) : nothing}`;
  body.root.classList.toggle('preview', isPreview);
  if (isPreview && frame) frame.title = fill(messages.previewOf, { title: props.title });
  render(
    html`${notices}${isPreview ? previewMark(props, gadget) : nothing}${isHere ? skip(props) : nothing}`,
    body.before,
  );
  render(isAway(state) ? card(props) : nothing, body.card);
  render(isHere ? end(props) : nothing, body.after);
  const root = element.shadowRoot as ShadowRoot;
  adoptStyles(root, questionStyles);
  adoptStyles(root, chromeStyles);
  layersOf(document).keepClear(root);
  for (const question of body.before.querySelectorAll<HTMLElement>('.notice:not([data-held])')) hold(question);
}

/**
 * Ignores presses that were meant for something else: an app chooses when it asks (security rule
 * 26).
 */
function hold(notice: HTMLElement): void {
  notice.dataset.held = '';
  holdInput(notice, () => notice.querySelectorAll('button')).hold();
}

/**
 * Lets keyboards pass the app: a button before it and its target behind it, shown while focused.
 */
function skip({ title, messages }: GadgetProps): unknown {
  return html`<button part="skip" class="skip" type="button" lang=${messages.language} @click=${toEnd}>
    ${fill(messages.skip, { title })}
  </button>`;
}
function end({ title, messages }: GadgetProps): unknown {
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
function silenceNotice({ title, messages }: GadgetProps, silent: readonly SilentApp[]): unknown {
  const isOne = silent.length === 1;
  const text = isOne ? messages.unresponsive : messages.unresponsiveTogether;
  const forAll = (act: 'wait' | 'reload' | 'stop') => () => {
    for (const app of silent) app[act]();
  };
  return notice(fill(text, { title, count: String(silent.length) }), messages.language, [
    [messages.wait, forAll('wait')],
    [isOne ? messages.reload : messages.reloadAll, forAll('reload')],
    [isOne ? messages.stop : messages.stopAll, forAll('stop')],
  ]);
}

/** Offers to stop an app that took the focus repeatedly from a member who was typing elsewhere. */
function focusNotice({ title, messages, onNotice, onStop }: GadgetProps): unknown {
  return notice(fill(messages.tookFocus, { title }), messages.language, [
    [messages.close, () => onNotice({ isAccused: false })],
    [messages.stop, onStop],
  ]);
}

/** Asks about a version. No alert: it is announced when that disturbs no one. */
function question({ text, lang, actions }: Question): unknown {
  return notice(text, lang, actions, 'group');
}

/** Marks an app that shows a preview, outside of its frame, with the way out of it. */
function previewMark({ title, messages, onNotice }: GadgetProps, gadget: Gadget): unknown {
  const close = () => onNotice({ preview: undefined });
  const leave = async () => {
    const reply = await gadget.decidePreview(false);
    if ('error' in reply)
      onNotice({ preview: { text: messages.failed, lang: messages.language, actions: [[messages.close, close]] } });
  };
  return html`<div part="preview" class="preview-mark" role="group" lang=${messages.language} aria-label=${fill(messages.previewOf, { title })}>
    <span><strong>${messages.preview}</strong> <span>${messages.previewText}</span></span>
    <button class="quiet" type="button" @click=${leave}>${messages.leavePreview}</button>
  </div>`;
}

function notice(text: string, lang: string, buttons: Question['actions'], role = 'alert'): unknown {
  return html`<div part="notice" class="notice" role=${role} aria-label=${role === 'alert' ? nothing : text} lang=${lang}>
    <span>${text}</span>
    <div>
      ${buttons.map(([label, act]) => html`<button part="notice-action" class="quiet" type="button" @click=${act}>${label}</button>`)}
    </div>
  </div>`;
}

/** Renders the member's menu: a popover, so that it closes as members expect. */
function menu({ title, messages, gadget, element, onStop }: GadgetProps, body: GadgetBody): unknown {
  const { context, consent } = gadget ?? {};
  const hasPermissions = context?.permissions.length || consent?.optional.length;
  const manage = async () => {
    const over = new AbortController();
    dialogs.set(body, over);
    const { managePermissions } = await import('../consent/manage.ts');
    if (gadget) await managePermissions({ gadget, element, messages, signal: over.signal });
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
    @toggle=${(event: ToggleEvent) => closeOnBlur(event, body)}
    @click=${({ currentTarget }: Event) => (currentTarget as HTMLElement).hidePopover()}
  >
    ${item(messages.reload, () => element.reload())}
    ${item(messages.stop, onStop)}
    ${hasPreferences ? item(messages.preferences, () => gadget?.go?.('preferences'), 'preferences') : nothing}
    ${hasPermissions ? item(messages.permissions, manage, 'permissions') : nothing}
  </div>`;
}

function item(label: string, onClick: () => unknown, part = ''): unknown {
  return html`<button part="menu-item ${part}" class="quiet" type="button" @click=${onClick}>${label}</button>`;
}

/** Closes the menu at a click into a frame, which the page notices by its focus alone. */
function closeOnBlur({ currentTarget, newState }: ToggleEvent, body: GadgetBody): void {
  menus.get(body)?.abort();
  if (newState !== 'open') return;
  const over = new AbortController();
  menus.set(body, over);
  addEventListener('blur', () => (currentTarget as HTMLElement).hidePopover(), { signal: over.signal });
}

/** Renders the card in the place of an app that failed, with the reason, or was stopped. */
function card(props: GadgetProps): unknown {
  const { title, messages, element, error, state } = props;
  const isStopped = state === 'stopped';
  const isUnknown = !isStopped && error?.data?.reason === 'NOT_FOUND'; // a retry would not help
  if (isUnknown && !logged.has(error)) {
    logged.add(error);
    // biome-ignore lint/suspicious/noConsole: the site's developer reads the console
    console.error(`Gantry: ${error.message} Correct the attribute app; gantry app list has the ids.`);
  }
  const versions = isStopped ? undefined : error?.data?.versions;
  const name = fill(isStopped ? messages.stopped : messages.notAvailable, { title });
  const rendered = html`<div part="card" class="card" role="group" aria-label=${name} lang=${messages.language}>
    ${isStopped ? resting : broken}
    <strong>${name}</strong>
    <p>${isStopped ? messages.stoppedText : failureText(props)}</p>
    ${versions ? html`<p class="versions">${versionsText(versions, messages)}</p>` : nothing}
    ${
      isUnknown
        ? nothing
        : html`<button part="retry" class="action primary" type="button" @click=${() => element.reload()}>
      ${isStopped ? messages.startAgain : messages.tryAgain}
    </button>`
    }
  </div>`;
  return isStopped ? rendered : html`<slot name="error">${rendered}</slot>`;
}

/** Returns the error's text: for members in their language, for developers in detail. */
function failureText({ error, ended, gadget, messages }: GadgetProps): string | undefined {
  const explanation = ended && gadget?.declared && explainFailedStart(ended, gadget.document);
  const texts: Readonly<Record<string, string>> = {
    APP_PAUSED: messages.paused,
    APP_MISSING: messages.missing,
    NO_MEMBER: messages.noMember,
  };
  const publicText = isLocalHost(location.hostname) ? undefined : texts[error?.data?.reason ?? ''];
  return explanation || publicText || error?.message;
}

/** Names the version that the site or the app needs, for its owner or author. */
function versionsText({ app, page, update, needs }: VersionMismatch, messages: Messages): unknown {
  const remedy = update === 'app' ? messages.appNeeds : needs ? messages.siteNeeds : messages.siteNeedsNewer;
  const spoken = fill(messages.versions, { app: spanOf(app), page: spanOf(page) });
  return html`${spoken} <br />${fill(remedy, { release: needs ?? '' })}`;
}

/** Formats a range of versions: `3–4`, or `1`. */
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

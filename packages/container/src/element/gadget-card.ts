import { isLocalHost, type VersionMismatch, type VersionRange, type WireError } from '@gantry/wire';
import { html, nothing } from 'lit-html';
import { fill } from '../messages/fill.ts';
import type { Messages } from '../messages/messages.ts';

/** A card in the place of an app that failed or was stopped. */
export interface CardLook {
  readonly title: string;
  readonly messages: Messages;
  /** Absent for an app that was stopped on purpose. */
  readonly error: WireError | undefined;
  /** Text for a developer, who is on the machine of the site. */
  readonly explanation: string | undefined;
  readonly onReload: () => void;
}

/** Renders the card with the reason. */
export function card(look: CardLook): unknown {
  const { title, messages, onReload } = look;
  const error = failureText(look);
  const isStopped = error === undefined;
  const versions = look.error?.data?.versions;
  const name = fill(isStopped ? messages.stopped : messages.notAvailable, { title });
  const rendered = html`<div part="card" class="card" role="group" aria-label=${name} lang=${messages.language}>
    ${isStopped ? resting : broken}
    <strong>${name}</strong>
    <p>${error ?? messages.stoppedText}</p>
    ${versions ? html`<p class="versions">${versionsText(versions, messages)}</p>` : nothing}
    <button part="retry" class="main" type="button" @click=${onReload}>
      ${isStopped ? messages.startAgain : messages.tryAgain}
    </button>
  </div>`;
  return isStopped ? rendered : html`<slot name="error">${rendered}</slot>`;
}

/** Returns the error's text: for members in their language, for developers in detail. */
function failureText({ error, explanation, messages }: CardLook): string | undefined {
  if (error === undefined) return undefined;
  const texts: Readonly<Record<string, string>> = { APP_PAUSED: messages.paused, APP_MISSING: messages.missing };
  const own = isLocalHost(location.hostname) ? undefined : texts[error.data?.reason ?? ''];
  return explanation || own || error.message;
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

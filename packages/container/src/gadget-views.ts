import { html } from 'lit';
import { fill, type Messages } from './messages/messages.ts';

/** Stands where an app will be. */
export function skeleton({ title, messages }: { readonly title: string; readonly messages: Messages }): unknown {
  const row = html`<div class="row"><i></i><b></b><b></b></div>`;
  return html`<div part="skeleton" class="skeleton" role="status">
    <span class="hidden">${fill(messages.loading, { title })}</span>${[row, row, row, row, row]}
  </div>`;
}

/** Stands where an app cannot be, and says why. All text in it is shown as text (security rule 7). */
export function card(options: {
  readonly title: string;
  readonly messages: Messages;
  readonly message: string | undefined;
  readonly onRetry: () => void;
}): unknown {
  const { title, messages, message, onRetry } = options;
  return html`<div part="card" class="card" role="alert">
    <svg viewBox="0 0 48 48" aria-hidden="true">
      <path d="M27 9H12a5 5 0 0 0-5 5v20a5 5 0 0 0 5 5h24a5 5 0 0 0 5-5V22" />
      <path d="M7 18h17M31 17l4-5M37 18l5-2M33 10l1-5" />
      <path d="M18 31a7.5 7.5 0 0 1 12 0" />
    </svg>
    <strong>${fill(messages.notAvailable, { title })}</strong>
    <p>${message}</p>
    <button part="retry" type="button" @click=${onRetry}>${messages.tryAgain}</button>
  </div>`;
}

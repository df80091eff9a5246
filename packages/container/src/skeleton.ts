import { html } from 'lit';

/** Stands where an app will be. @param text What those find who listen; nothing for an app whose time has not come. */
export function skeleton(text: string): unknown {
  const row = html`<div class="row"><i></i><b></b><b></b></div>`;
  return html`<div part="skeleton" class="skeleton">
    <span class="hidden">${text}</span>${[row, row, row, row, row]}
  </div>`;
}

import { html, raw } from 'hono/html';
import type { Html } from './layout.ts';
import type { Desk, Visit } from './visit.ts';

export interface Revoking {
  readonly action: string;
  /** Hidden fields that say what. */
  readonly fields: Readonly<Record<string, string>>;
  /** Text of the button that opens the question. */
  readonly open: string;
  /** What it is about, for those who hear one button after another. */
  readonly of: string;
  readonly warning: string;
  /** Something that can be done with it. */
  readonly also?: { readonly name: string; readonly label: string };
  /** Text of the button that does it. */
  readonly confirm: string;
}

/**
 * A button that asks once more, without a script. The page needs `holdScript`. After an answer that came too soon, its
 * question is open.
 */
export function revokeButton({ forms }: Desk, { visitor, isEarly, path, form: sent }: Visit, spec: Revoking): Html {
  const { action, fields, open, of, warning, also, confirm } = spec;
  const isAsked =
    isEarly && path === action && Object.entries(fields).every(([name, value]) => sent.get(name) === value);
  return html`<details class="confirm"${isAsked && raw(' open')}><summary class="button quiet">${open}<span class="hidden">: <bdi>${of}</bdi></span></summary>
<form method="post" action="${action}">${forms.field({ visitor, action, isHeld: true })}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<p class="small muted">${warning}</p>${
    also
      ? html`<p class="small"><label><input type="checkbox" name="${also.name}" value="yes"> ${also.label}</label></p>`
      : ''
  }<button class="danger">${confirm}</button></form></details>`;
}

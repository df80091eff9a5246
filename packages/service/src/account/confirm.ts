import { html } from 'hono/html';
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
  /** Text of the button that does it. */
  readonly confirm: string;
}

/** A button that asks once more, without a script. */
export function revokeButton({ forms }: Desk, { visitor }: Visit, spec: Revoking): Html {
  const { action, fields, open, of, warning, confirm } = spec;
  return html`<details class="confirm"><summary class="button quiet">${open}<span class="hidden">: <bdi>${of}</bdi></span></summary>
<form method="post" action="${action}">${forms.field({ visitor, action })}${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<p class="small muted">${warning}</p><button class="danger">${confirm}</button></form></details>`;
}

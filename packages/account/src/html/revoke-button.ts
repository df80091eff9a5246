import { html, raw } from 'hono/html';
import type { Html } from '../messages/html.ts';
import { type Handle, type PageMethods, seeOther } from '../request/page-methods.ts';
import type { MemberRequest, PageRequest } from '../request/page-request.ts';
import { membersOnly } from './account-page.ts';
import { name as nameOf, notice } from './blocks.ts';

export interface Revoking {
  readonly action: string;
  /** Hidden fields that name the thing. */
  readonly fields: Readonly<Record<string, string>>;
  /** Text of the button that opens the question. */
  readonly open: string;
  /** Name of the thing, which tells the buttons of a list apart for screen readers. */
  readonly of: string;
  readonly warning: string;
  /** Checkbox for something that can be done with it. */
  readonly also?: { readonly name: string; readonly label: string };
  /** Text of the button that does it. */
  readonly confirm: string;
}

/** Renders a button that asks for confirmation without a script. The page needs `holdScript`. */
export function revokeButton(request: PageRequest, spec: Revoking): Html {
  const { action, fields, open, of, warning, also, confirm } = spec;
  const { context, formOwner: owner, isTooSoon, path, form: sent } = request;
  const isAsked =
    isTooSoon && path === action && Object.entries(fields).every(([name, value]) => sent.get(name) === value);
  return html`<details class="confirm"${isAsked && raw(' open')}><summary class="button quiet">${open}<span class="hidden">: ${nameOf(of)}</span></summary>
<form method="post" action="${action}">${context.forms.field({ owner, action, isHeld: true })}${Object.entries(
    fields,
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<p class="small muted">${warning}</p>${
    also
      ? html`<p class="small"><label><input type="checkbox" name="${also.name}" value="yes"> ${also.label}</label></p>`
      : ''
  }<button class="danger">${confirm}</button></form></details>`;
}

/**
 * Makes the address that a revoke button of a list sends its form to. The list is shown again after
 * it, with `revokedNotice`. @param revoke Resolves with false if there was nothing left to revoke.
 */
export function revocation(
  list: { readonly path: string; readonly show: Handle<MemberRequest> },
  revoke: (request: MemberRequest) => Promise<boolean>,
): PageMethods {
  return membersOnly({
    get: async () => seeOther(list.path),
    post: async (request) => seeOther(`${list.path}?revoked=${(await revoke(request)) ? 'yes' : 'no'}`),
    tooSoon: list.show,
  });
}

/** Renders the result of a revocation on the page of its list. */
export function revokedNotice({ query, texts }: PageRequest, of: 'apps' | 'keys'): Html | undefined {
  const revoked = query.get('revoked');
  if (revoked === 'yes') return notice('good', texts.say(`${of}.revoked`));
  return revoked === 'no' ? notice('neutral', texts.say(`${of}.notRevoked`)) : undefined;
}

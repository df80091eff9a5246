import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Proves that a form came from a page that this very browser was given: a token bound to its session and to the action. */
export interface Forms {
  /** The hidden field. */
  field(form: Form): Html;
  isOurs(form: Form, token: string): boolean;
}

export interface Form {
  /** What only this visitor's browser has or is: the digest of its session, or the signed-in member. */
  readonly visitor: string;
  /** Path that the form is sent to. */
  readonly action: string;
}

export const formTokenName = 'form_token';
const lifetimeS = 12 * 60 * 60;

/** @param options.secretKey The key of the site; a key of the forms' own is derived from it. */
export function createForms(options: { readonly secretKey: Uint8Array; readonly now: () => number }): Forms {
  const key = Buffer.from(hkdfSync('sha256', options.secretKey, '', 'gantry/forms', 32));
  const nowS = () => Math.floor(options.now() / 1000);

  function seal({ visitor, action }: Form, issuedAtS: number): string {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([visitor, action, issuedAtS]))
      .digest('base64url');
    return `${issuedAtS}.${mac}`;
  }

  return {
    field: (form) => html`<input type="hidden" name="${formTokenName}" value="${seal(form, nowS())}">`,
    isOurs(form, token) {
      const issuedAtS = Number(/^(\d{1,12})\./.exec(token)?.[1] ?? Number.NaN);
      if (!(issuedAtS <= nowS() && issuedAtS > nowS() - lifetimeS)) return false;
      const right = Buffer.from(seal(form, issuedAtS));
      const given = Buffer.from(token);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

/**
 * Whether a browser sent this from a page of the site. What is no browser sends neither header and is refused, which harms
 * nobody: forms are for people.
 */
export function isFromOwnPage({ headers }: Request, publicUrl: string): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  return origin === null ? site === 'same-origin' : origin === publicUrl && (site ?? 'same-origin') === 'same-origin';
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Html } from './layout.ts';

/** Proves that a form came from a page that this very browser was given: a token bound to its session and to the action. */
export interface Forms {
  /** The hidden field. */
  field(form: Form): Html;
  check(form: Form, token: string): FormCheck;
}

/**
 * `void`: the form is not from this site and browser, or too old. `early`: it is, and was sent within half a second of its
 * issue: by a click that was meant for another page.
 */
export type FormCheck = 'good' | 'early' | 'void';

export interface Form {
  /** What only this visitor's browser has or is: the digest of its session, or the signed-in member. */
  readonly visitor: string;
  /** Path that the form is sent to. */
  readonly action: string;
  /** True for a form that takes one click: its page needs `holdScript`, and its address `Methods.again`. */
  readonly isHeld?: boolean;
}

export const formTokenName = 'form_token';
const lifetimeMs = 12 * 60 * 60 * 1000;
const soonestMs = 500;
/** By which the clocks of several machines may differ. */
const clockDifferenceMs = 60 * 1000;

/** @param options.secretKey The key of the site; a key of the forms' own is derived from it. */
export function createForms(options: { readonly secretKey: Uint8Array; readonly now: () => number }): Forms {
  const key = Buffer.from(hkdfSync('sha256', options.secretKey, '', 'gantry/forms', 32));

  function seal({ visitor, action }: Form, issuedAtMs: number): string {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([visitor, action, issuedAtMs]))
      .digest('base64url');
    return `${issuedAtMs}.${mac}`;
  }

  return {
    field: (form) =>
      html`<input type="hidden" name="${formTokenName}" value="${seal(form, options.now())}"${form.isHeld && raw(' data-held')}>`,
    check(form, token) {
      const issuedAtMs = Number(/^(\d{1,15})\./.exec(token)?.[1] ?? Number.NaN);
      const ageMs = options.now() - issuedAtMs;
      if (!(ageMs >= -clockDifferenceMs && ageMs < lifetimeMs)) return 'void';
      const right = Buffer.from(seal(form, issuedAtMs));
      const given = Buffer.from(token);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return 'void';
      return ageMs < soonestMs ? 'early' : 'good';
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

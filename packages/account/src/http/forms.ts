import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Html } from '../messages/html.ts';

/** Issues and checks form tokens, each bound to one browser and one action. */
export type Forms = ReturnType<typeof createForms>;

/**
 * Verdict on a sent form. `invalid`: it is not from this site and browser, or too old. `tooSoon`:
 * it is, and was sent within half a second of its issue, by a click meant for another page.
 */
export type FormCheck = 'valid' | 'tooSoon' | 'invalid';

export interface Form {
  /** Digest of the browser's session, its form cookie, or the member that the site signed in. */
  readonly owner: string;
  /** Path that the form is posted to. */
  readonly action: string;
  /** True for a form of one click: its page needs `holdScript`, its address `tooSoon`. */
  readonly isHeld?: boolean;
}

export const formTokenName = 'form_token';
const lifetimeMs = 12 * 60 * 60 * 1000;
const soonestMs = 500;
/** Tolerated difference between the clocks of several machines. */
const clockDifferenceMs = 60 * 1000;

/** @param options.secretKey Key of the site; the key of the forms is derived from it. */
export function createForms(options: { readonly secretKey: Uint8Array; readonly now: () => number }) {
  const key = Buffer.from(hkdfSync('sha256', options.secretKey, '', 'gantry/forms', 32));

  function seal({ owner, action }: Form, issuedAtMs: number): string {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([owner, action, issuedAtMs]))
      .digest('base64url');
    return `${issuedAtMs}.${mac}`;
  }

  return {
    /** Renders the hidden field that holds the token. */
    field: (form: Form): Html =>
      html`<input type="hidden" name="${formTokenName}" value="${seal(form, options.now())}"${form.isHeld && raw(' data-held')}>`,
    check(form: Form, token: string): FormCheck {
      const issuedAtMs = Number(/^(\d{1,15})\./.exec(token)?.[1] ?? Number.NaN);
      const ageMs = options.now() - issuedAtMs;
      if (!(ageMs >= -clockDifferenceMs && ageMs < lifetimeMs)) return 'invalid';
      const right = Buffer.from(seal(form, issuedAtMs));
      const bytes = Buffer.from(token);
      if (bytes.length !== right.length || !timingSafeEqual(bytes, right)) return 'invalid';
      return ageMs < soonestMs ? 'tooSoon' : 'valid';
    },
  };
}

/**
 * Returns true if a browser sent this from a page of the site. Other clients send neither header
 * and are refused: forms are for people.
 */
export function isFromOwnPage({ headers }: Request, publicUrl: string): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  return origin === null ? site === 'same-origin' : origin === publicUrl && (site ?? 'same-origin') === 'same-origin';
}

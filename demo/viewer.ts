import { isLocalHost } from '@gantry/wire/runtime';

/**
 * The cookie of the member who is signed in at the demo. Every program of this machine can set it,
 * so it is valid on this machine only.
 */

const cookieName = 'demo_member';
const nobody = 'none';
const firstMember = '1';

/**
 * Returns the signed-in member; `1` on a first visit. Only this machine's own addresses have a
 * signed-in member, since the chooser has no passwords.
 */
export function viewerOf(request: Request, isMember: (id: string) => boolean): string | undefined {
  if (!isLoopback(request)) return undefined;
  const chosen = readCookie(request);
  if (chosen === undefined) return firstMember;
  return isMember(chosen) ? chosen : undefined;
}

/** Returns the reason why this request may not choose a member, or nothing. */
export function refusal(request: Request): string | undefined {
  if (!isLoopback(request)) {
    return 'The member chooser has no passwords, so it works only on the machine that runs this demo, at localhost.';
  }
  const { origin } = new URL(request.url);
  const from = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  if (from !== null ? from !== origin : site !== 'same-origin') {
    return 'Another site, or a program, sent this form. A member is chosen only on the demo’s own pages.';
  }
  return undefined;
}

/** Returns `Set-Cookie` for a chosen member, or for signing out without `id`. */
export function memberCookie(id: string | undefined): string {
  return `${cookieName}=${id ?? nobody}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`;
}

// Checks the requested host, not the connection's source: a foreign DNS name that resolves to this
// machine is not its own.
export function isLoopback(request: Request): boolean {
  return isLocalHost(new URL(request.url).hostname);
}

function readCookie(request: Request): string | undefined {
  const cookies = (request.headers.get('Cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}

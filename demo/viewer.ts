/** Who is signed in at the demo: a cookie that anyone on this machine may set, and therefore nobody else. */

const cookieName = 'demo_member';
const nobody = 'none';
const firstMember = '1';

/**
 * Names the signed-in member; on a first visit that is member `1`. At any address but this machine's own nobody is
 * signed in: the chooser has no passwords.
 */
export function viewerOf(request: Request, isMember: (id: string) => boolean): string | undefined {
  if (!isLoopback(request)) return undefined;
  const chosen = readCookie(request);
  if (chosen === undefined) return firstMember;
  return isMember(chosen) ? chosen : undefined;
}

/** Says why this request may not choose a member, or nothing when it may. */
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

/** `Set-Cookie` for a chosen member; for nobody when `id` is absent. */
export function memberCookie(id: string | undefined): string {
  return `${cookieName}=${id ?? nobody}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`;
}

// What the browser was told to open, not where the connection came from: a name that somebody else's DNS points here
// is not this machine's own.
export function isLoopback(request: Request): boolean {
  const { hostname } = new URL(request.url);
  return (
    hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]' || hostname.endsWith('.localhost')
  );
}

function readCookie(request: Request): string | undefined {
  const cookies = (request.headers.get('Cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}

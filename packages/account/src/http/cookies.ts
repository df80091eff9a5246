/** Returns the value of the first cookie of this name in a `Cookie` header. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Returns the name of a cookie of one site. Over https its prefix keeps other hosts from setting
 * it. Sites on ports of one host share its cookies, so the port is in the name.
 */
export function siteCookieName(publicUrl: string, name: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol === 'https:' ? '__Host-' : ''}${name}${port && `_${port}`}`;
}

export function ownCookie(publicUrl: string, name: string) {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = siteCookieName(publicUrl, name);
  return {
    name: fullName,
    /** Returns `Set-Cookie`; 0 seconds remove the cookie. */
    write: (value: string, maxAgeS: number): string =>
      `${fullName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    read: (header: string | null): string | undefined => readCookie(header, fullName),
  };
}

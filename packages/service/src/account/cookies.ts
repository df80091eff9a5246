/** Value of the first cookie of this name in a `Cookie` header. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Cookies of the service's own pages. Over https no other host can set or read them: that is what the prefix promises. */
export function ownCookie(publicUrl: string, name: string) {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = isSecure ? `__Host-${name}` : name;
  return {
    name: fullName,
    /** `Set-Cookie`; 0 seconds remove it. */
    write: (value: string, maxAgeS: number): string =>
      `${fullName}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    read: (header: string | null): string | undefined => readCookie(header, fullName),
  };
}

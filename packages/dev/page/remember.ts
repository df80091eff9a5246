// Remembers open parts of the page. Without storage, defaults apply.

/** @returns undefined where nothing is kept. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`gantry-dev.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`gantry-dev.${name}`, value);
  } catch {
    // Storage is optional.
  }
}

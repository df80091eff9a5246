const names = ['surface', 'ink', 'muted', 'line', 'accent', 'on-accent', 'radius'];

/** Copies colours, scheme and direction of `place` to `host`, which is a child of the body. */
export function copyPalette(host: HTMLElement, place: Element): void {
  const style = getComputedStyle(place);
  for (const name of names) {
    const value = style.getPropertyValue(`--gantry-${name}`);
    if (value) host.style.setProperty(`--gantry-${name}`, value);
  }
  host.style.colorScheme = style.colorScheme;
  host.dir = style.direction;
}

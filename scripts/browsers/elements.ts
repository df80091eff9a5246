/** Returns the expression of a gadget's frame. */
export function frameOf(app: string): string {
  return `document.querySelector('[app="${app}"]').shadowRoot.querySelector('iframe')`;
}

/** Returns the expression of the enabled button of this name in a gadget's own parts. */
export function buttonIn(app: string, name: string): string {
  const enabled = `button.textContent.trim() === ${JSON.stringify(name)} && button.ariaDisabled !== 'true'`;
  const all = `document.querySelector('[app="${app}"]').shadowRoot.querySelectorAll('button')`;
  return `[...${all}].find((button) => ${enabled})`;
}

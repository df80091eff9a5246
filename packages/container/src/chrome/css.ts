/** Marks a style sheet for editors. Nothing is escaped. */
export const css = String.raw;

const sheets = new Map<string, CSSStyleSheet>();

/** Adopts styles once. A style element would violate a strict policy of the page. */
export function adoptStyles(root: ShadowRoot, styles: string): void {
  let sheet = sheets.get(styles);
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    sheets.set(styles, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

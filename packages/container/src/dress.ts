const sheets = new Map<string, CSSStyleSheet>();

/** Gives `root` these styles, once. (No style element: a strict policy of the page refuses those.) */
export function dress(root: ShadowRoot, styles: string): void {
  let sheet = sheets.get(styles);
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    sheets.set(styles, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

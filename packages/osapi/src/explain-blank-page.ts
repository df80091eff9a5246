/** Shows a hint in an app's empty page that was opened by itself, where calls are refused. */
export function explainBlankPage(scope: Window): void {
  if (scope.parent !== scope) return;
  scope.addEventListener('load', () => {
    const { body } = scope.document;
    if (!body.innerText.trim()) body.append('This is a gadget. It works inside a page of a site that has it.');
  });
}

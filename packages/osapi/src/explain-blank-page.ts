/**
 * Says where an app belongs whose page was opened by itself and shows nothing: without a site around it its calls are refused.
 * A page with content of its own is left as it is.
 *
 * @param scope The app's window.
 */
export function explainBlankPage(scope: Window): void {
  if (scope.parent !== scope) return;
  scope.addEventListener('load', () => {
    const { body } = scope.document;
    if (!body.innerText.trim()) body.append('This is a gadget. It works inside a page of a site that has it.');
  });
}

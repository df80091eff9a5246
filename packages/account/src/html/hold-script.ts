/**
 * Disables the buttons of held forms for half a second after the page was shown, became visible,
 * gained focus, changed its width or opened one of its questions. The server, which holds a form
 * as long after its issue, sees none of those (docs/decisions/0031-places-to-sign-in.md).
 */
export const holdScript = `
const forms = new Set([...document.querySelectorAll('input[data-held]')].map((input) => input.form));
const buttons = [...forms].flatMap((form) => [...form.querySelectorAll('button')]);
let timer;
let isHeld = false;
function set(value) {
  isHeld = value;
  for (const button of buttons) button.setAttribute('aria-disabled', String(value));
}
function hold() {
  clearTimeout(timer);
  set(true);
  timer = setTimeout(set, 500, false);
}
document.addEventListener('submit', (event) => {
  if (isHeld && forms.has(event.target)) event.preventDefault();
}, true);
for (const name of ['focus', 'pageshow']) addEventListener(name, hold);
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth !== width) hold(); // a phone's address bar changes the height only
  width = innerWidth;
});
document.addEventListener('visibilitychange', hold);
document.addEventListener('toggle', hold, true);
hold();
`;

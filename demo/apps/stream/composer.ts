import { type Activity, gadgets, OsapiError, osapi } from '@gantry/osapi';
import { element } from './element.ts';

const intervalSeconds = 30; // between two posts of a member through an app; the site enforces it
const limit = 1_000; // code points

const form = element<HTMLFormElement>('composer');
const box = element<HTMLTextAreaElement>('text');
const button = element<HTMLButtonElement>('post');
const state = element('composer-state');
let waitUntil = 0;
let posting = false;

/** Shows the composer. Its text stays in the box until it has been posted. */
export function openComposer({ onPosted }: { onPosted: (activity: Activity) => void }): void {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void post(onPosted);
  });
  box.addEventListener('input', () => {
    const left = limit - [...box.value].length;
    state.textContent = left < 0 ? `${-left} characters too many` : left < 100 ? `${left} characters left` : '';
    refresh();
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  refresh();
}

async function post(onPosted: (activity: Activity) => void): Promise<void> {
  const title = box.value.trim();
  if (button.disabled || title === '') return;
  posting = true;
  box.readOnly = true; // the box must match the text being sent
  refresh();
  try {
    const activity = await osapi.activities.create({ userId: '@viewer', activity: { title } });
    box.value = '';
    state.textContent = 'Posted.';
    wait(intervalSeconds);
    onPosted(activity);
  } catch (error) {
    state.textContent = problem(error);
  }
  posting = false;
  box.readOnly = false;
  refresh();
  box.focus(); // the button may be disabled, and cannot keep the focus
}

/** Shows the result, and disables the button for a while after a post that came too soon. */
function problem(error: unknown): string {
  if (error instanceof OsapiError && error.code === 429) {
    wait(error.data?.retryAfter ?? intervalSeconds);
    return 'That was quick. Your text is kept until you can post again.';
  }
  if (error instanceof OsapiError && error.code === 401) return 'Not posted: you are signed out. Your text is kept.';
  return 'Not posted: the site did not answer. Your text is kept.';
}

function wait(seconds: number): void {
  waitUntil = Date.now() + seconds * 1_000;
  const timer = setInterval(() => {
    if (Date.now() >= waitUntil) {
      clearInterval(timer);
      state.textContent = '';
    }
    refresh();
  }, 250);
}

function refresh(): void {
  const seconds = Math.ceil((waitUntil - Date.now()) / 1_000);
  button.disabled = posting || seconds > 0 || [...box.value].length > limit;
  button.textContent = posting ? 'Posting …' : seconds > 0 ? `Post in ${seconds} s` : 'Post';
  gadgets.window.adjustHeight();
}

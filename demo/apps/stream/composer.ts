import { type Activity, gadgets, OsapiError, osapi } from '@gantry/osapi';
import { element } from './element.ts';

const intervalSeconds = 30; // between two posts of a member through an app; the site has the last word
const limit = 1_000; // code points

const form = element<HTMLFormElement>('composer');
const box = element<HTMLTextAreaElement>('text');
const button = element<HTMLButtonElement>('post');
const state = element('composer-state');
let waitUntil = 0;
let posting = false;

/** Shows the composer. What is written stays in its box until it has been posted. */
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
  box.readOnly = true; // what is sent is what is in the box
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
  box.focus(); // the button may just have been held back, and would keep no focus
}

/** Says what happened, and holds the button back if it was too soon. */
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

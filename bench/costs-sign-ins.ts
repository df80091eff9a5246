import { setTimeout as pause } from 'node:timers/promises';
import { type Answered, send } from './costs-client.ts';
import type { Input, Prepare } from './costs-input.ts';
import { signInForm } from './costs-page.ts';
import { strangers, viewer } from './costs-world.ts';
import type { Prepared } from './http.ts';

const seconds = 5;
const wrongASecond = 40;
const patienceMs = 60_000;

/** Sends wrong passwords at a fixed rate while the viewer signs in from another network. */
function whileWrong(addressOf: ((index: number) => string) | undefined): Prepare {
  return async ({ url }) => {
    const fill = await signInForm(url);
    return async () => {
      const answers: Answered[] = [];
      const ask = async (prepared: Prepared) => {
        const answer = await send(prepared);
        answers.push(answer);
        return answer;
      };
      const startMs = performance.now();
      const right = signInUntil(startMs + seconds * 1_000, () => ask(fill(viewer, '198.51.100.9')));
      const wrong: Promise<unknown>[] = [];
      for (let index = 0; addressOf && index < seconds * wrongASecond; index++) {
        await pause(Math.max(0, startMs + (index * 1_000) / wrongASecond - performance.now()));
        const id = strangers[index % strangers.length] as string;
        wrong.push(ask(fill({ id, password: `wrong ${index}` }, addressOf(index))));
      }
      const signInMs = await right;
      await Promise.all(wrong);
      return { signInMs, answers };
    };
  };
}

/** Signs in repeatedly and resolves with the longest time, counted from the first attempt. */
async function signInUntil(endAtMs: number, attempt: () => Promise<Answered>): Promise<number> {
  let longestMs = 0;
  while (performance.now() < endAtMs) {
    longestMs = Math.max(longestMs, await signIn(attempt));
    await pause(200);
  }
  return longestMs;
}

/** Retries a rejected sign-in after `Retry-After` and resolves with the total time. */
async function signIn(attempt: () => Promise<Answered>): Promise<number> {
  const startMs = performance.now();
  while (performance.now() - startMs < patienceMs) {
    const { status, headers } = await attempt();
    if (status === 303) return performance.now() - startMs;
    if (status === 429) return Number.POSITIVE_INFINITY; // for a quarter of an hour
    await pause(Number(headers['retry-after'] ?? 1) * 1_000);
  }
  return Number.POSITIVE_INFINITY;
}

export const signIns: readonly Input[] = [
  {
    name: `${wrongASecond} wrong sign-ins a second for ${seconds} s from one network`,
    ordinary: 'only the right one',
    attack: whileWrong((index) => `203.0.113.${index + 1}`),
    control: whileWrong(undefined),
  },
  {
    name: `${wrongASecond} wrong sign-ins a second for ${seconds} s from as many networks`,
    ordinary: 'only the right one',
    attack: whileWrong((index) => `203.0.${index}.7`),
    control: whileWrong(undefined),
  },
];

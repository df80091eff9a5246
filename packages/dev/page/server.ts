import type {
  ClockRequest,
  FaultRequest,
  LabAnswer,
  LabRequest,
  MountableStory,
  PermissionRequest,
  StoriesAnswer,
  StoryRequest,
  TapeAnswer,
} from '@gantry/dev/protocol';

/** The server did not respond. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

/** The server closed the lab: many others were used after it. */
export class LabGone extends Error {
  override readonly name = 'LabGone';
}

interface LabActions {
  readonly clock: ClockRequest;
  readonly faults: FaultRequest;
  readonly permissions: PermissionRequest;
}

const mostTapeBytes = 64 * 1024 * 1024;

// Each of these throws an Error with the server's message.

export function makeLab(request: LabRequest): Promise<LabAnswer> {
  return ask('/dev/labs', { method: 'POST', body: JSON.stringify(request) });
}

export function changeLab<Action extends keyof LabActions>(
  { lab }: LabAnswer,
  action: Action,
  change: LabActions[Action],
): Promise<unknown> {
  return ask(`/dev/labs/${lab}/${action}`, { method: 'POST', body: JSON.stringify(change) });
}

/** Closes a lab, also while the page unloads. Never throws: the server closes unused ones. */
export function closeLab({ lab }: LabAnswer): void {
  fetch(`/dev/labs/${lab}`, { method: 'DELETE', keepalive: true }).catch(() => {});
}

export function listStories(): Promise<StoriesAnswer> {
  return ask('/dev/stories');
}

export function openStory(request: StoryRequest): Promise<MountableStory> {
  return ask('/dev/stories', { method: 'POST', body: JSON.stringify(request) });
}

/** Fetches the tape that the dev host was started with. */
export function fetchOpenedTape(): Promise<TapeAnswer> {
  return ask('/dev/tape');
}

/** Makes the server read a tape, which it does not store. */
export async function readTapeOf(file: Blob): Promise<TapeAnswer> {
  if (file.size > mostTapeBytes) throw new Error('This is no tape: it has more than 64 MiB.');
  return ask('/dev/tape', { method: 'POST', body: await file.text() });
}

async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    throw new ServerGone('gantry does not answer. Start it again.', { cause });
  });
  if (response.ok) return response.json();
  const message = messageOf(await response.text()) ?? `gantry answered ${response.status}.`;
  throw response.status === 410 ? new LabGone(message) : new Error(message);
}

/** Returns the message of an error body: `{ error: { message } }`, `{ message }` or text. */
function messageOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = (body as { error?: unknown } | null)?.error ?? body;
    const message = typeof error === 'string' ? error : (error as { message?: unknown } | null)?.message;
    return typeof message === 'string' ? message.slice(0, 1_000) : undefined;
  } catch {
    return text.startsWith('<') ? undefined : text.slice(0, 1_000) || undefined;
  }
}

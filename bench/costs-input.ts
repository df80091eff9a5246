import type { Answered } from './costs-client.ts';
import type { Page } from './costs-page.ts';

/** The attacked site. */
export interface Site {
  readonly url: string;
  /** A page of the member who is signed in. */
  readonly page: Page;
}

export interface Ran {
  readonly answers: readonly Pick<Answered, 'status' | 'text'>[];
  /** Milliseconds until a member was signed in. */
  readonly signInMs?: number;
}

/** Prepares and signs the requests, unmeasured, and resolves with the function that sends them. */
export type Prepare = (site: Site) => Promise<() => Promise<Ran>>;

/** A hostile input and, as its control, an ordinary one. */
export interface Input {
  readonly name: string;
  readonly ordinary: string;
  readonly attack: Prepare;
  readonly control: Prepare;
}

/** One writer's request. All keys of a slot carry one number, so that half a write shows. */
export type Intent =
  | { readonly kind: 'save'; readonly slot: number; readonly value: number }
  | { readonly kind: 'remove'; readonly slot: number }
  | { readonly kind: 'post'; readonly title: string };

/** One writer's data on the server. */
export interface Held {
  readonly appData: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly titles: readonly string[];
}

export const slots = 3;
export const keysPerSlot = 5;

export function keysOf(slot: number): string[] {
  return Array.from({ length: keysPerSlot }, (_, index) => `slot${slot}.key${index}`);
}

/** The number of the write in a slot, or nothing. */
type Content = number | undefined;

interface Slot {
  known: Content;
  /** Other possible contents: these writes have no known outcome. */
  possible: Content[];
}

export interface Ledger {
  /** Returns the next request. */
  next(): Intent;
  /** Records a write that the server confirmed. */
  acknowledged(intent: Intent): void;
  /** Records a write without a response, or with a failure: it may have happened or not. */
  uncertain(intent: Intent): void;
  /** Compares, adopts the server's state and returns differences as sentences. */
  check(held: Held): string[];
}

/** Tracks one writer's own data. Its requests are sequential, so nothing else can change it. */
export function createLedger(writer: string, random = Math.random): Ledger {
  const contents: Slot[] = Array.from({ length: slots }, () => ({ known: undefined, possible: [] }));
  const posted: string[] = [];
  let maybePosted: string[] = [];
  let count = 0;

  function checkSlot(slot: number, appData: Held['appData']): string[] {
    const content = contents[slot] as Slot;
    const { known, possible } = content;
    const values = keysOf(slot).map((key) => appData[key]);
    const [first] = values;
    content.known = first === undefined ? undefined : Number(first);
    content.possible = [];
    if (values.some((value) => value !== first)) {
      return [`writer ${writer}: slot ${slot} is torn: ${JSON.stringify(values)}`];
    }
    if ([known, ...possible].includes(content.known)) return [];
    return [`writer ${writer}: slot ${slot} holds ${content.known ?? 'nothing'} instead of ${known ?? 'nothing'}`];
  }

  function checkPosts(titles: Held['titles']): string[] {
    const now = new Set(titles);
    const lost = posted.filter((title) => !now.has(title)).map((title) => `writer ${writer}: post ${title} is lost`);
    const allowed = new Set([...posted, ...maybePosted]);
    const strange = titles
      .filter((title, index) => !allowed.has(title) || titles.indexOf(title) !== index)
      .map((title) => `writer ${writer}: post ${title} was never asked for, or is there twice`);
    posted.splice(0, posted.length, ...titles);
    maybePosted = [];
    return [...lost, ...strange];
  }

  return {
    next() {
      const value = ++count;
      const slot = Math.floor(random() * slots);
      const kind = random();
      if (kind < 0.5) return { kind: 'save', slot, value };
      if (kind < 0.65) return { kind: 'remove', slot };
      return { kind: 'post', title: `${writer}-${value}` };
    },
    acknowledged(intent) {
      if (intent.kind === 'post') return void posted.push(intent.title);
      contents[intent.slot] = { known: intent.kind === 'save' ? intent.value : undefined, possible: [] };
    },
    uncertain(intent) {
      if (intent.kind === 'post') return void maybePosted.push(intent.title);
      (contents[intent.slot] as Slot).possible.push(intent.kind === 'save' ? intent.value : undefined);
    },
    check: ({ appData, titles }) => [...contents.flatMap((_, slot) => checkSlot(slot, appData)), ...checkPosts(titles)],
  };
}

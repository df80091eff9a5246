import { acceptHello, expectHello } from '@gantry/bridge';
import { SocialError } from '@gantry/wire';
import { createFrame } from '../app-document.ts';
import type { Result } from './claims.ts';
import { judge } from './judge.ts';
import type { Report } from './report.ts';
import { after, type ProbeOptions, type Stage } from './stage.ts';
import { ways } from './ways.ts';

/** Where the probes are, as the server says. */
export interface Setup {
  /** In words, for people. */
  readonly mode: string;
  readonly heard: string;
  /** The browser said, and no reverse proxy took away, that this page is no frame: by that, pages of apps are refused. */
  readonly tellsPurpose: boolean;
  /** A page that sends `frame-src`; shows the address in its fragment. */
  readonly narrow: string;
  readonly sandbox: string;
  /** Two apps with the headers of apps. */
  readonly app: string;
  readonly sibling: string;
  /** An app to which this site is a stranger. */
  readonly stranger: string;
  /** The control: no guard at all. */
  readonly bare: string;
  /** Where apps have origins of their own: two that may keep data. */
  readonly storage?: { readonly sandbox: string; readonly apps: readonly [string, string] };
}

export interface Tried {
  readonly result: Result;
  /** What was reached, or why it was not tried. */
  readonly detail?: string;
}

type Tell = (claim: string, tried: Tried) => void;
type Reports = ReadonlyMap<string, Report>;

/**
 * Tries everything, each attempt beside its control, and tells how each claim stands as soon as it is known.
 *
 * @param options.inside In a shadow tree, as gadgets are.
 * @param options.open In the page itself, for a control.
 */
export async function tryAll(options: {
  readonly setup: Setup;
  readonly inside: Stage;
  readonly open: Stage;
  readonly random: () => string;
  readonly tell: Tell;
}): Promise<void> {
  const { setup, inside, open, random, tell } = options;
  const { sandbox } = setup;
  const stranger = { document: setup.stranger, sandbox };
  const bare = { document: setup.bare, sandbox };

  async function tryPage(): Promise<void> {
    tell('page', { result: setup.tellsPurpose ? 'holds' : 'open' });
    const control = inside.run({ document: setup.bare, role: 'looks' }); // without even a sandbox
    const { reports, started } = await startApp({ top: '1' });
    const found = await control;
    tell('starts', { result: started ? 'holds' : 'broken' });
    for (const claim of ['document', 'cookies', 'storage']) tell(claim, compared(claim, reports, found));
    const own = reports.get('origin');
    tell('origin', {
      ...compared('origin', reports, found),
      ...(own?.detail && { detail: own.detail === 'null' ? 'It is opaque.' : `It is ${own.detail}.` }),
    });
    const left = reports.get('top')?.outcome;
    tell('top', { result: judge({ guarded: left }) }); // had it worked, nobody would read this
  }

  /** An app with the SDK, mounted as the container does it. */
  async function startApp(query: Record<string, string>): Promise<{ reports: Reports; started: boolean }> {
    const nonce = random();
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    let close = () => {};
    const reports = await inside.run({
      document: setup.app,
      role: 'looks',
      query,
      frame: (document) => createFrame({ document, sandbox, title: 'Probe', nonce }),
      onFrame: (frame) => {
        close = listen(frame, nonce, () => resolve(true));
      },
    });
    setTimeout(() => resolve(false), 2_000);
    const started = await ready;
    close();
    return { reports, started };
  }

  async function trySiblings(): Promise<void> {
    let isFooled = false;
    let close = () => {};
    // It waits for a hello that its own document never says.
    const victim: ProbeOptions = {
      document: setup.app,
      role: 'waits',
      sandbox,
      onFrame: (frame) => {
        close = listen(frame, random(), () => {
          isFooled = true;
        });
      },
    };
    await inside.run(victim);
    const sibling = { document: setup.sibling, sandbox, fragment: `#gantry=1.${random()}.x` };
    const guarded = await inside.run({ ...sibling, role: 'forges' });
    close();
    const trusting = ({ data, ports }: MessageEvent): void => {
      if (data?.gantry === 'hello') ports[0]?.postMessage('welcome');
    };
    addEventListener('message', trusting); // as a container would that believes what it hears
    const control = await open.run({ ...bare, role: 'forges' });
    removeEventListener('message', trusting);
    tell('find', compared('find', guarded, control));
    tell(
      'forge',
      isFooled ? { result: 'broken', detail: 'A hello was believed.' } : compared('forge', guarded, control),
    );
  }

  async function tryWays(): Promise<void> {
    const [guarded, control] = await Promise.all([
      inside.run({ ...stranger, role: 'stays', enough: after(60_000) }),
      inside.run({ ...bare, role: 'stays', enough: after(60_000) }),
    ]);
    for (const claim of Object.keys(ways)) tell(claim, compared(claim, guarded, control));
  }

  async function tryLeaving(way: string): Promise<void> {
    const control = Promise.withResolvers<void>();
    const enough = control.promise.then(() => after(graceMs)); // what is let through needs no longer than the control did
    const guarded = leave({ ...stranger, query: { way }, enough });
    // What frame-src does, without the help of the app's headers.
    const framed = way === 'form' ? undefined : leave({ ...bare, query: { way }, enough, frame: inNarrowPage });
    await Promise.race([Promise.all([guarded.going, framed?.going]), after(patienceMs)]);
    const free = await leave({ ...bare, query: { way }, enough: after(patienceMs) }).reports;
    control.resolve();
    const alone = arrival(await guarded.reports, free);
    tell(way, alone.result === 'broken' && way !== 'form' ? { ...alone, result: 'open' } : alone);
    if (framed) tell(`framed-${way}`, arrival(await framed.reports, free));
  }

  function leave(options: Omit<ProbeOptions, 'role'>): { reports: Promise<Reports>; going: Promise<void> } {
    const { promise: going, resolve } = Promise.withResolvers<void>();
    const onReport = ({ claim }: Report) => claim === 'going' && resolve();
    return { going, reports: inside.run({ ...options, role: 'leaves', until: 'arrived', onReport }) };
  }

  function inNarrowPage(address: string): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    frame.title = 'A page with frame-src';
    frame.src = `${setup.narrow}#${new URLSearchParams({ src: address })}`;
    return frame;
  }

  async function tryStorage(): Promise<void> {
    if (!setup.storage)
      return tell('own-storage', { result: 'untried', detail: `Here it is ${setup.mode}: such apps are refused.` });
    const { apps, sandbox: keeping } = setup.storage;
    const [first, second] = apps.map((document) => ({ document, sandbox: keeping, role: 'keeps' })) as [
      ProbeOptions,
      ProbeOptions,
    ];
    await inside.run({ ...first, query: { tidy: '1' } });
    await inside.run({ ...second, query: { tidy: '1' } });
    const one = await inside.run(first);
    const other = await inside.run(second);
    const again = await inside.run(first);
    for (const tidied of [first, second]) await inside.run({ ...tidied, query: { tidy: '1' } });
    const guarded = gathered([one.get('others')?.outcome, other.get('others')?.outcome]);
    const tried = { result: judge({ guarded, control: again.get('others')?.outcome }) }; // it finds its own again
    const refused = one.get('kept')?.outcome === 'refused';
    tell(
      'own-storage',
      refused ? { result: 'untried', detail: 'This browser keeps nothing for frames of other sites.' } : tried,
    );
  }

  for (const id of ['webrtc', 'names']) tell(id, { result: 'untried' });
  await Promise.all([
    tryPage(),
    trySiblings(),
    tryWays(),
    tryStorage(),
    ...['location', 'link', 'refresh', 'form'].map(tryLeaving),
  ]);
}

const patienceMs = 15_000;
const graceMs = 1_500;

/** Listens for the hello of a frame as the container does. Returns what ends it. */
function listen(frame: HTMLIFrameElement, nonce: string, onReady: () => void): () => void {
  const refuse = () => ({ error: new SocialError('NOT_IMPLEMENTED', 'This is a self-test.').toWire() });
  const context = () => ({ operations: [], permissions: [] }) as never; // nobody reads it
  const greeting = expectHello({ frame, nonce });
  return acceptHello({ greeting, context, actions: new Map(), answer: refuse, onReady }).close;
}

function compared(claim: string, guarded: Reports, control: Reports): Tried {
  const report = guarded.get(claim);
  const result = judge({ guarded: report?.outcome, control: control.get(claim)?.outcome });
  if (!report) return { result, detail: 'The probe said nothing.' };
  if (result === 'untried') return { result, detail: 'It does not work here without a guard either.' };
  return { result, ...(result === 'broken' && report.detail && { detail: `Reached: ${report.detail}.` }) };
}

/** Of a probe that goes away: it said that it would, and then it came to the stranger or it did not. */
function arrival(guarded: Reports, control: Reports): Tried {
  if (!guarded.has('going')) return { result: 'untried', detail: 'The probe said nothing.' };
  const outcomeOf = (reports: Reports) => (reports.has('arrived') ? 'arrived' : 'silent');
  const result = judge({ guarded: outcomeOf(guarded), control: outcomeOf(control) });
  return result === 'untried' ? { result, detail: 'It does not work here without a guard either.' } : { result };
}

function gathered(outcomes: readonly (Report['outcome'] | undefined)[]): Report['outcome'] | undefined {
  if (outcomes.includes(undefined)) return undefined;
  return outcomes.includes('arrived') ? 'arrived' : 'refused';
}

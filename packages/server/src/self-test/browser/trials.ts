import { acceptHello, expectHello, randomNonce } from '@gantry/bridge';
import { createFrame } from '@gantry/container';
import { SocialError } from '@gantry/wire';
import type { Result } from './claims.ts';
import { judge } from './judge.ts';
import type { Outcome, Report } from './report.ts';
import { after, type ProbeOptions, type RunProbe } from './run-probe.ts';
import { ways } from './ways.ts';

/** Addresses of the probes, from the server. */
export interface Setup {
  /** Mode of isolation in words, for people. */
  readonly mode: string;
  readonly heard: string;
  /** True if the server got `Sec-Fetch-Dest`, by which it refuses apps' documents as pages. */
  readonly tellsPurpose: boolean;
  /** A page with `frame-src`, which frames the address in its fragment. */
  readonly narrow: string;
  readonly sandbox: string;
  /** Two apps with the headers of apps. */
  readonly app: string;
  readonly sibling: string;
  /** An app whose own policy does not allow addresses of this site. */
  readonly stranger: string;
  /** The control, without any guard. */
  readonly bare: string;
  /** Two apps that may store data, if apps have origins of their own. */
  readonly storage?: { readonly sandbox: string; readonly apps: readonly [string, string] };
}

export interface Tried {
  readonly result: Result;
  /** Names of everything that was reached, or the reason why it was not tried. */
  readonly detail?: string;
}
type Reports = ReadonlyMap<string, Report>;

interface Trial {
  readonly setup: Setup;
  /** Probes in a frame in a shadow tree, like that of gadgets. */
  readonly inside: RunProbe;
  /** Probes in a frame in the page itself, for controls. */
  readonly open: RunProbe;
  readonly tell: (claim: string, tried: Tried) => void;
}

/** Tries all claims, each attempt beside its control, and reports each result at once. */
export async function tryAll(trial: Trial): Promise<void> {
  const { setup, inside, open, tell } = trial;
  const { sandbox } = setup;
  const stranger = { document: setup.stranger, sandbox };
  const bare = { document: setup.bare, sandbox };

  async function tryPage(): Promise<void> {
    tell('page', { result: setup.tellsPurpose ? 'holds' : 'open' });
    const unguarded = inside({ document: setup.bare, role: 'looks' }); // without even a sandbox
    const { reports, started } = await startApp(trial);
    const control = await unguarded;
    tell('starts', { result: started ? 'holds' : 'broken' });
    for (const claim of ['document', 'cookies', 'storage']) tell(claim, compared(claim, reports, control));
    const origin = reports.get('origin')?.detail;
    tell('origin', {
      ...compared('origin', reports, control),
      ...(origin && { detail: origin === 'null' ? 'It is opaque.' : `It is ${origin}.` }),
    });
    const left = reports.get('top')?.outcome;
    tell('top', { result: judge({ guarded: left }) }); // if it had worked, this page would be gone
  }

  async function trySiblings(): Promise<void> {
    let isFooled = false;
    let close = () => {};
    // Expects a hello that its own document never sends.
    await inside({
      document: setup.app,
      role: 'waits',
      sandbox,
      onFrame: (frame) => {
        close = listen(frame, randomNonce(), () => {
          isFooled = true;
        });
      },
    });
    const sibling = { document: setup.sibling, sandbox, fragment: `#gantry=1.${randomNonce()}.x` };
    const guarded = await inside({ ...sibling, role: 'forges' });
    close();
    const trusting = ({ data, ports }: MessageEvent): void => {
      if (data?.gantry === 'hello') ports[0]?.postMessage('welcome');
    };
    addEventListener('message', trusting); // like a container without checks
    const control = await open({ ...bare, role: 'forges' });
    removeEventListener('message', trusting);
    tell('find', compared('find', guarded, control));
    tell(
      'forge',
      isFooled ? { result: 'broken', detail: 'A forged hello was accepted.' } : compared('forge', guarded, control),
    );
  }

  async function tryWays(): Promise<void> {
    const [guarded, control] = await Promise.all([
      inside({ ...stranger, role: 'stays', enough: after(60_000) }),
      inside({ ...bare, role: 'stays', enough: after(60_000) }),
    ]);
    for (const claim of Object.keys(ways)) tell(claim, compared(claim, guarded, control));
  }

  async function tryLeaving(way: string): Promise<void> {
    const control = Promise.withResolvers<void>();
    const enough = control.promise.then(() => after(graceMs)); // attempts that get through need no longer than the control
    const guarded = leave({ ...stranger, query: { way }, enough });
    // Tests frame-src alone, without the app's headers.
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
    return { going, reports: inside({ ...options, role: 'leaves', until: 'arrived', onReport }) };
  }

  function inNarrowPage(address: string): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    frame.title = 'A page with frame-src';
    frame.src = `${setup.narrow}#${new URLSearchParams({ src: address })}`;
    return frame;
  }

  for (const id of ['webrtc', 'names']) tell(id, { result: 'untried' });
  await Promise.all([
    tryPage(),
    trySiblings(),
    tryWays(),
    tryStorage(trial),
    ...['location', 'link', 'refresh', 'form'].map(tryLeaving),
  ]);
}

/** Starts an app with the SDK, as the container does. */
async function startApp({ setup, inside }: Trial): Promise<{ reports: Reports; started: boolean }> {
  const nonce = randomNonce();
  const { promise: ready, resolve } = Promise.withResolvers<boolean>();
  let close = () => {};
  const reports = await inside({
    document: setup.app,
    role: 'looks',
    query: { top: '1' },
    frame: (document) => createFrame({ document, sandbox: setup.sandbox, title: 'Probe', nonce }),
    onFrame: (frame) => {
      close = listen(frame, nonce, () => resolve(true));
    },
  });
  setTimeout(() => resolve(false), 2_000);
  const started = await ready;
  close();
  return { reports, started };
}

async function tryStorage({ setup, inside, tell }: Trial): Promise<void> {
  if (!setup.storage)
    return tell('own-storage', { result: 'untried', detail: `Here it is ${setup.mode}: such apps are refused.` });
  const { apps, sandbox: keeping } = setup.storage;
  const keep = (document: string) => ({ document, sandbox: keeping, role: 'keeps' });
  const [first, second] = [keep(apps[0]), keep(apps[1])];
  const tidy = async () => {
    for (const app of [first, second]) await inside({ ...app, query: { tidy: '1' } });
  };
  await tidy();
  const one = await inside(first);
  const other = await inside(second);
  const again = await inside(first);
  await tidy();
  const guarded = gathered([one.get('others')?.outcome, other.get('others')?.outcome]);
  const tried = { result: judge({ guarded, control: again.get('others')?.outcome }) };
  const refused = one.get('kept')?.outcome === 'refused';
  tell(
    'own-storage',
    refused ? { result: 'untried', detail: 'This browser keeps nothing for frames of other sites.' } : tried,
  );
}

const patienceMs = 15_000;
const graceMs = 1_500;

/** Listens for a hello as the container does, until the returned function is called. */
function listen(frame: HTMLIFrameElement, nonce: string, onReady: () => void): () => void {
  const refuse = () => ({ error: new SocialError('NOT_IMPLEMENTED', 'This is a self-test.').toWire() });
  const context = () => ({ operations: [], permissions: [] }) as never; // unused by probes
  const greeting = expectHello({ frame, nonce });
  return acceptHello({ greeting, context, actions: new Map(), answer: refuse, onReady }).close;
}

function judged(guarded: Outcome | undefined, control: Outcome | undefined, reached = ''): Tried {
  const result = judge({ guarded, control });
  if (guarded === undefined) return { result, detail: 'The probe sent no report.' };
  if (result === 'untried') return { result, detail: 'It does not work here without a guard either.' };
  return { result, ...(result === 'broken' && reached && { detail: `Reached: ${reached}.` }) };
}

function compared(claim: string, guarded: Reports, control: Reports): Tried {
  const report = guarded.get(claim);
  return judged(report?.outcome, control.get(claim)?.outcome, report?.detail);
}

/** Judges a probe that navigates away: it announced that, then reached the stranger or did not. */
function arrival(guarded: Reports, control: Reports): Tried {
  const outcomeOf = (reports: Reports) => (reports.has('arrived') ? 'arrived' : 'silent');
  return judged(guarded.has('going') ? outcomeOf(guarded) : undefined, outcomeOf(control));
}

function gathered(outcomes: readonly (Outcome | undefined)[]): Outcome | undefined {
  if (outcomes.includes(undefined)) return undefined;
  return outcomes.includes('arrived') ? 'arrived' : 'refused';
}

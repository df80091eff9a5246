import { expect, type Gadget, type Gantry, test } from '@gantry/testing';
import { writeGadget } from './written-app.ts';

// Each matcher where it has nothing to look at: a failure with a sentence, or a pass that is meant.

const asking = 'osapi.people.getViewer().execute(() => {});';
const uses = ['people.get', 'appdata.update'];
const tides = writeGadget('tides', { uses, body: '<h1>Tides</h1><button>Ask</button>', script: asking });
const blank = writeGadget('blank', { uses, body: '<div><p hidden>Tides</p></div>', script: asking });
const idle = writeGadget('idle', { uses, body: '<div></div>' });
const throws = writeGadget('throws', { uses, body: '<h1>Tides</h1>', script: "throw new Error('no tide');" });

test.use({ apps: [tides, blank, idle, throws] });
const quick = expect.configure({ timeout: 300 });

const matchers = {
  toBeAccessible: (gadget, on) => on(gadget).toBeAccessible(),
  'not.toBeAccessible': (gadget, on) => on(gadget).not.toBeAccessible(),
  toBeWalkableByKeyboard: (gadget, on) => on(gadget).toBeWalkableByKeyboard(),
  'not.toBeWalkableByKeyboard': (gadget, on) => on(gadget).not.toBeWalkableByKeyboard(),
  toStayInPlace: (gadget, on) => on(gadget).toStayInPlace({ frames: 2 }),
  'not.toStayInPlace': (gadget, on) => on(gadget).not.toStayInPlace({ frames: 2 }),
  toFit: (gadget, on) => on(gadget).toFit(),
  'not.toFit': (gadget, on) => on(gadget).not.toFit(),
  toShowTextOnly: (gadget, on) => on(gadget).toShowTextOnly(),
  'not.toShowTextOnly': (gadget, on) => on(gadget).not.toShowTextOnly(),
  toHaveCalled: (gadget, on) => on(gadget).toHaveCalled('people.get'),
  'not.toHaveCalled': (gadget, on) => on(gadget).not.toHaveCalled('appdata.update'),
  toHaveCalledOnce: (gadget, on) => on(gadget).toHaveCalledOnce('people.get'),
  toHaveReceived: (gadget, on) => on(gadget).toHaveReceived('displayName'),
  'not.toHaveReceived': (gadget, on) => on(gadget).not.toHaveReceived('birthday'),
  toHaveNoRefusals: (gadget, on) => on(gadget).toHaveNoRefusals(),
  'not.toHaveNoRefusals': (gadget, on) => on(gadget).not.toHaveNoRefusals(),
  toKeepWrites: (gadget, on) => on(gadget).toKeepWrites(),
  'not.toKeepWrites': (gadget, on) => on(gadget).not.toKeepWrites(),
} satisfies Readonly<Record<string, (gadget: Gadget, on: typeof expect) => Promise<void>>>;
type Matcher = keyof typeof matchers;

const noCall = /has made no call/;
const notReceived = /has not received displayName/;
const noWrites = /has made 0 of at least 1 writes for m-1\. If that is meant: \{ atLeast: 0 \}/;
const notRefused = /Nothing was refused to the app/;
const every = (sentence: RegExp) =>
  Object.fromEntries(Object.keys(matchers).map((name) => [name, sentence])) as Record<Matcher, RegExp | 'passes'>;

interface State {
  readonly arrive: (gadget: Gadget, gantry: Gantry) => Promise<void>;
  readonly cells: Readonly<Record<Matcher, RegExp | 'passes'>>;
}

const writes = { toKeepWrites: noWrites, 'not.toKeepWrites': noWrites };
const states: Readonly<Record<string, State>> = {
  'before mount': {
    arrive: async () => {},
    cells: {
      ...every(/No gadget is mounted/),
      toHaveCalled: noCall,
      toHaveCalledOnce: noCall,
      toHaveReceived: /has not received displayName: it is in none of 0 messages/,
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
  'after unmount': {
    async arrive(gadget) {
      await gadget.mount('tides');
      await gadget.settled();
      await gadget.unmount();
    },
    cells: {
      ...every(/The gadget was taken off the page/),
      toHaveCalled: 'passes', // the app called
      toHaveReceived: 'passes',
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
  'the question for consent': {
    arrive: (gadget) => gadget.mount('tides', { permissions: 'none' }),
    cells: {
      ...every(/The gadget is asking: a card stands in the place of tides\. If that is meant: \{ on: 'card' \}/),
      toHaveCalled: noCall,
      'not.toHaveCalled': 'passes', // nothing is called before consent
      toHaveCalledOnce: noCall,
      toHaveReceived: notReceived,
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
  'the card of a stopped app': {
    async arrive(gadget) {
      await gadget.mount('tides');
      await gadget.settled();
      await gadget.element.evaluate((element) => (element as HTMLElement & { stop(): void }).stop());
    },
    cells: {
      ...every(/The gadget is stopped: a card stands in the place of tides/),
      toHaveCalled: 'passes', // before it stopped
      'not.toHaveCalled': /The gadget is stopped, so it does not settle/,
      toHaveCalledOnce: /The gadget is stopped, so it does not settle/,
      toHaveReceived: 'passes',
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
  // Its test fails at the end, unless it expects the error: then it says something of what is left.
  'an app that threw at start': {
    arrive: (gadget) => gadget.mount('throws'),
    cells: {
      toBeAccessible: 'passes',
      'not.toBeAccessible': /axe has found nothing wrong/,
      toBeWalkableByKeyboard: /the app has no control/,
      'not.toBeWalkableByKeyboard': /the app has no control/,
      toStayInPlace: 'passes',
      'not.toStayInPlace': /stood still/,
      toFit: 'passes',
      'not.toFit': /Nothing is cut off/,
      toShowTextOnly: /shows none of 0 texts/,
      'not.toShowTextOnly': /shows none of 0 texts/,
      toHaveCalled: noCall,
      'not.toHaveCalled': 'passes',
      toHaveCalledOnce: noCall,
      toHaveReceived: notReceived,
      'not.toHaveReceived': 'passes',
      toHaveNoRefusals: 'passes',
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
  'a blank app': {
    arrive: (gadget) => gadget.mount('blank'),
    cells: {
      ...every(/blank shows nothing: no text, no control, no picture/),
      toHaveCalled: 'passes', // a blank page may call
      'not.toHaveCalled': 'passes',
      toHaveCalledOnce: 'passes',
      toHaveReceived: 'passes',
      'not.toHaveReceived': 'passes',
      toHaveNoRefusals: 'passes',
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
  'a blank app that calls nothing': {
    arrive: (gadget) => gadget.mount('idle'),
    cells: {
      ...every(/idle shows nothing: no text, no control, no picture/),
      toHaveCalled: noCall,
      toHaveCalledOnce: noCall,
      toHaveReceived: notReceived,
      'not.toHaveNoRefusals': notRefused,
      ...writes,
    },
  },
};

async function outcomeOf(run: Promise<void>): Promise<string> {
  return run.then(
    () => 'passes',
    (error: Error) => error.message,
  );
}

for (const [title, { arrive, cells }] of Object.entries(states)) {
  test.describe(() => {
    test.use({ expectedErrors: title === 'an app that threw at start' ? ['no tide'] : [] });
    test(`matchers say what they look at, or fail: ${title}`, async ({ gadget, gantry }) => {
      await arrive(gadget, gantry);
      for (const name of Object.keys(matchers) as Matcher[]) {
        const outcome = await outcomeOf(matchers[name](gadget, cells[name] === 'passes' ? expect : quick));
        expect.soft(outcome, `${title}: ${name}`).toMatch(cells[name]);
      }
    });
  });
}

test('matchers with { on: card } look at a card', async ({ gadget }) => {
  await gadget.mount('tides', { permissions: 'none' });
  await expect(gadget).toBeAccessible({ on: 'card' });
  await expect(gadget).toStayInPlace({ frames: 5, on: 'card' });
  await expect(gadget).toHaveNoRefusals({ on: 'card' });
  await expect(gadget).not.toHaveReceived('birthday', undefined, { on: 'card' });
  await expect(gadget).toKeepWrites({ atLeast: 0, on: 'card' });
  await gadget.update({ permissions: 'all' });
  expect(await outcomeOf(quick(gadget).toBeAccessible({ on: 'card' }))).toContain(
    'The gadget shows no card: it is ready.',
  );
});

test.describe('a world of one member', () => {
  test.use({ world: { make: () => ({ members: [{ id: 'm-1', displayName: 'Ada', gender: 'female' }] }) } });

  test('a value that no app can receive proves nothing', async ({ gadget, gantry }) => {
    await gadget.mount('tides');
    const message = (field: string, value?: unknown) => outcomeOf(quick(gadget).not.toHaveReceived(field, value));
    expect(await message('birthdya')).toContain(
      'No operation has a field "birthdya", and no AppData such a key. Did you mean birthday?',
    );
    expect(await message('gender', 7)).toContain('gender is a string, never 7.');
    expect(await message('birthday')).toContain('No member of this world has a value in birthday.');
    expect(await message('gender', 'male')).toBe('passes'); // part of Ada’s “female”
    expect(await message('gender', 'other')).toContain('No member of this world has "other" in gender.');
    expect(await message('gender')).toBe('passes'); // control
    await gantry.social.as('m-1').write({ score: '12' }, 'tides');
    expect(await message('score')).toBe('passes');
  });
});

test('matchers refuse a page in place of a gadget', async ({ gadget, page }) => {
  await gadget.mount('tides');
  for (const run of Object.values(matchers))
    expect(await outcomeOf(run(page as unknown as Gadget, quick))).toMatch(
      /^(\w+) looks at a gadget: expect\(gadget\)\.\1\(/,
    );
});

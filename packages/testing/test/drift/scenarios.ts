import type { Gadgets, Gantry, Osapi } from '@gantry/osapi';

// Runs in a frame as well as in Node, so it imports types only.

/** The SDK, and the members around the one who looks. */
export interface Around {
  readonly osapi: Osapi;
  readonly gadgets: Gadgets;
  readonly gantry: Gantry;
  /** Ids: the viewer, two friends of whom one has the app, and a member who knows none of them. */
  readonly me: string;
  readonly friend: string;
  readonly other: string;
  readonly stranger: string;
  /**
   * Saves AppData as another member, from elsewhere. Not awaited: what it does is heard by a
   * subscription.
   */
  elsewhere(member: string, data: Readonly<Record<string, string>>): void;
}

export interface Scenario {
  readonly name: string;
  /** Member who looks. Default: `me`. */
  readonly as?: 'nobody';
  /** Member whose page it is. Default: the viewer. */
  readonly owner?: 'friend' | 'stranger';
  readonly view?: string;
  readonly run: (around: Around) => unknown;
}

/**
 * Name of the title by which a scenario says that it has ended, and of the one that asks for a
 * write from elsewhere.
 */
export const signals = { end: 'end', elsewhere: 'elsewhere' } as const;

/** Runs one scenario. The title of the gadget reports its end, and unexpected errors. */
export async function runScenario(
  sdk: Pick<Around, 'osapi' | 'gadgets' | 'gantry'>,
  { name, members }: { readonly name: string; readonly members: string },
): Promise<void> {
  const [me = '', friend = '', other = '', stranger = ''] = members.split(',');
  const say = (text: string): void => void sdk.gantry.setTitle(text);
  const elsewhere: Around['elsewhere'] = (member, data) =>
    say(`${signals.elsewhere} ${JSON.stringify({ member, data })}`);
  try {
    await scenarios.find((one) => one.name === name)?.run({ ...sdk, me, friend, other, stranger, elsewhere });
    say(signals.end);
  } catch (error) {
    say(`${signals.end}: ${(error as Error).message}`);
  }
}

/** Waits for a call; what it throws is in the recording. */
const quietly = (call: PromiseLike<unknown>): Promise<unknown> => Promise.resolve(call).catch(() => undefined);
const all = (...calls: PromiseLike<unknown>[]): Promise<unknown> => Promise.all(calls.map(quietly));

/** Resolves when a subscription was pushed a value that `isWanted`. */
function pushed<T>(
  request: { subscribe(listener: (value: T) => void, onError?: (error: unknown) => void): () => void },
  isWanted: (value: T) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = request.subscribe(
      (value) => {
        if (!isWanted(value)) return;
        queueMicrotask(() => stop());
        resolve();
      },
      () => resolve(),
    );
  });
}

const activity = { title: 'reached level 3' };

export const scenarios: readonly Scenario[] = [
  { name: 'the viewer', run: ({ osapi }) => osapi.people.getViewer() },
  { name: 'the viewer with a field', run: ({ osapi }) => osapi.people.getViewer({ fields: ['birthday'] }) },
  { name: 'all fields', run: ({ osapi }) => quietly(osapi.people.getViewer({ fields: ['@all'] })) },
  { name: 'a field that is not declared', run: ({ osapi }) => quietly(osapi.people.getViewer({ fields: ['gender'] })) },
  { name: 'an unknown member', run: ({ osapi }) => quietly(osapi.people.get({ userId: 'nobody-at-all' })) },
  { name: 'a member by id', run: ({ osapi, friend }) => quietly(osapi.people.get({ userId: friend })) },
  { name: 'several members', run: ({ osapi, me, friend }) => quietly(osapi.people.get({ userId: [me, friend] })) },
  { name: 'friends', run: ({ osapi }) => osapi.people.getViewerFriends() },
  { name: 'a page of friends', run: ({ osapi }) => osapi.people.getViewerFriends({ count: 1, startIndex: 1 }) },
  { name: 'friends who have the app', run: ({ osapi }) => osapi.people.getViewerFriends({ filterBy: 'hasApp' }) },
  {
    name: 'pages of friends, one after the other',
    run: async ({ osapi }) => {
      for await (const _ of osapi.people.getViewerFriends({ count: 1 }));
    },
  },
  { name: 'the owner of another page', owner: 'friend', run: ({ osapi }) => osapi.people.getOwner() },
  { name: 'friends of the owner', owner: 'friend', run: ({ osapi }) => quietly(osapi.people.getOwnerFriends()) },
  { name: 'a stranger’s page', owner: 'stranger', run: ({ osapi }) => quietly(osapi.people.getOwner()) },
  {
    name: 'friends of a stranger',
    run: ({ osapi, stranger }) => quietly(osapi.people.get({ userId: stranger, groupId: '@friends' })),
  },
  { name: 'nobody signed in', as: 'nobody', run: ({ osapi }) => quietly(osapi.people.getViewer()) },
  { name: 'a write of nobody', as: 'nobody', run: ({ osapi }) => quietly(osapi.appdata.update({ data: { a: '1' } })) },
  { name: 'a person is not made', run: ({ osapi }) => quietly(osapi.people.create({})) },

  { name: 'no AppData', run: ({ osapi }) => osapi.appdata.get() },
  {
    name: 'AppData saved and read',
    run: async ({ osapi }) => {
      await osapi.appdata.update({ data: { a: '1', b: '2' } });
      await osapi.appdata.get();
    },
  },
  {
    name: 'one key of AppData',
    run: async ({ osapi }) => {
      await osapi.appdata.update({ data: { a: '1', b: '2' } });
      await osapi.appdata.get({ keys: ['b', 'missing'] });
    },
  },
  {
    name: 'a key deleted',
    run: async ({ osapi }) => {
      await osapi.appdata.update({ data: { a: '1', b: '2' } });
      await osapi.appdata.delete({ keys: 'a' });
      await osapi.appdata.get();
    },
  },
  {
    name: 'all keys deleted',
    run: async ({ osapi }) => {
      await osapi.appdata.update({ data: { a: '1' } });
      await osapi.appdata.delete({ keys: '*' });
      await osapi.appdata.get();
    },
  },
  { name: 'values that are no text', run: ({ osapi }) => osapi.appdata.update({ data: { n: 3, o: { a: [1] } } }) },
  { name: 'a key that is no name', run: ({ osapi }) => quietly(osapi.appdata.update({ data: { 'a b': '1' } })) },
  {
    name: 'a value too large',
    run: ({ osapi }) => quietly(osapi.appdata.update({ data: { a: 'x'.repeat(110_000) } })),
  },
  { name: 'AppData without data', run: ({ osapi }) => quietly(osapi.appdata.update({} as never)) },
  {
    name: 'AppData of another',
    run: ({ osapi, friend }) => quietly(osapi.appdata.update({ userId: friend, data: { a: '1' } })),
  },
  { name: 'AppData of friends', run: ({ osapi }) => osapi.appdata.get({ groupId: '@friends' }) },
  { name: 'AppData of a stranger', run: ({ osapi, stranger }) => quietly(osapi.appdata.get({ userId: stranger })) },
  {
    name: 'writes in their order',
    run: async ({ osapi }) => {
      await all(...[1, 2, 3].map((value) => osapi.appdata.update({ data: { a: String(value) } })), osapi.appdata.get());
    },
  },
  {
    name: 'an optimistic write that is rolled back',
    run: async ({ osapi, gantry }) => {
      await osapi.appdata.get();
      const rolledBack = new Promise((resolve) => gantry.on('rollback', resolve));
      await quietly(osapi.appdata.update({ data: { a: 'x'.repeat(110_000) } }));
      await rolledBack;
      await osapi.appdata.get();
    },
  },

  { name: 'no activities', run: ({ osapi }) => osapi.activities.get() },
  {
    name: 'an activity posted and read',
    run: async ({ osapi }) => {
      await osapi.activities.create({ activity });
      await osapi.activities.get();
    },
  },
  {
    name: 'a second post too soon',
    run: async ({ osapi }) => {
      await osapi.activities.create({ activity });
      await quietly(osapi.activities.create({ activity }, { write: { queue: false } }));
    },
  },
  { name: 'a post without a title', run: ({ osapi }) => quietly(osapi.activities.create({ activity: {} as never })) },
  { name: 'a post without an activity', run: ({ osapi }) => quietly(osapi.activities.create({} as never)) },
  { name: 'activities of friends', run: ({ osapi }) => osapi.activities.get({ groupId: '@friends' }) },
  { name: 'albums', run: ({ osapi }) => quietly(osapi.albums?.get() ?? Promise.resolve()) },
  {
    name: 'media items of an unknown album',
    run: ({ osapi }) => quietly(osapi.mediaItems?.get({ albumId: 'none' }) ?? Promise.resolve()),
  },
  { name: 'a call that is not declared', run: ({ osapi }) => quietly(osapi.albums?.create({}) ?? Promise.resolve()) },

  {
    name: 'a batch',
    run: ({ osapi }) =>
      osapi
        .newBatch()
        .add('me', osapi.people.getViewer())
        .add('friends', osapi.people.getViewerFriends())
        .add('wrong', osapi.people.get({ userId: 'nobody-at-all' })),
  },
  {
    name: 'the same read twice, joined and from the cache',
    run: async ({ osapi }) => {
      await all(osapi.people.getViewer(), osapi.people.getViewer());
      await osapi.people.getViewer();
    },
  },
  {
    name: 'an aborted call',
    run: async ({ osapi }) => {
      const controller = new AbortController();
      const call = quietly(osapi.people.getViewer({}, { signal: controller.signal }));
      controller.abort();
      await call;
    },
  },
  { name: 'parameters that are none', run: ({ osapi }) => quietly(osapi.people.get('me' as never)) },
  {
    name: 'a count that is none',
    run: ({ osapi }) => quietly(osapi.people.getViewerFriends({ count: 'many' as never })),
  },
  { name: 'a parameter that is signed', run: ({ osapi }) => quietly(osapi.people.get({ oauth_token: 'x' } as never)) },
  {
    name: 'a subscription that hears the app’s own write',
    run: async ({ osapi, me }) => {
      let saved = 0; // optimistic, then confirmed
      const heard = pushed(osapi.appdata.get(), (data) => {
        if (!data[me]?.a) void quietly(osapi.appdata.update({ data: { a: '1' } }));
        else saved += 1;
        return saved === 2;
      });
      await heard;
    },
  },
  {
    name: 'a subscription that hears another member’s write',
    run: async ({ osapi, friend, elsewhere }) => {
      let isFirst = true;
      await pushed(osapi.appdata.get({ groupId: '@friends' }), (data) => {
        if (isFirst) elsewhere(friend, { a: 'from elsewhere' });
        isFirst = false;
        return data[friend]?.a === 'from elsewhere';
      });
    },
  },

  {
    name: 'state set, read and forgotten',
    run: async ({ gantry }) => {
      await gantry.state.set({ level: 3 });
      await gantry.state.get();
      await gantry.state.set(undefined);
      await gantry.state.get();
    },
  },
  { name: 'a state too large', run: ({ gantry }) => quietly(gantry.state.set('x'.repeat(70_000))) },
  {
    name: 'permissions',
    run: async ({ gantry }) => {
      await gantry.permissions.has('people');
      await gantry.permissions.has('albums');
      await quietly(gantry.permissions.request(['people']));
    },
  },
  {
    name: 'a permission that is not declared',
    run: ({ gantry }) => quietly(gantry.permissions.request(['people.gender'])),
  },
  {
    name: 'a sub-view with parameters',
    run: ({ gantry }) => quietly(gantry.views.navigate('home.level', { number: '3' })),
  },
  { name: 'an unknown view', run: ({ gantry }) => quietly(gantry.views.navigate('cellar')) },
  { name: 'the canvas view', view: 'canvas', run: ({ osapi }) => osapi.people.getViewer() },
];

import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Scenario } from '@gantry/lab';
import { SocialError } from '@gantry/wire';
import type { AppFolder } from '../app-folder.ts';
import { type Route, readJson, sendJson, sendRefusal } from '../route.ts';
import { watchFolder } from '../sources/watch-folder.ts';
import type { MountableStory, StoriesAnswer, StoryProblem, StoryRequest } from '../story-protocol.ts';
import { type LoadedFile, type LoadedStory, storiesOf, withoutTwins, withWorldFrom } from './story-list.ts';
import { guess, storyFaults } from './story-members.ts';
import { loadStoryThread } from './story-thread.ts';

/** Stories of the apps of a dev host. Files are loaded on first use. */
export type Stories = ReturnType<typeof createStories>;

export interface FoundStory {
  /** Its settings. `world` is a name or an absolute path, and absent where a function makes it. */
  readonly scenario: Scenario;
  /**
   * Makes the content of a world file, anew each time. @throws SocialError BAD_REQUEST if the
   * story's function throws.
   */
  readonly world?: () => Promise<unknown>;
}

/**
 * @param options.apps The apps there are now.
 * @param options.onChange Called after a story file, or a file that one imports, has changed.
 */
export function createStories(options: {
  readonly apps: () => readonly AppFolder[];
  readonly onChange?: () => void;
  readonly poll?: boolean | undefined;
}) {
  const { apps, onChange = () => {}, poll } = options;
  const files = new Map<string, { readonly loaded: Promise<LoadedFile>; names?: ReadonlySet<string> }>();
  const revisions = new Map<string, number>();
  const watched = new Map<string, Promise<() => Promise<void>>>();

  function watch(folder: string): Promise<unknown> {
    const onChange = (paths: readonly string[]) => onChanged(paths.map((path) => join(folder, path)));
    const watching = watched.get(folder) ?? watchFolder(folder, onChange, { poll, depth: 0 });
    watched.set(folder, watching);
    return watching;
  }

  function onChanged(paths: readonly string[]): void {
    let isConcerned = false;
    for (const [file, { loaded, names }] of files) {
      if (names && !paths.some((path) => names.has(path))) continue;
      files.delete(file);
      isConcerned = true;
      void loaded.then(({ thread }) => thread.close());
    }
    const known = [...files.keys(), ...revisions.keys()];
    if (isConcerned || paths.some((path) => isNewStory(path, known))) onChange();
  }

  function loadFile(app: AppFolder, file: string): Promise<LoadedFile> {
    const before = files.get(file);
    if (before) return before.loaded;
    const revision = (revisions.get(file) ?? 0) + 1;
    revisions.set(file, revision);
    const entry: { loaded: Promise<LoadedFile>; names?: ReadonlySet<string> } = {
      loaded: loadStoryThread(file).then(async (thread) => {
        entry.names = new Set(thread.files);
        await Promise.all(thread.files.map((path) => watch(dirname(path))));
        return { app, file, revision, thread };
      }),
    };
    files.set(file, entry);
    return entry.loaded;
  }

  async function load(): Promise<{
    readonly stories: readonly LoadedStory[];
    readonly problems: StoriesAnswer['problems'];
  }> {
    const loaded = await Promise.all(
      apps().map(async (app) => {
        await watch(app.folder);
        const [paths, renames] = await Promise.all([storyFilesIn(app.folder), renamesIn(app)]);
        const lists = await Promise.all(paths.map(async (file) => storiesOf(await loadFile(app, file))));
        const { stories, problems } = withoutTwins(lists.flatMap((list) => list.stories));
        return { stories, problems: [...lists.flatMap((list) => list.problems), ...problems, ...renames] };
      }),
    );
    return { stories: loaded.flatMap(({ stories }) => stories), problems: loaded.flatMap(({ problems }) => problems) };
  }

  async function storyWith(id: string): Promise<LoadedStory> {
    const { stories, problems } = await load();
    const story = stories.find(({ facts }) => facts.id === id);
    if (story) return story;
    throw new SocialError('NOT_FOUND', noStory(id, { stories, problems, apps: apps() }));
  }

  return {
    async list(): Promise<StoriesAnswer> {
      const { stories, problems } = await load();
      const places = apps().map((app) => ({ id: app.id, folder: basename(app.folder) }));
      return { stories: stories.map(({ facts }) => facts), problems, apps: places };
    },
    /**
     * Finds the settings for the lab of a story.
     *
     * @throws SocialError NOT_FOUND for an id that no story has, with those there are.
     */
    async find(id: string): Promise<FoundStory> {
      const story = await storyWith(id);
      const { scenario, makesWorld } = story.facts;
      return makesWorld ? { scenario, world: () => makeWorld(story) } : { scenario };
    },
    /**
     * Finds a story and replaces some of its members, as a page or a test asks.
     *
     * @throws SocialError NOT_FOUND as `find`; BAD_REQUEST for props that no scenario can have.
     */
    async open({ story: id, props = {} }: StoryRequest): Promise<MountableStory> {
      const faults = [...storyFaults(props)];
      if (Object.hasOwn(props, 'title')) faults.push('A title is for the story, not for a mount.');
      if (faults.length > 0) throw new SocialError('BAD_REQUEST', `${id}: ${faults.join(' ')}`);
      const { state, ...replaced } = props as Scenario & { readonly state?: unknown };
      const app = apps().find((app) => app.id === id);
      if (app)
        return { id, app: id, scenario: withWorldFrom(app.folder, replaced), ...(state !== undefined && { state }) };
      const loadedStory = await storyWith(id);
      const ownState = state ?? loadedStory.state;
      return {
        id,
        app: loadedStory.facts.app,
        story: id,
        scenario: { ...loadedStory.facts.scenario, ...withWorldFrom(loadedStory.loaded.app.folder, replaced) },
        ...(ownState !== undefined && { state: ownState }),
      };
    },
    async close(): Promise<void> {
      for (const stop of watched.values()) await (await stop)();
      await Promise.all([...files.values()].map(async ({ loaded }) => (await loaded).thread.close()));
    },
  };
}

async function makeWorld({ facts, loaded }: LoadedStory): Promise<unknown> {
  try {
    const world = await loaded.thread.makeWorld(facts.name);
    if (typeof world === 'object' && world !== null) return world;
    throw new Error(`it returned ${JSON.stringify(world)}, but a world is an object (docs/world-file.md)`);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new SocialError('BAD_REQUEST', `${facts.file}, ${facts.name}: its world cannot be made: ${reason}`, {
      cause,
    });
  }
}

const mostNamed = 30;

function noStory(
  id: string,
  has: {
    readonly stories: readonly LoadedStory[];
    readonly problems: StoriesAnswer['problems'];
    readonly apps: readonly AppFolder[];
  },
): string {
  const ids = has.stories.map(({ facts }) => facts.id);
  const named = [...ids.slice(0, mostNamed), ...(ids.length > mostNamed ? [`${ids.length - mostNamed} more`] : [])];
  const list = ids.length > 0 ? `Stories: ${named.join(', ')}.` : 'There are no stories yet.';
  const appIds = has.apps.map((app) => app.id);
  const [app, name] = id.split('/');
  const broken = has.problems.filter((problem) => problem.app === app && (problem.name ?? name) === name);
  const why = broken.slice(0, 3).map((problem) => ` ${problem.file}: ${problem.message}`);
  return `No story ${JSON.stringify(id)}.${guess(id, [...ids, ...appIds])} ${list} Apps: ${appIds.join(', ')}.${why.join('')}`;
}

const storyFile = /^[^.].*\.gadget\.(?:ts|js|mjs)$/;
const oldStoryFile = /^([^.].*)\.stories\.(ts|js|mjs)$/;

function isNewStory(path: string, known: readonly string[]): boolean {
  const name = basename(path);
  return (storyFile.test(name) && !known.includes(path)) || oldStoryFile.test(name);
}

/** Lists story files beside a `gadget.json`, by name; none for an unreadable folder. */
async function storyFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => storyFile.test(name)).sort();
  return files.map((name) => join(folder, name));
}

/** Names the files with the suffix that stories had before. Storybook's export a default. */
export async function renamesIn({ id, folder }: AppFolder): Promise<readonly StoryProblem[]> {
  const names = await readdir(folder).catch(() => []);
  const problems = names.sort().map(async (file) => {
    const [, name, extension] = oldStoryFile.exec(file) ?? [];
    if (name === undefined || /^export default\b/m.test(await readFile(join(folder, file), 'utf8').catch(() => '')))
      return [];
    return [
      { app: id, file, message: `Stories have another suffix now: rename ${file} to ${name}.gadget.${extension}.` },
    ];
  });
  return (await Promise.all(problems)).flat();
}

/** Serves `GET /dev/stories` (the list) and `POST /dev/stories` (one, with props). */
export function createStoriesRoute(stories: Stories): Route {
  return async ({ incoming, outgoing, method, path }) => {
    if (path !== '/dev/stories') return false;
    if (method !== 'POST') return sendJson(outgoing, await stories.list());
    try {
      return sendJson(outgoing, await stories.open(await readJson<StoryRequest>(incoming)));
    } catch (error) {
      return sendRefusal(outgoing, error);
    }
  };
}

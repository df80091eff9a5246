import { SourceMap, type SourceMapPayload } from 'node:module';
import { posix } from 'node:path';
import type { SourcePlace } from '@gantry/lab';

export interface SourcePlaces {
  /**
   * Maps a place in a served file to its source.
   *
   * @param place With the absolute address of the file.
   * @returns A place of that source; nothing for a file that is not the app's, and for the agent.
   */
  find(app: string, place: SourcePlace): Promise<SourcePlace | undefined>;
  /** Maps the first place of a stack in the app. */
  findInStack(app: string, stack: string): Promise<SourcePlace | undefined>;
  /** Returns the path of an app's file in its folder, out of its address. */
  pathOf(app: string, address: string): string | undefined;
}

interface Served {
  readonly lines: readonly string[];
  readonly map: SourceMap | undefined;
  /** The dev host's own script, which stands in a line of a page. */
  readonly agent: { readonly line: number; readonly end: number; readonly length: number } | undefined;
}

const mostFiles = 100;
const mostBytes = 8_000_000;
const mostFrames = 30;
const mostLine = 200;
const keptMs = 1_000; // errors repeat; a saved file is another key

/**
 * @param options.read Reads a file of an app as its frame gets it: path and query of its address. A
 * file that is not there is `undefined`.
 */
export function createSourcePlaces(options: {
  readonly read: (target: string) => Promise<string | undefined>;
  readonly now?: () => number;
}): SourcePlaces {
  const { read, now = Date.now } = options;
  const files = new Map<string, { readonly served: Promise<Served | undefined>; readonly atMs: number }>();

  function open(target: string): Promise<Served | undefined> {
    const file = files.get(target);
    if (file && now() - file.atMs < keptMs) return file.served;
    const served = load(target).catch(() => undefined); // invalid map: use the place in the served file
    files.delete(target);
    files.set(target, { served, atMs: now() });
    if (files.size > mostFiles) files.delete(files.keys().next().value as string);
    return served;
  }
  async function load(target: string): Promise<Served | undefined> {
    const text = await read(target);
    if (text === undefined || text.length > mostBytes) return undefined;
    const address = mapAddress(text);
    const map = address === undefined ? undefined : await mapAt(address, target);
    return { ...withoutAgent(text), map };
  }
  async function mapAt(address: string, target: string): Promise<SourceMap | undefined> {
    const inline = /^data:application\/json;(?:charset=[\w-]+;)?base64,(.*)$/s.exec(address)?.[1];
    const text = inline === undefined ? await readOwn(address, target) : Buffer.from(inline, 'base64').toString();
    return text === undefined ? undefined : new SourceMap(JSON.parse(text) as SourceMapPayload);
  }
  async function readOwn(address: string, target: string): Promise<string | undefined> {
    if (!URL.canParse(address, `http://app${target}`)) return undefined;
    const { host, pathname, search } = new URL(address, `http://app${target}`);
    const base = target.split('/').slice(0, 4).join('/'); // /gantry/apps/<id>: no other path of the dev host is read
    return host === 'app' && pathname.startsWith(`${base}/`) ? read(pathname + search) : undefined;
  }

  async function find(app: string, { file, line, column = 1 }: SourcePlace): Promise<SourcePlace | undefined> {
    const path = pathOf(app, file);
    if (path === undefined) return undefined;
    const { pathname, search } = new URL(file);
    const served = await open(pathname + search);
    const origin = served?.map?.findOrigin(line, column);
    if (!origin || !('fileName' in origin)) {
      const { agent } = served ?? {};
      const isBehind = agent?.line === line && column > agent.end;
      if (agent?.line === line && !isBehind && column > agent.end - agent.length) return undefined;
      return placeAt({ file: path, line, column: isBehind ? column - agent.length : column }, served?.lines);
    }
    const source = posix.join(posix.dirname(path), decoded(origin.fileName.replace(/^[a-z]+:\/\/\/?/i, '')));
    const { sources, sourcesContent } = served?.map?.payload ?? {};
    const content: string | undefined = sourcesContent?.[sources?.indexOf(origin.fileName) ?? -1];
    return placeAt({ file: source, line: origin.lineNumber, column: origin.columnNumber }, content?.split('\n'));
  }

  return {
    find,
    pathOf,
    async findInStack(app, stack) {
      const frames = [...stack.matchAll(/(https?:[^\s()]+):(\d+):(\d+)/g)].slice(0, mostFrames);
      for (const [, file = '', line, column] of frames) {
        const place = await find(app, { file, line: Number(line), column: Number(column) });
        if (place && !/(^|\/)node_modules\//.test(place.file)) return place;
      }
      return undefined;
    },
  };
}

/** Returns the path behind the id and the segment of the run. */
function pathOf(app: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const [, id = '', path] =
    /^\/gantry\/apps\/([^/]+)\/(?:[\w-]+(?:~[\w-]+)?\/)?(.+)$/.exec(new URL(address).pathname) ?? [];
  return path !== undefined && decoded(id) === app ? decoded(path) : undefined;
}

/** Returns the address of a source map. Searches from the end, since files may be long. */
function mapAddress(text: string): string | undefined {
  const at = Math.max(text.lastIndexOf('\n//# sourceMappingURL='), text.lastIndexOf('\n//@ sourceMappingURL='));
  const address = text.slice(at + '\n//# sourceMappingURL='.length).trimEnd();
  return at === -1 || /\s/.test(address) ? undefined : address;
}

const agentTag = '<script>globalThis.gantryAgent=';

function withoutAgent(text: string): Pick<Served, 'lines' | 'agent'> {
  const start = text.indexOf(agentTag);
  const close = start === -1 || start > 10_000 ? -1 : text.indexOf('</script>', start);
  if (close === -1) return { lines: text.split('\n'), agent: undefined };
  const end = close + '</script>'.length;
  const before = text.slice(0, start);
  const script = text.slice(start, end);
  const isOneLine = !script.includes('\n');
  return {
    lines: (isOneLine ? before + text.slice(end) : text).split('\n'),
    agent: isOneLine
      ? { line: before.split('\n').length, end: end - (before.lastIndexOf('\n') + 1), length: script.length }
      : undefined,
  };
}

function placeAt(place: SourcePlace, lines: readonly string[] | undefined): SourcePlace {
  const text = lines?.[place.line - 1]?.trim();
  return text ? { ...place, text: text.slice(0, mostLine) } : place;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { nobody, type Scenario, type World, type WorldSource } from '@gantry/lab';
import { readTape, type Tape } from '@gantry/lab/tape';
import type { BrowserCommandContext } from 'vitest/node';
import type { AppUnderTest } from '../apps.ts';
import { millisecondsOf } from '../clock.ts';
import type { LabsOnServer } from '../labs-on-server.ts';
import { openSite, type SiteOfTest } from '../open-site.ts';
import type { Worlds } from '../worlds.ts';
import { lookIntoFrame } from './look-into-frame.ts';
import type { Asked, AskedOfLab, Opened, OpenRequest, Told } from './protocol.ts';

/** Makes the handler of requests by tests of one server. */
export function createAnswers(options: {
  readonly worlds: Worlds;
  readonly labs: LabsOnServer;
  readonly url: () => string;
  readonly apps: () => Promise<readonly AppUnderTest[]>;
  readonly usual: {
    readonly world: WorldSource | World;
    readonly scenario: Scenario;
    readonly seed: string | undefined;
  };
}): (asked: Asked, context: BrowserCommandContext) => Promise<Told> {
  const { worlds, labs, url, apps, usual } = options;
  const sites = new Map<string, { readonly site: SiteOfTest; readonly scenario: Scenario; end(): Promise<void> }>();

  async function open(asked: OpenRequest): Promise<Told> {
    const { seed = usual.seed } = asked;
    const world = asked.world ?? usual.world;
    const scenario = { ...usual.scenario, ...asked.scenario };
    const worldOfTest = typeof world === 'function' ? { make: world } : world;
    const site = await openSite({ url: url(), worlds }, { apps: await apps(), world: worldOfTest, scenario, seed });
    const { lab } = site;
    const remove = labs.add(lab);
    sites.set(lab.name, {
      ...{ site, scenario },
      async end() {
        sites.delete(lab.name);
        remove();
        await site.close();
      },
    });
    const value: Opened = {
      lab: lab.name,
      apps: site.apps.map(({ id }) => id),
      personas: lab.personas.map(({ id }) => id),
      ...{ scenario, nobody },
      ...(seed !== undefined && { seed }),
    };
    return { value, entries: [], clock: lab.clock.state };
  }

  return async (asked, context) => {
    if (asked.ask === 'open') return open(asked.open);
    const opened = sites.get(asked.lab);
    if (!opened) throw new Error('The site of this test is closed.');
    const { lab } = opened.site;
    const value = await change(opened.site, asked, context);
    const entries = lab.record.entries.filter(({ number }) => number > asked.since);
    if (asked.ask === 'close') await opened.end();
    return { value, entries, clock: lab.clock.state };
  };
}

/** Handles one request to the site of a test. */
async function change(site: SiteOfTest, asked: AskedOfLab, context: BrowserCommandContext): Promise<unknown> {
  const { lab } = site;
  const { clock, faults } = lab;
  switch (asked.ask) {
    case 'entries':
    case 'close':
      return undefined;
    case 'apply':
      return site.apply(asked.scenario);
    case 'tape':
      return readTapeBeside(context.testPath, asked.path);
    case 'jump':
      clock.jump(millisecondsOf(asked.by));
      return clock.pause(0); // behind the timers of the site that became due
    case 'stop':
      clock.stop(asked.at);
      return clock.pause(0);
    case 'start':
      return clock.start();
    case 'network':
      faults.network = asked.network;
      return undefined;
    case 'deny':
      return faults.deny(asked.permission);
    case 'clear':
      return faults.clear();
    case 'fault':
      return own(faults.once(asked.operation, asked.of), asked.fault)(...asked.values);
    case 'social':
      return own(lab.social.as(asked.member), asked.act)(...asked.values);
    case 'look':
      return lookIntoFrame(asked, context);
  }
}

/** @param path Relative to the file of the test. @throws Error for a file that is no tape. */
async function readTapeBeside(testPath: string | undefined, path: string): Promise<Tape> {
  const file = resolve(testPath === undefined ? '.' : dirname(testPath), path);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no tape ${path} beside the test.`, { cause });
  });
  return readTape(text);
}

type Method = (...values: readonly unknown[]) => unknown;

/** Returns a method that an object has by itself. @throws TypeError for any other name. */
function own(of: object, name: string): Method {
  const method: unknown = Object.hasOwn(of, name) ? Reflect.get(of, name) : undefined;
  if (typeof method !== 'function')
    throw new TypeError(`There is no ${name}: there are ${Object.keys(of).join(', ')}.`);
  return method as Method;
}

import type { LabApp, Scenario, World, WorldSource } from '@gantry/lab';
import type { Plugin } from 'vitest/config';
import type { BrowserCommandContext } from 'vitest/node';
import { findApps } from '../apps.ts';
import { createLabsOnServer, pathOf } from '../labs-on-server.ts';
import { createWorlds } from '../worlds.ts';
import { createAnswers } from './answers.ts';
import type { Asked, Told } from './protocol.ts';

export interface GantryPluginOptions {
  /** Apps under test: folders relative to Vite's root, or registrations. Default: the root. */
  readonly apps?: readonly (string | LabApp)[];
  /** Data of the site. Default: `pleasant`. */
  readonly world?: WorldSource | World;
  /** Members of every scenario, where a mount names no others. */
  readonly scenario?: Scenario;
  /** Makes two runs of a test equal, as the option of the fixtures for Playwright does. */
  readonly seed?: string;
}

/** The plugin for its other instances: Vitest loads plugins once per server. */
interface Api {
  answer(asked: Asked, context: BrowserCommandContext): Promise<Told>;
}

const pluginName = 'gantry:testing';

/** Modules of a test's page, which are served as they are. */
const served = [
  ...['testing', 'lab', 'container', 'bridge', 'wire', 'osapi'].map((name) => `@gantry/${name}`),
  ...['idb-keyval', 'lit-html', 'valibot'],
];

/**
 * Puts sites behind the pages of Vitest's browser mode. Tests reach them with
 * `@gantry/testing/browser`.
 *
 * @example
 * // in packages/testing/test/browser/vite.config.ts
 * plugins: [
 *   gantry({
 *     apps: ['tally', 'prober'],
 *     world: () => ({
 *       site: { name: 'Regatta' },
 *       members: [
 *         { id: 'skipper', displayName: 'Ines' },
 *         { id: 'mate', displayName: 'Olu' },
 *       ],
 *       friendships: [['skipper', 'mate']],
 *     }),
 *   }),
 * ],
 */
export function gantry(options: GantryPluginOptions = {}): Plugin<Api> {
  const { apps = ['.'], world = 'pleasant', scenario = {}, seed } = options;
  let answer: Api['answer'] = async () => {
    throw new Error('The site of this test runs behind a server that is not there.');
  };
  return {
    name: pluginName,
    api: { answer: (asked, context) => answer(asked, context) },
    config: () => ({
      optimizeDeps: { exclude: served }, // a package that Vite discovers while a test runs reloads its page
      test: {
        fileParallelism: false, // requests of scripts and pictures name no lab: they get the newest
        browser: { commands: { gantry: command } },
      },
    }),
    configureServer(server) {
      const { root } = server.config;
      const worlds = createWorlds(root);
      const labs = createLabsOnServer();
      let found: ReturnType<typeof findApps> | undefined;
      answer = createAnswers({
        ...{ worlds, labs },
        url: () => urlOf(server),
        apps: () => {
          found ??= findApps(apps, root);
          return found;
        },
        usual: { world, scenario, seed },
      });
      server.middlewares.use((incoming, outgoing, next) => {
        const path = pathOf(incoming) ?? '';
        const isOurs = path.startsWith('/gantry/') || path === '/kit/record';
        if (isOurs) labs.serve(incoming, outgoing, path).catch(next);
        else next();
      });
      server.httpServer?.once('close', () => void worlds.close());
    },
  };
}

async function command(context: BrowserCommandContext, asked: Asked): Promise<Told> {
  const plugins = context.project.browser?.vite.config.plugins ?? [];
  const plugin = plugins.find(({ name }) => name === pluginName) as Plugin<Api> | undefined;
  if (!plugin?.api) throw new Error('Put gantry() of @gantry/testing/vitest into the plugins of the project.');
  return plugin.api.answer(asked, context);
}

function urlOf({ resolvedUrls }: { readonly resolvedUrls: { readonly local: readonly string[] } | null }): string {
  const [url] = resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error("Vitest's server does not listen on this machine.");
  return new URL(url).origin;
}

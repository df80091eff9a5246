import { fileURLToPath } from 'node:url';
import type { VersionRange } from '@gantry/wire';
import type { Page } from '@playwright/test';
import { build, type Plugin } from 'vite';

/** Files of a built script by name, those of `chunks/` among them. */
export type Built = ReadonlyMap<string, string>;

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** Protocol versions of a release of Gantry. */
export interface Release {
  readonly speaks: VersionRange;
  readonly release: string;
  /** The first release with the least of these versions. */
  readonly since: string;
}

/** Builds today's SDK or container with the protocol versions of another release. */
export async function buildAs(name: 'osapi' | 'container', { speaks, release, since }: Release): Promise<Built> {
  const root = `${packages}${name}`;
  const result = await build({
    ...{ root, configFile: `${root}/vite.config.ts`, logLevel: 'error' },
    build: { write: false },
    plugins: [
      replacing('/wire/src/protocol-versions.ts', { "release = '0.1.0'": `release = '${release}'` }),
      replacing('/bridge/src/versions.ts', {
        '= [1, 1]': `= [${speaks.join()}]`,
        "protocolSince = '0.1.0'": `protocolSince = '${since}'`,
      }),
    ],
  });
  const [built] = [result].flat();
  if (!built || !('output' in built)) throw new Error(`Vite built nothing for ${name}.`);
  return new Map(built.output.flatMap((file) => ('code' in file ? [[file.fileName, file.code]] : [])));
}

/** Makes a page load this container instead of the site's. */
export async function serveContainer(page: Page, container: Built): Promise<void> {
  await page.route(/\/gantry\/(container\.js|chunks\/)/, (route) => {
    const body = container.get(new URL(route.request().url()).pathname.slice('/gantry/'.length));
    return route.fulfill({ status: body === undefined ? 404 : 200, contentType: 'text/javascript', body: body ?? '' });
  });
}

function replacing(file: string, changes: Readonly<Record<string, string>>): Plugin {
  return {
    name: `replacing-in${file}`,
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(file)) return undefined;
      return Object.entries(changes).reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`${file} has no ${from}.`);
        return text.replace(from, to);
      }, code);
    },
  };
}

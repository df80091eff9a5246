import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveScript } from '@gantry/proxy';
import type { InstanceAnswer, InstanceRequest } from '@gantry/wire';

/**
 * Serves the scripts of bare frames and of the floor as Gantry's own are served, and answers the
 * floor's POST with what the site answered once: the same bytes, but no work.
 *
 * @param options.folder Receives the scripts.
 * @param options.opened Returns the site's answer for its apps, and the data of one.
 * @returns Function that answers with undefined at other paths.
 */
export async function openFloor({
  folder,
  opened,
}: {
  readonly folder: string;
  readonly opened: (app: string) => { readonly instances: readonly InstanceAnswer[]; readonly data?: unknown };
}): Promise<(request: Request) => Promise<Response> | undefined> {
  const host = await readFile(new URL('host.js', import.meta.url), 'utf8');
  const container = (await readBuilt('@gantry/container/container.js')).replace(/export\s*\{[^}]*\};?\s*$/, '');
  const scripts = new Map(
    await Promise.all([
      serve('/bench/bare.js', inert(await readBuilt('@gantry/osapi/osapi.js'))),
      serve('/bench/floor/host.js', host + inert(container)),
    ]),
  );

  async function serve(path: string, text: string) {
    const file = join(folder, path.replaceAll('/', '-'));
    await writeFile(file, text);
    return [path, serveScript(file)] as const;
  }
  async function answer(request: Request): Promise<Response> {
    const requests = (await request.json()) as readonly InstanceRequest[];
    const { instances, data } = opened(requests[0]?.app ?? '');
    const all = instances.flatMap((instance) => ('ok' in instance ? [instance.ok] : []));
    const ofApp = ({ app }: InstanceRequest) => all.find(({ context }) => context.app.id === app);
    return Response.json({ instances: requests.map(ofApp), data });
  }

  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/bench/floor/instances') return answer(request);
    const script = scripts.get(pathname)?.(request);
    return script?.then(({ status, headers, body }) => new Response(body as BodyInit | null, { status, headers }));
  };
}

/** Puts a script into a function that is not called: the same bytes to load, but no work. */
function inert(script: string): string {
  return `(() => {${script}\n});`;
}

function readBuilt(name: string): Promise<string> {
  return readFile(fileURLToPath(import.meta.resolve(name)), 'utf8');
}

import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '@gantry/wire';
import { etagMatches, refuseWrite } from '../http/answer.ts';
import type { Settings, SiteState } from '../settings.ts';
import { openApiDocument } from './openapi.ts';
import { referencePage, referencePolicy } from './reference-page.ts';

const documentPath = '/openapi.json';
const pagePath = '/reference';

/** True for the paths that `createReference` serves. */
export function isReferencePath(path: string): boolean {
  return path === documentPath || path === pagePath;
}

export interface ReferenceOptions {
  readonly publicUrl: string;
  readSite(): Promise<SiteState>;
}

/** Creates the function that answers `/openapi.json` and `/reference`, which anyone may read. */
export function createReference({ publicUrl, readSite }: ReferenceOptions) {
  let last: { readonly settings: Settings; readonly answers: ReadonlyMap<string, HttpResponse> } | undefined;

  async function answers(): Promise<ReadonlyMap<string, HttpResponse>> {
    const { settings } = await readSite();
    if (last?.settings !== settings) last = { settings, answers: await answersFor(publicUrl, settings) };
    return last.answers;
  }

  return async ({ method, header }: HttpRequest, path: string): Promise<HttpResponse> => {
    refuseWrite(method, 'This resource takes GET, HEAD.');
    const answer = (await answers()).get(path) as HttpResponse;
    const { ETag = '' } = answer.headers;
    if (etagMatches(header('if-none-match'), ETag)) return { ...answer, status: 304, body: null };
    return method === 'HEAD' ? { ...answer, body: null } : answer;
  };
}

async function answersFor(publicUrl: string, settings: Settings): Promise<ReadonlyMap<string, HttpResponse>> {
  const document = openApiDocument({ publicUrl, settings });
  const page = await referencePage(document, { site: settings.name });
  return new Map([
    [
      documentPath,
      answer(`${JSON.stringify(document, null, 2)}\n`, {
        'Content-Type': 'application/json; charset=utf-8',
        'Access-Control-Allow-Origin': '*', // for tools in browsers; it holds no data
      }),
    ],
    [
      pagePath,
      answer(page, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': referencePolicy,
        'Referrer-Policy': 'no-referrer',
        'X-Frame-Options': 'DENY',
      }),
    ],
  ]);
}

function answer(body: string, headers: Readonly<Record<string, string>>): HttpResponse {
  const ETag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const common = { ETag, 'Cache-Control': 'public, no-cache', 'X-Content-Type-Options': 'nosniff' };
  return { status: 200, headers: { ...headers, ...common }, body };
}

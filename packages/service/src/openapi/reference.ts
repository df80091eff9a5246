import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '@gantry/wire';
import { etagMatches, refuseWrite } from '../http/answer.ts';
import type { Settings, SiteState } from '../settings.ts';
import { openApiDocument } from './openapi.ts';
import { referencePage, referencePolicy } from './reference-page.ts';

const documentPath = '/openapi.json';
const pagePath = '/reference';

export const referencePaths = [documentPath, pagePath] as const;
export type ReferencePath = (typeof referencePaths)[number];
type Answers = Readonly<Record<ReferencePath, HttpResponse>>;

/** Creates the function that answers `/openapi.json` and `/reference`, which anyone may read. */
export function createReference(publicUrl: string, readSite: () => Promise<SiteState>) {
  let last: { readonly settings: Settings; readonly answers: Answers } | undefined;

  async function answers(): Promise<Answers> {
    const { settings } = await readSite();
    if (last?.settings !== settings) last = { settings, answers: await answersFor(publicUrl, settings) };
    return last.answers;
  }

  return async ({ method, header }: HttpRequest, path: ReferencePath): Promise<HttpResponse> => {
    refuseWrite(method, 'This resource takes GET, HEAD.');
    const answer = (await answers())[path];
    const { ETag = '' } = answer.headers;
    if (etagMatches(header('if-none-match'), ETag)) return { ...answer, status: 304, body: null };
    return method === 'HEAD' ? { ...answer, body: null } : answer;
  };
}

async function answersFor(publicUrl: string, settings: Settings): Promise<Answers> {
  const document = openApiDocument(publicUrl, settings);
  return {
    [documentPath]: answer(`${JSON.stringify(document, null, 2)}\n`, {
      'Content-Type': 'application/json; charset=utf-8',
      'Access-Control-Allow-Origin': '*', // for tools in browsers; it holds no data
    }),
    [pagePath]: answer(await referencePage(document, { site: settings.name }), {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': referencePolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    }),
  };
}

function answer(body: string, headers: Readonly<Record<string, string>>): HttpResponse {
  const ETag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const common = { ETag, 'Cache-Control': 'public, no-cache', 'X-Content-Type-Options': 'nosniff' };
  return { status: 200, headers: { ...headers, ...common }, body };
}

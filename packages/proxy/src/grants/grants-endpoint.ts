import { type GrantsAnswer, type GrantsRequest, SocialError } from '@gantry/wire';
import * as v from 'valibot';
import type { AppVersion, AppVersions } from '../apps/app-version.ts';
import { appReplaced } from '../apps/registrations.ts';
import type { GadgetTokens } from '../gadgets/gadget-token.ts';
import { claimsOf } from '../gadgets/identify-gadgets.ts';
import { readBody } from '../http/container-request.ts';
import type { Endpoint } from '../http/page-request.ts';
import { jsonAnswer } from '../http/responses.ts';
import { listOf } from '../http/validate.ts';
import { type GrantStore, saveDecision } from './grants.ts';

const names = v.optional(listOf(v.pipe(v.string('text'), v.maxLength(300, 'short')), 200));
const bodySchema = v.object(
  {
    token: v.pipe(v.string('text'), v.maxLength(4096, 'a gadget token')),
    grant: names,
    revoke: names,
    removesData: v.optional(v.boolean('true or false')),
  },
  'an object with token, and with grant or revoke',
);

/** Answers `POST /gantry/grants`. The token names the version that the member was asked about. */
export function createGrantsEndpoint(
  tokens: GadgetTokens,
  decisions: GrantStore,
  versions: Pick<AppVersions, 'find'>,
): Endpoint {
  return async (page, member) => {
    if (member === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.'); // before the body is read
    const body = (await readBody(page, bodySchema)) as GrantsRequest;
    const { app, registration, version: digest, isLimited = false } = await claimsOf(tokens, body.token, member);
    const { grant = [], revoke = [], removesData = false } = body;
    const { id: viewer } = member;
    let version: AppVersion | undefined;
    if (digest !== undefined) {
      const known = await versions.find({ app, registration, digest });
      if (known === undefined) throw appReplaced();
      version = { digest, manifest: known.manifest, isLimited };
    }
    const asked = { registration, version };
    const access = await saveDecision(decisions, { viewer, app, asked, grant, revoke, removesData });
    if (access === undefined) throw new SocialError('NOT_FOUND', 'There is no such app.');
    const { granted, needed, optional } = access;
    // A site that is unreachable now receives the report later, before the first write.
    const use = { viewer, app, registration, granted, nowMs: decisions.now() };
    await decisions.installs?.ensureReported?.(use).catch(() => undefined);
    return jsonAnswer({ granted, needed, optional } satisfies GrantsAnswer);
  };
}

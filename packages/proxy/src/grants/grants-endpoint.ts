import { type GrantsAnswer, type GrantsRequest, SocialError } from '@gantry/wire';
import * as v from 'valibot';
import type { GadgetTokens } from '../gadgets/gadget-token.ts';
import { isIssuedTo } from '../gadgets/identify-gadgets.ts';
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

/**
 * Answers `POST /gantry/grants`. The token names the app and the member who were shown the dialog,
 * so that a member who signed in since then decides nothing (security rule 3).
 */
export function createGrantsEndpoint(tokens: GadgetTokens, decisions: GrantStore): Endpoint {
  return async (page, member) => {
    if (member === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.'); // before the body is read
    const body = (await readBody(page, bodySchema)) as GrantsRequest;
    const check = await tokens.check(body.token);
    if ('refused' in check) throw new SocialError('UNAUTHORIZED', 'The gadget token is not valid.');
    const { claims } = check;
    if (!isIssuedTo(member, claims)) throw new SocialError('UNAUTHORIZED', 'Another member is signed in now.');
    const { grant = [], revoke = [], removesData = false } = body;
    const { app, registration } = claims;
    const { id: viewer } = member;
    const access = await saveDecision(decisions, { viewer, app, registration, grant, revoke, removesData });
    if (access === undefined) throw new SocialError('NOT_FOUND', 'There is no such app.');
    const { granted, needed, optional } = access;
    // A site that is unreachable now receives the report later, before the first write.
    const use = { viewer, app, registration, granted, nowMs: decisions.now() };
    await decisions.installs?.ensureReported?.(use).catch(() => undefined);
    return jsonAnswer({ granted, needed, optional } satisfies GrantsAnswer);
  };
}

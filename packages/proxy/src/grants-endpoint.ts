import { type GrantsAnswer, type GrantsRequest, SocialError } from '@gantry/wire';
import * as v from 'valibot';
import { checked } from './checked.ts';
import { readJsonBody } from './container-request.ts';
import type { GadgetTokens } from './gadget-token.ts';
import { type Decisions, decide } from './grants.ts';
import type { Endpoint } from './page-request.ts';
import { jsonAnswer } from './responses.ts';

const names = v.optional(
  v.pipe(
    v.array(v.pipe(v.string('text'), v.maxLength(300, 'short')), 'a list'),
    v.maxLength(200, 'a list of at most 200'),
  ),
);
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
 * Answers `POST /gantry/grants`. The token says for which app and member the page showed its question: whoever signed in
 * meanwhile decides nothing (security rule 3).
 */
export function createGrants(options: { readonly tokens: GadgetTokens; readonly decisions: Decisions }): Endpoint {
  const { tokens, decisions } = options;

  return async (page, viewer) => {
    if (viewer === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.'); // before the body is read
    const body = checked(bodySchema, await readJsonBody(page), 'The body') as GrantsRequest;
    const check = await tokens.check(body.token);
    if ('refused' in check) throw new SocialError('UNAUTHORIZED', 'The gadget token is not valid.');
    const { claims } = check;
    if (claims.viewer !== viewer) throw new SocialError('UNAUTHORIZED', 'Another member is signed in now.');
    const { grant = [], revoke = [], removesData = false } = body;
    const { app, registration } = claims;
    const access = await decide(decisions, { viewer, app, registration, grant, revoke, removesData });
    if (access === undefined) throw new SocialError('NOT_FOUND', 'There is no such app.');
    const { granted, needed, optional } = access;
    // An app that starts now finds a site that knows. A site that cannot be told now is told later, before the first write.
    const told = decisions.having?.settled?.({ viewer, app, registration, granted, nowMs: decisions.now() });
    await told?.catch(() => undefined);
    return jsonAnswer({ granted, needed, optional } satisfies GrantsAnswer);
  };
}

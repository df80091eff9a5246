import type { OperationObject, PathItem } from './document.ts';
import { responseRefs } from './responses.ts';
import { schemaRef } from './schemas.ts';

/** Returns the paths of the four token endpoints (contract §1, §5), outside the REST root. */
export function tokenPaths(publicUrl: string): Record<string, PathItem> {
  return {
    '/oauth/request_token': tokenPath(publicUrl, 'oauth.requestToken', steps.request),
    '/oauth/access_token': tokenPath(publicUrl, 'oauth.accessToken', steps.access),
    '/admin/oauth/request_token': tokenPath(publicUrl, 'adminOAuth.requestToken', {
      ...steps.request,
      summary: "A request token for an administrator's authorization",
      description:
        'Signed by an administrator’s consumer, without a token. An administrator allows it at `/admin/oauth/authorize?oauth_token=…`.',
    }),
    '/admin/oauth/access_token': tokenPath(publicUrl, 'adminOAuth.accessToken', {
      ...steps.access,
      summary: "An access token from an administrator's authorization",
    }),
  };
}

type Step = Readonly<Record<'summary' | 'description' | 'parameter', string>>;

const steps = {
  request: {
    summary: 'A request token for the authorization of a member',
    description: 'Signed by the consumer, without a token. The member allows it at `/oauth/authorize?oauth_token=…`.',
    parameter: 'oauthCallback',
  },
  access: {
    summary: 'An access token from the authorization of a member',
    description: 'Signed with the request token and its secret. A request token works once, within an hour.',
    parameter: 'oauthVerifier',
  },
} as const satisfies Record<string, Step>;

function tokenPath(publicUrl: string, operationId: string, { summary, description, parameter }: Step): PathItem {
  const get: OperationObject = {
    operationId,
    tags: ['oauth'],
    summary,
    description,
    parameters: [{ $ref: `#/components/parameters/${parameter}` }],
    responses: {
      '200': {
        description: 'A token and its secret, in this order.',
        content: { 'application/x-www-form-urlencoded': { schema: schemaRef('IssuedToken') } },
      },
      ...responseRefs({
        400: 'BadTokenRequest',
        401: 'TokenRefused',
        429: 'RateLimited',
        503: 'Unavailable',
        default: 'Failure',
      }),
    },
    'x-gantry-status': 'works',
  };
  return {
    servers: [{ url: publicUrl, description: 'The token endpoints are outside the REST root.' }],
    get,
    post: { ...get, operationId: `${operationId}.2`, 'x-gantry-spelling-of': operationId },
  };
}

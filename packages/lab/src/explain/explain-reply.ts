import { callRows, isWorking, operation, operationIds, type Permission, type WireError } from '@gantry/wire';
import type { Explanation, Known } from './explanation.ts';
import { declares, isOptional, manifestLine } from './manifest-line.ts';

const fieldPermission = /^people\.(\w+)$/;

/** A refused call, as its explanation names it. */
interface Refused {
  readonly name: string;
  /** Message of the site, with its full stop. */
  readonly message: string;
  /** When to try again: `later`, or `in 30 s`. */
  readonly later: string;
}
type Finding = (refused: Refused) => Explanation;

const tooSoon: Finding = ({ name, later }) =>
  callRows.get(name)?.some((id) => operation(id).hasInterval)
    ? {
        id: 'posted-too-soon',
        what: `The member has posted through this app just before: the site takes the next post ${later}.`,
        cure: 'Let the page keep the post until then with `queue`, or try again after `error.data.retryAfter` seconds.',
        example: 'osapi.activities.create({ activity }, { write: { queue: true } })',
      }
    : {
        id: 'rate-limited',
        what: `${name} was refused: the app asks too much at once, and may go on ${later}.`,
        cure: 'Ask for several members in one call, keep results, and use `subscribe` instead of asking again and again.',
      };

const unreachable: Finding = ({ name }) => ({
  id: 'unreachable',
  what: `${name} got no answer: the site cannot be reached now.`,
  cure: 'Handle `error`: keep on the screen what is there, and offer to try again. A read that was answered before is served from the cache.',
});

/** Findings by `error.data.reason`. */
const findings: Readonly<Record<string, Finding>> = {
  POSTED_TOO_SOON: tooSoon,
  RATE_LIMITED: tooSoon,
  UNAVAILABLE: unreachable,
  TIMED_OUT: unreachable,
  UPSTREAM_FAILED: unreachable,
  APP_NOT_ADDED: ({ name }) => ({
    id: 'app-not-added',
    what: `${name} was refused: the site has not given the member this app, so nothing can be saved for them.`,
    cure: 'Show what can be read, and say that the site must add the app first; the page around it tells the member how.',
  }),
  TOO_LARGE: ({ name, message }) => ({
    id: 'too-large',
    what: `${name} was refused as too large: ${message}`,
    cure: 'Ask in pages with `count` and `startIndex`, and keep at most 102,400 bytes of AppData and 64 KiB of `gantry.state`.',
    example: "osapi.appdata.get({ groupId: '@friends', keys: 'score', count: 100, startIndex })",
  }),
  STORAGE_FULL: ({ name }) => ({
    id: 'storage-full',
    what: `${name} was refused: there is no room for it, on the device or at the site.`,
    cure: 'Tell the member, and keep what they wrote in the page until a later try succeeds.',
  }),
  OUTCOME_UNKNOWN: ({ name }) => ({
    id: 'outcome-unknown',
    what: `The connection broke while ${name} was on its way: the site may have done it, and it was not done again.`,
    cure: 'Read what the site has now, and let the member decide whether to write again.',
  }),
  NOT_IMPLEMENTED: ({ name }) => ({
    id: 'not-implemented',
    what: `This site cannot do ${name}.`,
    cure: 'Ask first whether it can, and leave that part out where it cannot.',
    example: `if (osapi.has(${JSON.stringify(name)})) …`,
  }),
  UNAUTHORIZED: ({ name }) => ({
    id: 'signed-out',
    what: `${name} was refused: no member is signed in.`,
    cure: 'Look at `gantry.context.viewer`, and show what needs no member where it is missing.',
  }),
  BAD_REQUEST: ({ name, message }) => ({
    id: 'bad-request',
    what: `${name} was refused: ${message}`,
    cure: 'Write its parameters as the message says.',
  }),
};

/** Explains the error of a call. */
export function explainReply(error: WireError, known: Known): Explanation | undefined {
  const { reason = '', retryAfter } = error.data ?? {};
  if (reason === 'NOT_GRANTED') return explainRefusal(error, known);
  const finding = Object.hasOwn(findings, reason) ? findings[reason] : undefined;
  const name = known.call?.operation ?? 'A call';
  const later = retryAfter === undefined ? 'later' : `in ${retryAfter} s`;
  const message = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  return finding && { subject: name, ...finding({ name, message, later }) };
}

function explainRefusal({ data, message }: WireError, { call, manifest }: Known): Explanation {
  const missing = data?.missing ?? [];
  const name = call?.operation ?? callFor(missing[0]) ?? 'the call';
  const fields = missing.flatMap((permission) => fieldPermission.exec(permission)?.[1] ?? []);
  const undeclared = fields.filter((field) => manifest !== undefined && !declares(manifest, 'fields', field));
  if (/does not list it/.test(message) || (manifest !== undefined && call && !declares(manifest, 'uses', name))) {
    return {
      ...{ id: 'undeclared-call', subject: name },
      what: `The app calls ${name}, which gadget.json does not list: the site refuses it.`,
      cure: 'Add it to `uses` in gadget.json; members are asked for it when they next open the app.',
      example: manifestLine(manifest, 'uses', [name]),
    };
  }
  if (undeclared.length > 0) {
    return {
      ...{ id: 'undeclared-field', subject: undeclared.join(', ') },
      what: `${name} asks for ${undeclared.join(', ')}, which gadget.json does not list: the site refuses the whole call.`,
      cure: 'Add it to `fields` in gadget.json, or ask for less.',
      example: manifestLine(manifest, 'fields', undeclared),
    };
  }
  const asked = isOptional(manifest, 'uses', name) || fields.some((field) => isOptional(manifest, 'fields', field));
  const list = missing.map((permission) => JSON.stringify(permission).replaceAll('"', "'")).join(', ');
  if (asked) {
    return {
      ...{ id: 'optional-not-asked', subject: name },
      what: `${name} needs ${missing.join(', ')}, which is optional, and the member has not allowed it.`,
      cure: 'Ask for it when the member clicks what needs it, and do without where they refuse.',
      example: `if (await gantry.permissions.request([${list}])) …`,
    };
  }
  return {
    ...{ id: 'permission-refused', subject: name },
    what: `The member has not allowed ${missing.join(', ') || 'this app'}, which ${name} needs.`,
    cure: 'Handle the error: show what works without it, and say what is missing.',
    example: `if (gantry.permissions.has(${list.split(', ')[0] || "'people'"})) …`,
  };
}

/** Returns the call that needs a permission, if only one does. */
function callFor(permission: string | undefined): string | undefined {
  const names = new Set(
    operationIds
      .filter((id) => operation(id).permission === (permission as Permission) && isWorking(id))
      .map((id) => operation(id).osapi),
  );
  return names.size === 1 ? [...names][0] : undefined;
}

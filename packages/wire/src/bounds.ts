import { SocialError } from './social-error.ts';

/** Bounds of one request in any dialect (contract §8; docs/limits.md). */
export const bounds = {
  /** Parameters of one request or call. */
  parameters: 1_000,
  /** UTF-16 code units of a parameter's name. */
  nameLength: 64,
  /** Keys or fields in a list, and ids of members in one. */
  list: 1_000,
  ids: 100,
  /** Gadget tokens in the body of one request of a page. */
  tokens: 200,
  /** Levels of nesting of JSON. */
  depth: 64,
  /** Values in the JSON of a request, at any depth: lists, objects, texts and others. */
  values: 50_000,
} as const;

/** Most of `startIndex` and `count` together in a list over several named members (contract §8). */
export const maxDepthOfSeveral = 10_000;
/** Most rows that a list over several named members reads (contract §8). */
export const maxRowsOfSeveral = 20_000;

/**
 * Most bytes of one response, in its encoding and format (contract §8). The calls of a JSON-RPC
 * batch share it, and so do one app's calls in a request of the page.
 */
export const maxAnswerBytes = 4_000_000;

/** Validates number and length of parameters' names. @throws SocialError BAD_REQUEST */
export function refuseUnboundNames(names: readonly string[]): void {
  if (names.length > bounds.parameters) {
    throw new SocialError('BAD_REQUEST', `There are at most ${bounds.parameters} parameters.`);
  }
  if (names.some((name) => name.length > bounds.nameLength)) {
    throw new SocialError('BAD_REQUEST', `The name of a parameter has at most ${bounds.nameLength} characters.`);
  }
}

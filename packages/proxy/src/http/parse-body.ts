import { bounds, parseJson, SocialError } from '@gantry/wire';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body of JSON. @throws SocialError BAD_REQUEST */
export function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(bytes), bounds.depth, bounds.values);
  } catch (cause) {
    throw new SocialError(
      'BAD_REQUEST',
      `The body must be JSON in UTF-8, with at most ${bounds.depth} levels and ${bounds.values} values.`,
      { cause },
    );
  }
}

import type { Reply } from '@gantry/wire';

/** Makes a `JSON.stringify` for replies that serializes each, cached or shared, once. */
export function createReplyJson(): (reply: Reply) => string {
  const texts = new WeakMap<Reply, string>();

  return (reply) => {
    const known = texts.get(reply);
    if (known !== undefined) return known;
    const text = JSON.stringify(reply);
    texts.set(reply, text);
    return text;
  };
}

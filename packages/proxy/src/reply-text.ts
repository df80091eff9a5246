import type { Reply } from '@gantry/wire';

/** The JSON text of a reply, written once for each: one that is kept, or that many wait for, costs no more than its bytes. */
export function createReplyTexts(): (reply: Reply) => string {
  const texts = new WeakMap<Reply, string>();

  return (reply) => {
    const known = texts.get(reply);
    if (known !== undefined) return known;
    const text = JSON.stringify(reply);
    texts.set(reply, text);
    return text;
  };
}

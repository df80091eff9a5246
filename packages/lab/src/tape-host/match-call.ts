import { isRecord } from '@gantry/wire';
import { isTime, mapText, type TextParts } from '../tape/map-text.ts';
import { below, mapValue, type Position, stays, topicOf } from '../tape/positions.ts';
import { digitsOf, isCount } from '../tape/redact-value.ts';
import { isGenerated } from '../tape/wildcards.ts';

/** A call as an app makes it, or as a tape has it. */
export interface ComparedCall {
  readonly operation: string;
  readonly params: unknown;
}

const deepest = 64;

/** @param tape.values Contexts, replies and events of the tape. */
export function createCallMatcher(tape: {
  readonly isRedacted: boolean;
  readonly values: readonly (readonly [value: unknown, at: Position])[];
}) {
  const { isRedacted, values } = tape;
  const recordedOf = new Map<string, string>();
  const madeOf = new Map<string, string>();
  const taped = new Set<string>();
  const restored = (word: string): string => madeOf.get(word) ?? word;
  for (const [value, at] of values) mapWords(value, at, (word) => taped.add(word) && word);

  function isSame(recorded: unknown, made: unknown, at: Position, depth = 0): boolean {
    if (depth > deepest) return false;
    if (typeof recorded === 'string' && typeof made === 'string') return isSameText(recorded, made, at);
    if (typeof recorded === 'number' && typeof made === 'number') return isSameNumber(recorded, made, at);
    if (Array.isArray(recorded) && Array.isArray(made)) {
      return (
        recorded.length === made.length && recorded.every((item, index) => isSame(item, made[index], at, depth + 1))
      );
    }
    if (!isRecord(recorded) || !isRecord(made)) return recorded === made;
    const names = Object.keys(recorded);
    if (names.length !== Object.keys(made).length) return false;
    const partners = at.source === 'app' ? partnersOf(names, made) : names;
    return names.every((name, index) => {
      const partner = partners[index];
      if (partner === undefined || !Object.hasOwn(made, partner)) return false;
      if (at.source === 'app' && !isSameText(name, partner, at)) return false;
      return isSame(recorded[name], made[partner], below(at, name), depth + 1);
    });
  }

  /** Pairs names in an app's data: those that are known, then the others in their order. */
  function partnersOf(names: readonly string[], made: object): readonly (string | undefined)[] {
    const isKnown = (name: string, index: number): boolean =>
      Object.hasOwn(made, name) && (name !== names[index] || !isRedacted); // a stand-in may equal a name
    const translated = names.map((name) => mapText(name, partsWith(restored)));
    const known = new Set(translated.filter(isKnown));
    const others = Object.keys(made).filter((name) => !known.has(name));
    return translated.map((name, index) => (isKnown(name, index) ? name : others.shift()));
  }

  function isSameText(recorded: string, made: string, at: Position): boolean {
    if (stays(recorded, at) || stays(made, at)) return recorded === made;
    const [one, other] = [takeApart(recorded), takeApart(made)];
    if (one.frame !== other.frame || one.words.length !== other.words.length) return false;
    return one.words.every((word, index) => learn(word, other.words[index] as string));
  }

  function isSameNumber(recorded: number, made: number, at: Position): boolean {
    if (recorded === made || (isTime(recorded) && isTime(made))) return true;
    if (!isRedacted || isCount(recorded, at) || isTime(recorded)) return false;
    const isAlike = Math.sign(recorded) === Math.sign(made) && Number.isInteger(recorded) === Number.isInteger(made);
    return isAlike && learn(digitsOf(recorded), digitsOf(made));
  }

  /** Splits a text into the words that may differ, and the frame around them. */
  function takeApart(text: string): { readonly frame: string; readonly words: readonly string[] } {
    const words: string[] = [];
    const replaced = (word: string): string => {
      if (!isRedacted && !word.startsWith(' ') && !isGenerated(word)) return word;
      words.push(word);
      return shapeOf(word);
    };
    return { frame: mapText(text, partsWith(replaced)), words };
  }

  /** Returns whether two words can correspond, both ways, and remembers that they do. */
  function learn(recorded: string, made: string): boolean {
    const isTheTime = recorded.startsWith(' ');
    if (!isTheTime && (recordedOf.get(made) ?? recorded) !== recorded) return false;
    if (!isTheTime && recorded !== made) {
      const isOfTape = taped.has(made) && made.length >= (/^\d+$/.test(made) ? 9 : 3); // shorter matches are chance
      if (restored(recorded) !== recorded ? restored(recorded) !== made : isOfTape) return false;
    }
    if (recorded !== made) madeOf.set(recorded, made);
    recordedOf.set(made, recorded);
    return true;
  }

  function mapWords(value: unknown, at: Position, word: (word: string) => string): unknown {
    const parts = partsWith(word);
    return mapValue(value, at, {
      text: (text) => mapText(text, parts),
      number(number, of) {
        const digits = digitsOf(number);
        const mapped = !isRedacted || isCount(number, of) || isTime(number) ? digits : word(digits);
        return mapped === digits ? number : Math.sign(number) * (Number(mapped) + (Number.isInteger(number) ? 0 : 0.5));
      },
    });
  }

  return {
    /**
     * Returns whether a call matches one of the tape: the same operation, and parameters of the
     * same shape. Times and generated ids may differ, on a redacted tape any word of a person or
     * the app. Words correspond one to one; those that the tape gave the app stand for themselves.
     */
    isSame(recorded: ComparedCall, made: ComparedCall): boolean {
      const topic = topicOf(recorded.operation);
      if (recorded.operation !== made.operation && (topic || !isRedacted)) return false;
      return isSame(recorded.params, made.params, { source: topic ? 'params' : 'app', name: 'params', topic });
    },
    /** Returns a copy of a value of the tape, with the words that the app sent in their places. */
    restore: (value: unknown, at: Position): unknown => mapWords(value, at, restored),
  };
}

/** Hosts and times get a mark, so that no other word is mistaken for one. */
function partsWith(word: (word: string) => string): TextParts {
  return { word, day: word, host: (host) => word(`\t${host}`).slice(1), time: (time) => word(` ${time}`).slice(1) };
}

/** Writes a word so that those which can correspond are equal, such as numbers of any length. */
function shapeOf(word: string): string {
  if (/^\s/.test(word)) return ' ';
  if (/^[\w-]{16,}$/.test(word)) return 'id';
  if (/^\d+$/.test(word)) return '0';
  if (/^[a-z\d-]{6,}$/.test(word)) return 'x'.repeat(word.length);
  return word
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\d/g, '0')
    .replace(/[^A0]/gu, 'a');
}

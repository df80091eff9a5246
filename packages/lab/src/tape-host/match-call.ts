import { isRecord } from '@gantry/wire';
import { isTime, mapText } from '../tape/map-text.ts';
import { below, mapValue, type Position, stays, topicOf } from '../tape/positions.ts';
import { digitsOf, isCount } from '../tape/redact-value.ts';

/** A call as an app makes it, or as a tape has it. */
export interface ComparedCall {
  readonly operation: string;
  readonly params: unknown;
}

/** Compares calls of an app with those of one tape, and learns which values stand for each other. */
export interface CallMatcher {
  /**
   * Returns whether a call matches one of the tape: the same operation, and parameters of the same
   * shape. Times may differ, and generated ids. On a redacted tape so may all that the app's data
   * consists of; but equal values stay equal, different ones differ, and a value of the tape stands
   * for itself.
   */
  isSame(recorded: ComparedCall, made: ComparedCall): boolean;
  /** Returns a copy of a value of the tape with the app's own values in it, where they are known. */
  restore(value: unknown, at: Position): unknown;
}

const deepest = 64;

/** @param tape.values What the tape tells the app: contexts, replies, events. */
export function createCallMatcher(tape: {
  readonly isRedacted: boolean;
  readonly values: readonly (readonly [value: unknown, at: Position])[];
}): CallMatcher {
  const { isRedacted, values } = tape;
  const recordedOf = new Map<string, string>();
  const madeOf = new Map<string, string>();
  const onTape = new Set<string>();
  const keepWord = (word: string): string => onTape.add(word) && word;
  for (const [value, at] of values) mapWords(value, at, keepWord);

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
    const partners = at.source === 'app' ? partnersOf(names, made) : names;
    return (
      names.length === Object.keys(made).length &&
      names.every((name, index) => {
        const partner = partners[index];
        if (partner === undefined || !Object.hasOwn(made, partner)) return false;
        if (at.source === 'app' && !isSameText(name, partner, at)) return false;
        return isSame(recorded[name], made[partner], below(at, name), depth + 1);
      })
    );
  }

  /** Pairs names of an app's data: those that are known, then the others in their order. */
  function partnersOf(names: readonly string[], made: object): readonly (string | undefined)[] {
    const known = names.map((name) => restoreText(name)).map((name) => (Object.hasOwn(made, name) ? name : undefined));
    const used = new Set(known);
    const others = Object.keys(made).filter((name) => !used.has(name));
    return known.map((name) => name ?? others.shift());
  }

  function isSameText(recorded: string, made: string, at: Position): boolean {
    if (stays(recorded, at) || stays(made, at)) return recorded === made;
    const [one, other] = [takeApart(recorded), takeApart(made)];
    return (
      one.frame === other.frame &&
      one.words.length === other.words.length &&
      one.words.every((word, index) => learn(word, other.words[index] as string))
    );
  }

  function isSameNumber(recorded: number, made: number, at: Position): boolean {
    if (recorded === made || (isTime(recorded) && isTime(made))) return true;
    if (!isRedacted || isCount(recorded, at) || isTime(recorded)) return false;
    const isAlike = Math.sign(recorded) === Math.sign(made) && Number.isInteger(recorded) === Number.isInteger(made);
    return isAlike && learn(digitsOf(recorded), digitsOf(made));
  }

  /** Splits a text into words that may differ, and the frame around them. */
  function takeApart(text: string): { readonly frame: string; readonly words: readonly string[] } {
    const words: string[] = [];
    const keep = (word: string, shape: string): string => {
      words.push(word);
      return shape;
    };
    const frame = mapText(text, {
      word: (word) => (isRedacted || isGenerated(word) ? keep(word, shapeOf(word)) : word),
      host: (host) => (isRedacted ? keep(`//${host}`, 'host') : host),
      day: (day) => (isRedacted ? keep(day, 'day') : day),
      time: (time) => keep(` ${time}`, 'time'),
    });
    return { frame, words };
  }

  /** Returns whether two words can stand for each other, both ways, and remembers that they do. */
  function learn(recorded: string, made: string): boolean {
    if (recorded.startsWith(' ')) madeOf.set(recorded, made);
    else if (recorded === made) {
      if ((recordedOf.get(made) ?? recorded) !== recorded) return false;
    } else {
      const known = madeOf.get(recorded) ?? recorded;
      if (recordedOf.has(made) ? recordedOf.get(made) !== recorded : isOfTape(made)) return false;
      if (known !== recorded && known !== made) return false;
      madeOf.set(recorded, made);
    }
    recordedOf.set(made, recorded);
    return true;
  }

  /** Returns whether a word is one of the tape, and too long to be that by chance. */
  function isOfTape(word: string): boolean {
    return onTape.has(word) && word.length >= (/^\d+$/.test(word) ? 9 : 3);
  }

  const restoreWord = (word: string): string => madeOf.get(word) ?? word;
  const restoreText = (text: string): string =>
    mapText(text, {
      word: restoreWord,
      host: (host) => restoreWord(`//${host}`).slice(2),
      day: restoreWord,
      time: (time) => restoreWord(` ${time}`).slice(1),
    });

  return {
    isSame(recorded, made) {
      const topic = topicOf(recorded.operation);
      if (recorded.operation !== made.operation && (topic || !isRedacted)) return false;
      return isSame(recorded.params, made.params, { source: topic ? 'params' : 'app', name: 'params', topic });
    },
    restore: (value, at) => mapWords(value, at, restoreWord, restoreText),
  };

  function mapWords(value: unknown, at: Position, word: (word: string) => string, text = textWith(word)): unknown {
    return mapValue(value, at, {
      text,
      number(number, of) {
        if (!isRedacted || isCount(number, of) || isTime(number)) return number;
        const digits = digitsOf(number);
        const shown = word(digits);
        return shown === digits ? number : Math.sign(number) * (Number(shown) + (Number.isInteger(number) ? 0 : 0.5));
      },
    });
  }
}

function textWith(word: (word: string) => string): (text: string) => string {
  return (text) => mapText(text, { word, host: word, day: word, time: word });
}

function isGenerated(word: string): boolean {
  return /^(?=.*\d)[\w-]{16,}$/.test(word);
}

/** Writes a word so that those with which it can be exchanged are equal: random ids, numbers. */
function shapeOf(word: string): string {
  if (/^[\w-]{16,}$/.test(word)) return 'id';
  if (/^\d+$/.test(word)) return '0';
  if (/^[a-z\d-]{6,}$/.test(word)) return 'x'.repeat(word.length);
  return word
    .replace(/\p{Lu}/gu, 'A')
    .replace(/(?!A)\p{L}/gu, 'a')
    .replace(/\p{N}/gu, '0');
}

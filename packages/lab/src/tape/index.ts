export {
  type CanonicalLine,
  type CanonicalOptions,
  type CanonicalPart,
  canonicalTape,
  canonicalText,
} from './canonical-tape.ts';
export { createRedactor, type Redactor, redactedStartMs, redactTape } from './redact-tape.ts';
export { createTape, readTape, type Tape, type TapeEntry, type TapeHead, tapeVersion, writeTape } from './tape.ts';

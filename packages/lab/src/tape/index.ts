export { createTape, readTape, type Tape, type TapeEntry, type TapeHead, tapeVersion, writeTape } from './tape.ts';

import { osapi } from '@gantry/osapi';

/** Saves the member's note without surrounding space. */
export async function saveNote(text) {
  const note = text.trim();
  if (note === '') throw new RangeError('A note has text.');
  await osapi.appdata.update({ data: { note } });
  return note;
}

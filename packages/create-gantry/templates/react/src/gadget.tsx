import { type SubmitEvent, useEffect, useState } from 'react';
import { type Board, type Friend, initialOf, saveNote, signedOut, watchBoard } from './board.ts';

/** The whole gadget. Trying again begins it anew. */
export function Gadget() {
  const [attempt, setAttempt] = useState(1);
  return <FriendsAndNote key={attempt} onRetry={() => setAttempt(attempt + 1)} />;
}

function FriendsAndNote({ onRetry }: { readonly onRetry: () => void }) {
  const [board, setBoard] = useState<Board>();
  const [problem, setProblem] = useState('');
  useEffect(() => watchBoard(setBoard, setProblem), []);

  return (
    <>
      {board ? <Note saved={board.note} /> : <p role="status">{problem || 'Fetching friends …'}</p>}
      <ul>
        {board?.friends.map((friend) => (
          <Row key={friend.id} {...friend} />
        ))}
      </ul>
      {board?.friends.length === 0 && (
        <p className="message">No friends yet. They will be here, with what they noted.</p>
      )}
      {problem && !board && problem !== signedOut && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </>
  );
}

function Note({ saved }: { readonly saved: string }) {
  const [note, setNote] = useState(saved);
  const [words, setWords] = useState('');

  async function save(event: SubmitEvent) {
    event.preventDefault();
    setWords(await saveNote(note));
  }

  return (
    <>
      <form onSubmit={save}>
        <label htmlFor="note">Your note</label>
        <input
          id="note"
          maxLength={200}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <button type="submit">Save</button>
      </form>
      <p role="status">{words}</p>
    </>
  );
}

function Row({ name, picture, note }: Friend) {
  const [isBroken, setIsBroken] = useState(false);
  return (
    <li>
      <span className="face" aria-hidden="true">
        {initialOf(name)}
        {picture && !isBroken && <img alt="" src={picture} onError={() => setIsBroken(true)} />}
      </span>
      <span className="name" dir="auto">
        {name}
      </span>
      <span className="said" dir="auto">
        {note}
      </span>
    </li>
  );
}

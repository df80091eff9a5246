import Link from 'next/link';
import { Gadget } from './gadget.tsx';
import { signedIn } from './signed-in.ts';

export default async function Home() {
  const member = await signedIn();
  if (!member) {
    return (
      <>
        <h1>Boathouse</h1>
        <p>A club for people who row. Members find their friends here and keep notes for the next outing.</p>
        <p>
          <Link className="button" href="/sign-in">
            Sign in
          </Link>
        </p>
      </>
    );
  }
  return (
    <>
      <script async type="module" src="/gantry/container.js" />
      <h1>Good to see you, {member.displayName}</h1>
      <div className="gadgets">
        <Gadget app="friends" heading="Friends" />
        <Gadget app="notes" heading="Notes" />
      </div>
    </>
  );
}

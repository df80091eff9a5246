import './globals.css';
import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { SignOut } from './sign-out.tsx';
import { signedIn } from './signed-in.ts';

export const metadata: Metadata = { title: 'Boathouse' };

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const member = await signedIn();
  return (
    <html lang="en">
      <body>
        <header>
          <Link href="/">Boathouse</Link>
          {member && (
            <>
              <span>{member.displayName}</span>
              <SignOut />
            </>
          )}
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

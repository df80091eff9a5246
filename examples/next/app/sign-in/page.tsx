import type { Metadata } from 'next';
import { SignInForm } from './form.tsx';

export const metadata: Metadata = { title: 'Sign in · Boathouse' };

export default async function SignIn({ searchParams }: PageProps<'/sign-in'>) {
  const { return: back } = await searchParams;
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm back={typeof back === 'string' ? back : '/'} />
      <p className="hint">
        Try <b>ada</b> or <b>bo</b> with the password <b>open sesame</b>.
      </p>
    </>
  );
}

import type { Settings } from '@gantry/service';
import type { AccountMember } from '@gantry/service/account';
import type { Client } from '../http/client.ts';
import type { Texts } from '../messages/texts.ts';
import type { SentFile } from '../uploads/files-form.ts';
import type { PageContext } from './page-context.ts';

/** A request for a page, read and checked: a form in it was issued by this site. */
export interface PageRequest {
  readonly context: PageContext;
  readonly http: Request;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Fields of a sent form; empty on GET. */
  readonly form: URLSearchParams;
  /** Files of a form, as they arrive: each is read before the next one, or skipped. */
  readonly files: AsyncIterable<SentFile>;
  readonly member: AccountMember | undefined;
  /** True if the site has signed in a person who is no member. */
  readonly isStranger?: boolean;
  /** Owner of the forms on the response (`Form.owner`). */
  readonly formOwner: string;
  readonly settings: Settings;
  /** Texts in the browser's language. */
  readonly texts: Texts;
  readonly client: Client;
  /** True for a form that was sent too soon: its page is shown again. */
  readonly isTooSoon?: boolean;
}

/** A request of a member who is signed in. */
export type MemberRequest = PageRequest & { readonly member: AccountMember };

/** A request of a member for an album or a photo: its id, as the path names it. */
export type ItemRequest = MemberRequest & { readonly id: string };

import { SocialError } from '@gantry/wire';
import * as v from 'valibot';
import { issueMessage, listOf, shape } from '../http/validate.ts';

/** Most bytes of a statement as JSON (docs/limits.md). */
export const maxStatementBytes = 16_384;
const maxLine = 300;
const maxLines = 20;

const count = 'a whole number between 0 and 1,000,000';
const counted = v.pipe(v.number(count), v.integer(count), v.minValue(0, count), v.maxValue(1_000_000, count));
const line = v.pipe(v.string('text'), v.maxLength(maxLine, `at most ${maxLine} characters`));

const statementSchema = v.strictObject(
  {
    check: v.optional(
      v.strictObject(
        { errors: counted, warnings: counted, findings: v.optional(listOf(line, maxLines), []) },
        shape('an object with errors and warnings', 'check has only errors, warnings and findings'),
      ),
    ),
    tests: v.optional(
      v.strictObject(
        { passed: counted, failed: counted, skipped: v.optional(counted, 0) },
        shape('an object with passed and failed', 'tests has only passed, failed and skipped'),
      ),
    ),
    source: v.optional(line),
    note: v.optional(v.pipe(v.string('text'), v.maxLength(1_000, 'at most 1000 characters'))),
  },
  shape('an object', 'a statement has only check, tests, source and note'),
);

/**
 * Statement of an author about a version: findings of `gantry app check`, tests, the commit. The
 * site checks none of it, and shows it as the author's word (security rule 36).
 */
export type AuthorStatement = v.InferOutput<typeof statementSchema>;

/** Validates a statement. @throws SocialError BAD_REQUEST that names the member. */
export function checkStatement(given: unknown): AuthorStatement | undefined {
  if (given === undefined) return undefined;
  const result = v.safeParse(statementSchema, given, { abortEarly: true });
  if (!result.success) throw new SocialError('BAD_REQUEST', `statement: ${issueMessage(result.issues[0])}.`);
  if (JSON.stringify(result.output).length > maxStatementBytes) {
    throw new SocialError('BAD_REQUEST', `statement: it must have at most ${maxStatementBytes} bytes.`);
  }
  return result.output;
}

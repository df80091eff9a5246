import type { LabEvent } from '@gantry/lab/record';
import type { Report } from './report.ts';
import { summarize } from './summarize.ts';

const mostStack = 4_000;

/** Reports uncaught errors, policy violations and files that do not load. */
export function watchErrors(window: Window, report: Report): void {
  window.addEventListener('error', (event) => report(() => errorOf(event)), true);
  window.addEventListener('unhandledrejection', ({ reason }) => report(() => rejectionOf(reason)));
  window.addEventListener('securitypolicyviolation', (event) => report(() => refusalOf(event)), true);
}

function errorOf(event: ErrorEvent | Event): LabEvent {
  if (!('message' in event)) {
    const { localName = 'element', src, href } = event.target as Partial<HTMLScriptElement & HTMLLinkElement>;
    return { kind: 'file', element: localName, address: String(src || href || '').slice(0, 2_000) };
  }
  const { message, filename, lineno, colno, error } = event;
  return {
    kind: 'script-error',
    message: message.slice(0, 1_000),
    ...stackOf(error),
    ...(filename && { where: { file: filename, line: lineno, column: colno } }),
  };
}

function rejectionOf(reason: unknown): LabEvent {
  return { kind: 'script-error', message: summarize([reason]).slice(0, 1_000), ...stackOf(reason), rejection: true };
}

function refusalOf(event: SecurityPolicyViolationEvent): LabEvent {
  const { effectiveDirective, blockedURI, sourceFile, lineNumber, columnNumber } = event;
  return {
    kind: 'policy',
    directive: effectiveDirective,
    blocked: blockedURI.slice(0, 1_000),
    ...(sourceFile && { where: { file: sourceFile, line: lineNumber, column: columnNumber } }),
  };
}

function stackOf(error: unknown): { readonly stack?: string } {
  return error instanceof Error && typeof error.stack === 'string' ? { stack: error.stack.slice(0, mostStack) } : {};
}

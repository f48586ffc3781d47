import { LONGEST, reportClientError } from '#features/operations/contract/error-logs.ts';
import { impersonal } from '#shared/impersonal.ts';
import { postQuietly } from '#ui/api/post-quietly.ts';

const MAX_REPORTS = 5;
/** Third-party scripts, and the message browsers give for opaque cross-origin ones. */
const FOREIGN = /\b(?:[\w-]*-extension|webkit-masked-url|userscript):|^Script error\.?$/i;
/** Harmless: an aborted request, or a repeated resize measurement. */
const HARMLESS = /^AbortError\b|^ResizeObserver loop/;

type Failure = { kind: 'error' | 'rejection' | 'render'; cause: unknown; words: string; file: string };

function failureIn(event: Event): Failure {
  if (event.type === 'unhandledrejection')
    return { kind: 'rejection', cause: (event as PromiseRejectionEvent).reason, words: '', file: '' };
  if (event.type === 'broken') return { kind: 'render', cause: (event as CustomEvent).detail, words: '', file: '' };
  const { error, message, filename } = event as Partial<ErrorEvent>;
  return { kind: 'error', cause: error, words: message ?? '', file: filename ?? '' };
}

const isOwn = (file: string) => file === '' || file.startsWith(location.origin);

/** The report of an error; null when it is not ours. */
function reportDetails(event: Event) {
  const { kind, cause, words, file } = failureIn(event);
  const isError = cause instanceof Error || cause instanceof DOMException;
  const message = isError ? `${cause.name}: ${cause.message}` : words || String(cause);
  const stack = isError ? (cause.stack ?? '') : '';
  if (!isOwn(file) || FOREIGN.test(message) || FOREIGN.test(stack) || HARMLESS.test(isError ? message : words))
    return null;
  return {
    kind,
    message: impersonal(message).slice(0, LONGEST.message),
    ...(stack ? { stack: impersonal(stack).slice(0, LONGEST.stack) } : {}),
    path: impersonal(location.pathname).slice(0, LONGEST.path),
  };
}

/**
 * Reports errors of this page to the server: each message once, at most five per page load. `caught` holds earlier
 * events; later ones are reported as they are added to it.
 */
export function reportErrors(caught: Event[]): void {
  const reported = new Set<string>();
  const take = (event: Event) => {
    try {
      const failure = reported.size < MAX_REPORTS ? reportDetails(event) : null;
      if (!failure || reported.has(failure.message)) return;
      reported.add(failure.message);
      postQuietly(reportClientError.path, failure);
    } catch {
      // A failed report must not cause another error.
    }
  };
  for (const event of caught.splice(0)) take(event);
  caught.push = (...events) => {
    for (const event of events) take(event);
    return 0;
  };
}

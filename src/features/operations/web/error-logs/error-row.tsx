import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { type ErrorLog, type ErrorType, resolveError } from '#features/operations/contract/error-logs.ts';
import { ago, dateTime, grouped } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { cx } from '#ui/cx.ts';
import { FormError } from '#ui/form.tsx';
import { useNow } from '#ui/now.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

export const TYPE_WORDS: Record<ErrorType, { one: string; many: string; tone: Tone }> = {
  api_failure: { one: 'API failure', many: 'API Failures', tone: 'warn' },
  data_collection: { one: 'Data collection', many: 'Data Collection', tone: 'accent' },
  authentication: { one: 'Authentication', many: 'Authentication', tone: 'warn' },
  system: { one: 'System', many: 'System', tone: 'down' },
  other: { one: 'Other', many: 'Other', tone: 'plain' },
};

/** Each has a chip and a tile; 'other' is counted in All only. */
export const SHOWN_TYPES = ['api_failure', 'data_collection', 'authentication', 'system'] as const;

export const times = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`);

/** Pretty-printed JSON, with line breaks in strings; anything else unchanged. */
function readable(details: string): string {
  try {
    const value: unknown = JSON.parse(details);
    if (typeof value !== 'object' || value === null) return details;
    return JSON.stringify(value, null, 2).replaceAll(/(?<=(?:^|[^\\])(?:\\\\)*)\\n/g, '\n    ');
  } catch {
    return details;
  }
}

const MINUTE_MS = 60_000;
/** Longer messages are shown in full with the details. */
const SHOWN_LENGTH = 240;

type Props = { error: ErrorLog; onResolved: () => Promise<unknown> };

export function ErrorRow({ error, onResolved }: Props) {
  const { id, type, source, message, timestamp, firstSeen, count, requestId, details } = error;
  const [open, setOpen] = useState(false);
  const { busy, failure, submit } = useSubmit('Failed to resolve the error', async (signal) => {
    await call(resolveError, { params: { id } }, signal);
    toast('success', 'Resolved. It reopens if it recurs.');
    await onResolved();
  });
  const isLong = message.length > SHOWN_LENGTH;
  const hasMore = details !== null || isLong;
  const { one, tone } = TYPE_WORDS[type];
  return (
    <li
      aria-labelledby={`error-${id}`}
      className="grid gap-1.5 border-t border-line px-4 py-3 text-sm first:border-t-0"
    >
      <div className="grid items-center gap-x-4 gap-y-2 sm:flex">
        <div className="grid min-w-0 flex-1 gap-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={tone}>{one}</Badge>
            <span className="text-ink-2">{source}</span>
            <span className="num ml-auto font-medium">{times(count)}</span>
          </p>
          <h2 id={`error-${id}`} className="font-medium [overflow-wrap:anywhere]">
            {isLong ? `${message.slice(0, SHOWN_LENGTH)}…` : message}
          </h2>
          <div className="label num flex flex-wrap items-center gap-x-4 gap-y-1">
            <Seen words="Last seen" at={timestamp} />
            <Seen words="First seen" at={firstSeen} />
            {requestId !== null && (
              <span className="flex flex-wrap items-center gap-2">
                <span>
                  Request <span className="font-mono break-all">{requestId}</span>
                </span>
                <CopyButton text={requestId} what="Request id" label={`Copy request id ${requestId}`} />
              </span>
            )}
          </div>
        </div>
        <span className="flex flex-wrap gap-2">
          {hasMore && (
            <Button
              className="max-sm:h-10"
              aria-expanded={open}
              aria-describedby={`error-${id}`}
              onClick={() => setOpen(!open)}
            >
              <ChevronDown className={cx('size-3.5', open && 'rotate-180')} aria-hidden="true" />
              Details
            </Button>
          )}
          <Button
            className="max-sm:h-10"
            aria-describedby={`error-${id}`}
            aria-disabled={busy}
            onClick={() => void submit()}
          >
            {busy ? 'Resolving...' : 'Resolve'}
          </Button>
        </span>
      </div>
      <FormError failure={failure} />
      {open && (
        <div className="grid gap-2">
          {isLong && <Text name="Message" text={message} />}
          {details !== null && <Text name="Details" text={readable(details)} whole={details} />}
        </div>
      )}
    </li>
  );
}

function Seen({ words, at }: { words: string; at: string }) {
  const now = useNow(MINUTE_MS);
  const ms = Date.parse(at);
  return (
    <span>
      {words}{' '}
      <time dateTime={at} title={dateTime(ms)}>
        {ago(now - ms).toLowerCase()}
      </time>
    </span>
  );
}

function Text({ name, text, whole }: { name: string; text: string; whole?: string }) {
  return (
    <CodeBlock
      head={<span className="label">{name}</span>}
      label={name}
      text={text}
      {...(whole === undefined ? {} : { whole })}
      what={name}
      tall
      wrap
    />
  );
}

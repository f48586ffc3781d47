import type { Tried } from '#web/api/try-call.ts';
import { Badge } from '#web/ui/badge.tsx';

import { CodeBlock } from '#web/ui/code-block.tsx';

/** As much as a reader looks at; all of it can be copied. */
const MOST_SHOWN = 20_000;
const LIMITS = /^(ratelimit|retry-after|etag|link|x-next|content-type|content-length|cache-control)/;

const toneOf = (status: number) => (status < 300 ? 'up' : status < 500 ? 'warn' : 'down');

function pretty({ text, contentType }: Tried): string {
  if (!contentType.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const sizeText = (characters: number): string =>
  characters < 1000
    ? `${characters} characters`
    : `${Math.round(characters / 1000).toLocaleString('en-US')}k characters`;

/** What came back. */
export function Answered({ answer, id }: { answer: Tried; id: string }) {
  const whole = pretty(answer);
  const isLong = whole.length > MOST_SHOWN;
  const headers = answer.headers.filter(([name]) => LIMITS.test(name));
  return (
    <div role="group" aria-label="What came back" className="grid gap-3">
      <output className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={toneOf(answer.status)}>
          {answer.status} {answer.statusText}
        </Badge>
        <span>{answer.ms.toLocaleString('en-US')} ms</span>
        <span className="text-ink-3">{sizeText(answer.text.length)}</span>
        {answer.cut && <span className="text-warn">Stopped: this is what had come</span>}
      </output>
      <dl className="grid gap-1 font-mono text-xs">
        {headers.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="text-ink-3">{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      {whole !== '' && (
        <CodeBlock
          head={
            <span className="label num">
              {isLong ? `Body, the first ${sizeText(MOST_SHOWN)} of ${sizeText(whole.length)}: Copy takes all` : 'Body'}
            </span>
          }
          label={`Body of the answer to ${id}`}
          text={isLong ? `${whole.slice(0, MOST_SHOWN)}\n…` : whole}
          whole={whole}
          what="Answer"
          tall
        />
      )}
    </div>
  );
}

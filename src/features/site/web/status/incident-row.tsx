import { type AdminIncident, COMPONENT_NAMES, type Impact } from '#features/site/contract/status.ts';
import { dateTime } from '#shared/format.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { useNow } from '#ui/now.ts';
import { IMPACT_WORDS, progressWords, STAGE_WORDS } from './words.ts';

const TONES: Record<Impact, Tone> = { none: 'plain', minor: 'warn', major: 'down', maintenance: 'accent' };
const time = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

type Props = { incident: AdminIncident; onAct: (act: 'update' | 'retract') => void };

/** One incident with all that was written about it and by whom. */
export function IncidentRow({ incident, onAct }: Props) {
  const now = useNow(60_000);
  const { id, kind, title, impact, components, startsAt, endsAt, author, retractedAt, stage, updates } = incident;
  const isShown = retractedAt === null;
  return (
    <li className="border-t border-line px-4 py-3 text-sm first:border-t-0">
      <article aria-labelledby={`incident-${id}`}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 id={`incident-${id}`} className="min-w-0 font-medium break-words">
            {title}
          </h3>
          <Badge tone={TONES[impact]}>{IMPACT_WORDS[impact]}</Badge>
          <Badge>{retractedAt ? 'Retracted' : progressWords(incident, now)}</Badge>
          {kind === 'measured' && <Badge>Measured</Badge>}
        </div>
        <p className="num mt-1 text-xs text-ink-3">
          {time(startsAt)}
          {endsAt ? ` to ${time(endsAt)}` : ', ongoing'}
          {components.length > 0 && ` · ${components.map((each) => COMPONENT_NAMES[each]).join(', ')}`}
          {author && ` · ${author}`}
          {retractedAt && ` · removed from the page ${time(retractedAt)}`}
        </p>
        {updates.length > 0 && (
          <ol className="mt-2 grid gap-2">
            {updates.map((update) => (
              <li key={`${update.at}${update.stage}${update.message}`}>
                <p className="num text-xs text-ink-3">
                  {STAGE_WORDS[update.stage]}, {time(update.at)}
                  {update.author && `, ${update.author}`}
                </p>
                <p className="break-words whitespace-pre-line text-ink-2">{update.message}</p>
              </li>
            ))}
          </ol>
        )}
        {isShown && (stage !== 'resolved' || kind === 'written') && (
          <div className="mt-2 flex flex-wrap gap-2">
            {stage !== 'resolved' && (
              <Button className="max-sm:h-10" onClick={() => onAct('update')}>
                Add update<span className="sr-only"> to {title}</span>
              </Button>
            )}
            {kind === 'written' && (
              <Button className="max-sm:h-10" onClick={() => onAct('retract')}>
                Retract<span className="sr-only"> {title}</span>
              </Button>
            )}
          </div>
        )}
      </article>
    </li>
  );
}

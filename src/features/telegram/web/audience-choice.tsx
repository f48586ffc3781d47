import type { Reply } from '#web/api/client.ts';
import { type Query, QueryView } from '#web/ui/query-view.tsx';

import { AUDIENCES, type Audience, type getBotAudience } from '../contract.ts';
import { AUDIENCE_WORDS } from './bot-words.ts';

type Counted = Reply<typeof getBotAudience>;
type Props = { query: Query<Counted>; value: Audience; onChange: (audience: Audience) => void };

/** Whom it is for, with how many that are now and who is left out. */
export function AudienceChoice({ query, value, onChange }: Props) {
  return (
    <QueryView
      query={query}
      failed="Failed to count whom it would reach"
      loading={<div className="skel h-20" aria-hidden="true" />}
    >
      {({ people, left }) => (
        <fieldset>
          <legend className="font-medium">Audience</legend>
          <div className="grid gap-x-6 sm:grid-cols-2">
            {AUDIENCES.map((each) => (
              <label key={each} className="flex min-h-10 cursor-pointer items-center gap-2.5">
                <input
                  type="radio"
                  name="audience"
                  checked={each === value}
                  onChange={() => onChange(each)}
                  className="size-4 shrink-0 accent-(--accent)"
                />
                {AUDIENCE_WORDS[each]}
                <span className="num text-ink-3">{people[each].toLocaleString('en-US')}</span>
              </label>
            ))}
          </div>
          <LeftOut {...left} />
        </fieldset>
      )}
    </QueryView>
  );
}

function LeftOut({ blocked, switchedOff, declined }: Counted['left']) {
  const parts = [
    [blocked, 'stopped the bot'],
    [switchedOff, 'switched Telegram off'],
    [declined, 'declined announcements by /stop'],
  ] as const;
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count.toLocaleString('en-US')} ${words}`);
  return said.length > 0 && <p className="label">Left out: {said.join(', ')}.</p>;
}

import { useQuery } from '@tanstack/react-query';
import type { Attempt, Webhook } from '#features/notifications/contract/webhooks.ts';
import { dateTime } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Modal } from '#ui/modal.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { attemptsQuery, outcomeText, STATES } from './queries.ts';

export type AttemptsProps = { webhook: Webhook; onClose: () => void };

export function AttemptsDialog({ webhook: { id, name }, onClose }: AttemptsProps) {
  const query = useQuery(attemptsQuery(id));
  return (
    <Modal title={`Log of ${name}`} wide onClose={onClose}>
      <div className="min-h-56">
        <QueryView
          query={query}
          failed="Failed to load the log"
          loading={
            <div className="grid gap-3">
              <output className="sr-only">Loading the log</output>
              {['a', 'b', 'c'].map((row) => (
                <div key={row} className="skel h-8" aria-hidden="true" />
              ))}
            </div>
          }
          isEmpty={({ attempts }) => attempts.length === 0}
          empty={<Empty title="Nothing sent yet" note="Alerts and tests are listed here for 30 days." />}
        >
          {({ attempts }) => (
            <>
              <p className="label mb-2">The latest 200 calls from the last 30 days</p>
              <div
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
                tabIndex={0}
                role="region"
                aria-label="Calls"
                className="max-h-[26rem] overflow-y-auto border-y border-line"
              >
                <ul className="divide-y divide-line">
                  {attempts.map((attempt) => (
                    <Row key={attempt.id} {...attempt} />
                  ))}
                </ul>
              </div>
            </>
          )}
        </QueryView>
      </div>
    </Modal>
  );
}

function Row(attempt: Attempt) {
  const isTest = attempt.deliveryId === null;
  const [tone, word] = STATES[isTest && attempt.state === 'later' ? 'failed' : attempt.state];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-2 text-sm">
      <span className="num text-xs leading-5 text-ink-3">{dateTime(Date.parse(attempt.at))}</span>
      <span>
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="col-span-2 min-w-0 break-words">
        <span className="num">{outcomeText(attempt)}</span>
        <span className="num block text-xs break-words text-ink-3">
          {attempt.kind}
          {!isTest && ` · dlv_${attempt.deliveryId}`}
        </span>
      </span>
    </li>
  );
}

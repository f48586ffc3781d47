import { useQuery } from '@tanstack/react-query';

import { ago } from '#shared/format.ts';
import { useToken } from '#web/session.ts';
import { useNow } from '#web/ui/now.ts';

import { simulatedQuery } from './queries.ts';

const MOST_SHOWN = 3;

/** What the demo's own browser has been sent, decrypted by its push service. */
export function SimulatedBrowser() {
  const messages = useQuery(simulatedQuery(useToken())).data?.messages ?? [];
  const now = useNow(10_000);
  return (
    <section aria-label="Simulated browser" className="order-2 w-full rounded-ctl border border-line p-3 text-sm">
      <h3 className="label">Simulated browser</h3>
      {messages.length === 0 && <p className="mt-1 text-ink-3">Nothing received yet.</p>}
      <ul>
        {messages.slice(0, MOST_SHOWN).map(({ title, body, tag, at }) => (
          <li key={`${tag} ${at}`} className="mt-2">
            <p className="font-medium">
              {title} <span className="num text-xs font-normal text-ink-3">{ago(now - Date.parse(at))}</span>
            </p>
            <p className="text-ink-2">{body}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

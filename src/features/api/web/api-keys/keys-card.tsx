import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type ApiKey, MAX_KEYS } from '#features/api/contract/api-keys.ts';
import { ago, dateTime } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CODE, CodeBlock } from '#ui/code-block.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { dayOf } from '#ui/day.ts';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import type { CreateProps, DeactivateProps, RegenerateProps } from './key-dialogs.tsx';
import { callsText, SCOPES } from './labels.ts';
import { keysQuery } from './queries.ts';

const CALLS = [
  ['/api/v1/market-data', 'Market totals, metrics, narratives and Layer 1 blockchains'],
  ['/api/v1/crypto-prices', 'Price, change, market cap and volume of all coins'],
  ['/api/v1/analysis', 'AI analyses with their consensus'],
] as const;

/** A first request, to copy. */
function QuickStart() {
  const sample = `curl "${location.origin}/api/v1/crypto-prices" \\\n  -H "X-API-Key: YOUR_KEY"`;
  return <CodeBlock head={<span className="label">curl</span>} label="curl sample" text={sample} what="Sample" />;
}

/** First endpoints of the public API, and how to send a key. */
export function ApiNotes({ isEmpty }: { isEmpty: boolean }) {
  return (
    <Card id="api-notes" title="API Quick Start">
      <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
        <ul className="grid gap-2">
          {CALLS.map(([path, gives]) => (
            <li key={path}>
              <code className={`${CODE} break-all`}>GET {path}</code>
              <span className="mt-1 block text-ink-2">{gives}</span>
            </li>
          ))}
        </ul>
        <p className="text-ink-2">
          Send the key with every request, as <code className={CODE}>X-API-Key: YOUR_KEY</code> or{' '}
          <code className={CODE}>Authorization: Bearer YOUR_KEY</code>. Never expose it on a public page.
        </p>
        {!isEmpty && <QuickStart />}
        <p>
          <Link to="/app/api" className={`${TEXT_LINK} inline-flex min-h-9 items-center`}>
            API reference: try every endpoint and copy code samples
          </Link>
        </p>
      </div>
    </Card>
  );
}

type Props = { apiKey: ApiKey; onOpen: (what: 'regenerate' | 'deactivate') => void };

const ACT = 'max-sm:h-10';
const MINUTE_MS = 60_000;

function KeyRow({ apiKey, onOpen }: Props) {
  const { name, api_key: hint, scopes, created_at, last_used, usage_count, old_key_until } = apiKey;
  const nowMs = useNow(MINUTE_MS);
  const used = last_used ? `last used ${ago(nowMs - Date.parse(last_used)).toLowerCase()}` : 'never used';
  return (
    <li className="border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <div className="min-w-0 flex-1 text-sm max-sm:w-full max-sm:flex-none">
          <p className="flex flex-wrap items-center gap-x-2 font-medium">
            <span className="min-w-0 break-words">{name}</span>
            {scopes.map((scope) => (
              <Badge key={scope} tone={scope.endsWith(':write') ? 'warn' : 'plain'}>
                {SCOPES[scope][0]}
              </Badge>
            ))}
          </p>
          <p className="font-mono text-xs break-all text-ink-2">{hint}</p>
          <p className="num text-xs break-words text-ink-3">
            Created {dayOf(created_at)} · {used} · {callsText(usage_count)}
          </p>
          {old_key_until && Date.parse(old_key_until) > nowMs && (
            <p className="num mt-1 text-xs font-medium text-warn">
              The previous key works until {dateTime(Date.parse(old_key_until))}
            </p>
          )}
        </div>
        <div role="group" aria-label={name} className="flex flex-wrap gap-1.5">
          <Button className={ACT} onClick={() => onOpen('regenerate')}>
            Regenerate
          </Button>
          <Button className={ACT} onClick={() => onOpen('deactivate')}>
            Deactivate
          </Button>
        </div>
      </div>
    </li>
  );
}

const CreateKey = part<CreateProps>({
  name: 'The dialog',
  load: async () => (await import('./key-dialogs.tsx')).CreateKey,
});
const RegenerateKey = part<RegenerateProps>({
  name: 'The dialog',
  load: async () => (await import('./key-dialogs.tsx')).RegenerateKey,
});
const DeactivateKey = part<DeactivateProps>({
  name: 'The dialog',
  load: async () => (await import('./key-dialogs.tsx')).DeactivateKey,
});

const CARD = { id: 'api-keys', title: 'API Keys', className: 'relative min-h-[17.5rem]' };

export function KeysCard() {
  const query = useQuery(keysQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your API keys">
      {(keys) => <Loaded keys={keys} />}
    </QueryView>
  );
}

type Open = { what: 'regenerate' | 'deactivate'; apiKey: ApiKey };

function Loaded({ keys }: { keys: readonly ApiKey[] }) {
  const [creating, setCreating] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const isFull = keys.length >= MAX_KEYS;
  return (
    <Card {...CARD}>
      {!isFull && (
        <CornerButton onClick={() => setCreating(true)}>
          <Plus className="size-3.5" aria-hidden="true" />
          Create key
        </CornerButton>
      )}
      <p className="max-w-[68ch] px-4 pt-1 pb-3 text-sm text-ink-2">
        For API access from your own applications. All keys share your daily quota.
      </p>
      {isFull && (
        <p className="px-4 pb-3 text-sm font-medium text-warn">
          Accounts can have up to {MAX_KEYS} keys. Deactivate one to create another.
        </p>
      )}
      {keys.length === 0 ? (
        <div className="grid gap-3 px-4 pb-4 text-sm">
          <p className="font-medium">No API keys yet</p>
          <p className="text-ink-2">Name your first key to get started, then call the API with it:</p>
          <QuickStart />
        </div>
      ) : (
        <ul aria-label="API keys">
          {keys.map((apiKey) => (
            <KeyRow key={apiKey.id} apiKey={apiKey} onOpen={(what) => setOpen({ what, apiKey })} />
          ))}
        </ul>
      )}
      {creating && <CreateKey onClose={() => setCreating(false)} />}
      {open?.what === 'regenerate' && <RegenerateKey apiKey={open.apiKey} onClose={close} />}
      {open?.what === 'deactivate' && <DeactivateKey apiKey={open.apiKey} onClose={close} />}
    </Card>
  );
}

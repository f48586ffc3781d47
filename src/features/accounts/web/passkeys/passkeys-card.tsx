import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { listPasskeys, type Passkey } from '#features/accounts/contract/passkeys.ts';
import { ago } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { dayOf } from '#ui/day.ts';
import { useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import type { AddPasskeyProps, RemovePasskeyProps } from './passkey-dialogs.tsx';

const passkeysQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['passkeys', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listPasskeys, {}, signal),
  });

/** Why this browser cannot create a passkey here; null when it can. */
function obstacle(): string | null {
  const { hostname, protocol, port } = location;
  // A passkey belongs to a domain: browsers refuse one for a bare network address.
  if (/^127\.|^\[::1\]$/.test(hostname))
    return `Passkeys are tied to a host name. To add one, sign in at ${protocol}//localhost${port && `:${port}`}.`;
  if (/^[\d.]+$|:/.test(hostname)) return 'Passkeys require a domain name, and this address has none.';
  if (typeof PublicKeyCredential !== 'function') return 'This browser does not support passkeys.';
  return null;
}

const AddPasskey = part<AddPasskeyProps>({
  name: 'The dialog',
  load: async () => (await import('./passkey-dialogs.tsx')).AddPasskey,
});
const RemovePasskey = part<RemovePasskeyProps>({
  name: 'The dialog',
  load: async () => (await import('./passkey-dialogs.tsx')).RemovePasskey,
});

const CARD = { id: 'passkeys', title: 'Passkeys', className: 'relative min-h-36' };

export function PasskeysCard() {
  const query = useQuery(passkeysQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your passkeys">
      {({ passkeys }) => <Loaded passkeys={passkeys} />}
    </QueryView>
  );
}

function Loaded({ passkeys }: { passkeys: readonly Passkey[] }) {
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const refresh = () => void queries.invalidateQueries({ queryKey: ['passkeys'] });
  const blocked = obstacle();
  return (
    <Card {...CARD}>
      {!blocked && (
        <CornerButton onClick={() => setAdding(true)}>
          <Plus className="size-3.5" aria-hidden="true" />
          Add passkey
        </CornerButton>
      )}
      <p className="max-w-[60ch] px-4 pt-1 pb-3 text-sm text-ink-2">
        Sign in with your fingerprint, face or security key. Passkeys cannot be guessed or phished.
      </p>
      {blocked && <p className="px-4 pb-3 text-sm font-medium text-warn">{blocked}</p>}
      {passkeys.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-3">No passkeys yet</p>
      ) : (
        <ul className="border-t border-line">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </ul>
      )}
      {adding && <AddPasskey onAdded={refresh} onClose={() => setAdding(false)} />}
      {removing && <RemovePasskey passkey={removing} onRemoved={refresh} onClose={() => setRemoving(null)} />}
    </Card>
  );
}

function Row({ passkey: { name, createdAt, lastUsedAt }, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const now = useNow(60_000);
  const used = lastUsedAt ? `last used ${ago(now - Date.parse(lastUsedAt)).toLowerCase()}` : 'never used';
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-3 first:border-t-0">
      <KeyRound className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium break-words">{name}</p>
        <p className="num text-xs text-ink-3">
          Added {dayOf(createdAt)} · {used}
        </p>
      </div>
      <Button aria-label={`Remove ${name}`} onClick={onRemove} className="max-sm:h-10">
        Remove
      </Button>
    </li>
  );
}

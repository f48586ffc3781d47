import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { part } from '#web/ui/part.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import { type ApiKey, MOST_KEYS } from '../contract.ts';
import type { CreateProps } from './create-key.tsx';
import type { DeactivateProps } from './deactivate-key.tsx';
import { KeyRow } from './key-row.tsx';
import { keysQuery } from './queries.ts';
import type { RegenerateProps } from './regenerate-key.tsx';

const CreateKey = part<CreateProps>({
  name: 'The dialog',
  load: async () => (await import('./create-key.tsx')).CreateKey,
});
const RegenerateKey = part<RegenerateProps>({
  name: 'The dialog',
  load: async () => (await import('./regenerate-key.tsx')).RegenerateKey,
});
const DeactivateKey = part<DeactivateProps>({
  name: 'The dialog',
  load: async () => (await import('./deactivate-key.tsx')).DeactivateKey,
});

const CARD = { id: 'api-keys', title: 'API Keys', className: 'relative min-h-56' };

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
  const isFull = keys.length >= MOST_KEYS;
  return (
    <Card {...CARD}>
      {!isFull && (
        <CornerButton onClick={() => setCreating(true)}>
          <Plus className="size-3.5" aria-hidden="true" />
          Create key
        </CornerButton>
      )}
      <p className="max-w-[68ch] px-4 pt-1 pb-3 text-sm text-ink-2">
        For programs that read what the screen shows. All keys of an account share its calls of the day.
      </p>
      {isFull && (
        <p className="px-4 pb-3 text-sm font-medium text-warn">
          {MOST_KEYS} keys are the most an account can have. Deactivate one to create another.
        </p>
      )}
      {keys.length === 0 ? (
        <Empty title="No API keys yet" note="Create one: it takes a name and ten seconds." />
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

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { BRAND } from '#shared/brand.ts';
import { call } from '#web/api/client.ts';
import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { FormError, PRIMARY, SECONDARY } from '#web/ui/form.tsx';
import { TextField } from '#web/ui/inputs.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { saveWhiteLabel, type WhiteLabel } from '../contract.ts';
import { LogoField } from './logo-field.tsx';
import { HEX, logoProblem, problemsOf } from './look.ts';
import { LookSample } from './look-sample.tsx';
import { whiteLabelQuery } from './queries.ts';

const CARD = { id: 'white-label', title: 'White label', className: 'min-h-56' };
const OURS: WhiteLabel = { name: null, logo: null, colour: null };
export function WhiteLabelCard() {
  const query = useQuery(whiteLabelQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load the look of your reports">
      {(stored) => <LookForm key={JSON.stringify(stored)} stored={stored} />}
    </QueryView>
  );
}

const readLogo = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });

function LookForm({ stored }: { stored: WhiteLabel }) {
  const queries = useQueryClient();
  const token = useToken();
  const [look, setLook] = useState(stored);
  const [refused, setRefused] = useState<string | null>(null);
  const { busy, failure, submit } = useSubmit('Failed to save the look', async (signal, next: WhiteLabel) => {
    const body = { ...next, name: next.name?.trim() ?? null };
    const saved = await call(saveWhiteLabel, { body }, signal);
    toast('success', next === OURS ? 'Your reports look as ours again' : 'The look of your reports is saved');
    queries.setQueryData(whiteLabelQuery(token).queryKey, saved);
  });
  const change = (part: Partial<WhiteLabel>) => setLook((old) => ({ ...old, ...part }));
  const problems = problemsOf(look);
  const isBad = Object.keys(problems).length > 0;
  const isSame = JSON.stringify(look) === JSON.stringify(stored);
  const isOurs = JSON.stringify(stored) === JSON.stringify(OURS);

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const logo = await readLogo(file);
      const problem = logoProblem(logo);
      setRefused(problem);
      if (!problem) change({ logo });
    } catch (error) {
      setRefused((error as Error).message);
    }
  }

  return (
    <Card {...CARD}>
      <form
        noValidate
        className="grid gap-4 px-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBad && !isSame) void submit(look);
        }}
      >
        <p className="text-sm text-ink-2">Your name, logo and colour on PDF and Excel reports instead of ours.</p>
        <TextField
          label="Name"
          placeholder={BRAND.name}
          maxLength={60}
          value={look.name ?? ''}
          problem={problems.name}
          onText={(name) => change({ name: name === '' ? null : name })}
        />
        <LogoField
          logo={look.logo}
          problem={refused}
          onChoose={(file) => void choose(file)}
          onRemove={() => change({ logo: null })}
        />
        <div className="flex gap-3">
          <input
            type="color"
            aria-label="Choose a colour"
            value={look.colour && HEX.test(look.colour) ? look.colour : BRAND.accent}
            onChange={(event) => change({ colour: event.target.value })}
            className="mt-6 h-11 w-14 shrink-0 cursor-pointer rounded-ctl border border-ink-3/75 bg-bg sm:h-10"
          />
          <div className="min-w-0 flex-1">
            <TextField
              label="Colour"
              placeholder={BRAND.accent}
              maxLength={7}
              spellCheck={false}
              value={look.colour ?? ''}
              problem={problems.colour}
              onText={(colour) => change({ colour: colour === '' ? null : colour })}
            />
          </div>
        </div>
        <LookSample look={problems.colour ? { ...look, colour: null } : look} />
        <FormError failure={failure} />
        <div className="grid gap-2 sm:grid-cols-2">
          <button
            type="button"
            disabled={isOurs && isSame}
            aria-disabled={busy}
            onClick={() => {
              setRefused(null);
              setLook(OURS);
              if (!isOurs) void submit(OURS);
            }}
            className={`${SECONDARY} disabled:cursor-default disabled:opacity-60`}
          >
            Reset
          </button>
          <button type="submit" disabled={isSame || isBad} aria-disabled={busy} className={PRIMARY}>
            {busy ? 'Saving...' : 'Save'}
          </button>
        </div>
      </form>
    </Card>
  );
}

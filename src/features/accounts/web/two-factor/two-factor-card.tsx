import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getTwoFactor, renewBackupCodes, setUpTwoFactor } from '#features/accounts/contract/two-factor.ts';
import { call, type Reply } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { FormError, SECONDARY } from '#ui/form.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { useSubmit } from '#ui/use-submit.ts';
import type { DisableProps, NewCodesProps, SetUpProps } from './two-factor-dialogs.tsx';

const twoFactorQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['two-factor', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getTwoFactor, {}, signal),
  });

const SetUpTwoFactor = part<SetUpProps>({
  name: 'The dialog',
  load: async () => (await import('./two-factor-dialogs.tsx')).SetUpTwoFactor,
});
const NewBackupCodes = part<NewCodesProps>({
  name: 'The dialog',
  load: async () => (await import('./two-factor-dialogs.tsx')).NewBackupCodes,
});
const DisableTwoFactor = part<DisableProps>({
  name: 'The dialog',
  load: async () => (await import('./two-factor-dialogs.tsx')).DisableTwoFactor,
});

const CARD = { id: 'two-factor', title: 'Two-Factor Sign-In', className: 'min-h-36' };
const FEW = 3;

type State = Reply<typeof getTwoFactor>;

export function TwoFactorCard() {
  const query = useQuery(twoFactorQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load the two-factor settings">
      {(state) => (
        <Card {...CARD} note={state.enabled ? <Badge tone="up">On</Badge> : <Badge>Off</Badge>}>
          <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">{state.enabled ? <On {...state} /> : <Off />}</div>
        </Card>
      )}
    </QueryView>
  );
}

const useRefresh = () => {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: ['two-factor'] });
    void queries.invalidateQueries({ queryKey: ['subscription'] });
  };
};

function Off() {
  const refresh = useRefresh();
  const [secret, setSecret] = useState<Reply<typeof setUpTwoFactor> | null>(null);
  const { busy, failure, submit } = useSubmit('Failed to set up two-factor sign-in', async (signal) => {
    setSecret(await callWithProof(setUpTwoFactor, {}, signal));
  });
  return (
    <>
      <p className="max-w-[60ch] text-ink-2">
        After your password, signing in also asks for a code from an authenticator app on your phone, so a stolen
        password is not enough.
      </p>
      <FormError failure={failure} />
      <div>
        <button type="button" aria-disabled={busy} onClick={() => void submit()} className={SECONDARY}>
          {busy ? 'Setting up...' : 'Set Up Two-Factor'}
        </button>
      </div>
      {secret && (
        <SetUpTwoFactor
          {...secret}
          onClose={() => {
            setSecret(null);
            refresh();
          }}
        />
      )}
    </>
  );
}

function On({ backupCodesLeft }: State) {
  const refresh = useRefresh();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [disabling, setDisabling] = useState(false);
  const { busy, failure, submit } = useSubmit('Failed to create new backup codes', async (signal) => {
    const reply = await callWithProof(renewBackupCodes, {}, signal);
    if (reply) setCodes(reply.backupCodes);
  });
  return (
    <>
      <p className="text-ink-2">Signing in asks for a code from your authenticator app, or a backup code.</p>
      <p className={backupCodesLeft <= FEW ? 'font-medium text-warn' : 'text-ink-2'}>
        {backupCodesLeft === 0
          ? 'No backup codes left. Create new ones, or you will be locked out if you lose your phone.'
          : `${backupCodesLeft} of 10 backup codes left.`}
      </p>
      <FormError failure={failure} />
      <div className="flex flex-wrap gap-2">
        <button type="button" aria-disabled={busy} onClick={() => void submit()} className={SECONDARY}>
          {busy ? 'Creating new codes...' : 'New Backup Codes'}
        </button>
        <button type="button" onClick={() => setDisabling(true)} className={SECONDARY}>
          Turn Off
        </button>
      </div>
      {codes && (
        <NewBackupCodes
          codes={codes}
          onClose={() => {
            setCodes(null);
            refresh();
          }}
        />
      )}
      {disabling && <DisableTwoFactor onClose={() => setDisabling(false)} onDone={refresh} />}
    </>
  );
}

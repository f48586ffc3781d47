import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  type AdminUser,
  disableUser,
  enableUser,
  LONGEST_REASON,
  resendUserConfirmation,
  type UserDetail,
} from '#features/operations/contract/admin.ts';
import { dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Field } from '#ui/field.tsx';
import { FormError } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { Party } from './audit-tab.tsx';
import { refreshUser } from './queries.ts';
import { DeleteUserDialog, SetPlanDialog } from './user-dialogs.tsx';
import { SUBSCRIPTION } from './user-labels.ts';

type Props = { user: AdminUser; onClose: () => void };

/** Disables an account, or enables it again. */
function DisableUserDialog({ user: { id, email, isDisabled }, onClose }: Props) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const word = isDisabled ? 'enable' : 'disable';
  const { busy, failure, submit } = useSubmit(`Failed to ${word} the account`, async (signal) => {
    const params = { id: String(id) };
    const done = isDisabled
      ? await callWithProof(enableUser, { params }, signal)
      : await callWithProof(disableUser, { params, body: { reason: reason.trim() } }, signal);
    if (!done) return;
    toast('success', `${email} is now ${word}d`);
    await refreshUser(queries, id);
    onClose();
  });
  return (
    <FormDialog
      title={isDisabled ? 'Enable account' : 'Disable account'}
      act={isDisabled ? 'Enable' : 'Disable'}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-ink-2 [overflow-wrap:anywhere]">
        {isDisabled
          ? `${email} can sign in again. API keys, rules and schedules resume; browsers must sign in and enable push again.`
          : `${email} is signed out everywhere and cannot sign in. API keys stop working, nothing is delivered, schedules pause and cards are no longer charged. Data is retained. The user is notified by email, without your reason.`}
      </p>
      {!isDisabled && (
        <Field
          label="Reason"
          name="reason"
          required
          minLength={3}
          maxLength={LONGEST_REASON}
          placeholder="Reason (recorded under your name)"
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

const ACT = 'disabled:cursor-default disabled:opacity-60 max-sm:h-10';

/** Identity, status and actions of an account. */
export function UserHead({ detail }: { detail: UserDetail }) {
  const { user, disabled, twoFactor, passkeys } = detail;
  const { email, emailVerified, isAdmin, plan, subscriptionStatus, createdAt } = user;
  const status = SUBSCRIPTION[subscriptionStatus];
  return (
    <Card id="user" title="User" note={<span className="num label">ID {user.id}</span>}>
      <div className="grid gap-2 px-4 pb-3">
        <p className="text-xl font-semibold tracking-[-0.02em] break-all">{email}</p>
        <p className="flex flex-wrap gap-1.5">
          {emailVerified ? <Badge tone="up">Verified</Badge> : <Badge tone="warn">Unverified</Badge>}
          {isAdmin && <Badge tone="accent">Admin</Badge>}
          {disabled && <Badge tone="down">Disabled</Badge>}
          <Badge>{PLAN_NAMES[plan]}</Badge>
          {status && <Badge tone={status.tone}>{status.words}</Badge>}
        </p>
        {disabled && (
          <div className="rounded-ctl border border-down/40 bg-down/10 px-3 py-2 text-sm">
            <p className="font-medium [overflow-wrap:anywhere] text-down">Disabled: {disabled.reason}</p>
            <p className="text-ink-2">
              {dateTime(Date.parse(disabled.at))}
              {disabled.by && (
                <>
                  , by <Party party={disabled.by} />
                </>
              )}
            </p>
          </div>
        )}
        <dl className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          <Fact name="Created">{dateTime(Date.parse(createdAt))}</Fact>
          <Fact name="Two-factor">{twoFactor ? 'On' : 'Off'}</Fact>
          <Fact name="Passkeys">{passkeys === 0 ? 'None' : passkeys}</Fact>
        </dl>
      </div>
      <Acts detail={detail} />
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="num font-medium">{children}</dd>
    </div>
  );
}

function Acts({ detail: { user } }: { detail: UserDetail }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asked, ask] = useState<'plan' | 'disable' | 'delete' | null>(null);
  const { id, isAdmin, isDisabled, emailVerified } = user;
  const close = () => ask(null);
  const resend = useSubmit('Failed to send the confirmation', async (signal) => {
    const { message } = await call(resendUserConfirmation, { params: { id: String(id) } }, signal);
    toast('success', message);
    await refreshUser(queries, id);
  });
  const why = (words: string) => (isAdmin ? words : undefined);
  return (
    <div className="grid gap-2 border-t border-line px-4 py-3">
      <div className="flex flex-wrap gap-2">
        <Button disabled={isAdmin} title={why('Admins have every feature')} onClick={() => ask('plan')} className={ACT}>
          Set plan
        </Button>
        {!emailVerified && (
          <Button
            disabled={isDisabled}
            aria-disabled={resend.busy}
            onClick={() => void resend.submit()}
            className={ACT}
          >
            {resend.busy ? 'Sending...' : 'Resend confirmation'}
          </Button>
        )}
        <Button
          disabled={isAdmin && !isDisabled}
          title={why('Cannot disable admin users')}
          onClick={() => ask('disable')}
          className={ACT}
        >
          {isDisabled ? 'Enable' : 'Disable'}
        </Button>
        <Button
          disabled={isAdmin}
          title={why('Cannot delete admin users')}
          onClick={() => ask('delete')}
          className={`${ACT} text-down`}
        >
          Delete
        </Button>
      </div>
      <FormError failure={resend.failure} />
      {asked === 'plan' && <SetPlanDialog user={user} onClose={close} />}
      {asked === 'disable' && <DisableUserDialog user={user} onClose={close} />}
      {asked === 'delete' && (
        <DeleteUserDialog
          user={user}
          onClose={close}
          onDeleted={() => void navigate('/app/admin?tab=users', { replace: true })}
        />
      )}
    </div>
  );
}

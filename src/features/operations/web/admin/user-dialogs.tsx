import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { type AdminUser, deleteUser, setUserPlan } from '#features/operations/contract/admin.ts';
import { CallError } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Field } from '#ui/field.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';
import { Told, useSubmit } from '#ui/use-submit.ts';

import { refreshUser } from './queries.ts';

export type SetPlanProps = { user: AdminUser; onClose: () => void };

const PLANS = ['free', 'pro', 'premium'] as const;
const MAX_NOTE_LENGTH = 500;
const DAY_MS = 86_400_000;

/** A plan lasts to the end of its last day. */
const endOfDay = (day: string) => `${day}T23:59:59.000Z`;
const tomorrow = () => new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);

export function SetPlanDialog({ user: { id, email, plan: now }, onClose }: SetPlanProps) {
  const queries = useQueryClient();
  const [plan, setPlan] = useState<(typeof PLANS)[number]>(now === 'admin' ? 'free' : now);
  const [limited, setLimited] = useState(false);
  const [day, setDay] = useState('');
  const [note, setNote] = useState('');
  const [earliest] = useState(tomorrow);
  const endless = plan === 'free' || !limited;
  const { busy, failure, submit } = useSubmit('Failed to set the plan', async (signal) => {
    const body = { plan, until: endless ? null : endOfDay(day), note: note.trim() };
    const after = await callWithProof(setUserPlan, { params: { id: String(id) }, body }, signal);
    if (!after) return;
    if (after.plan === plan) toast('success', `${email} is now on ${PLAN_NAMES[plan]}`);
    else toast('warning', `Saved, but ${email} stays on ${PLAN_NAMES[after.plan]}: a higher plan is active`);
    void refreshUser(queries, id);
    onClose();
  });
  return (
    <FormDialog
      title="Set plan"
      act="Set Plan"
      busy={busy}
      disabled={!endless && day === ''}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="break-all text-ink-2">
        {email}, currently on {PLAN_NAMES[now]}
      </p>
      <fieldset className="flex flex-wrap gap-x-6">
        <legend className="font-medium">Plan</legend>
        {PLANS.map((each) => (
          <Choice key={each} name="plan" checked={plan === each} onChoose={() => setPlan(each)}>
            {PLAN_NAMES[each]}
          </Choice>
        ))}
      </fieldset>
      {plan !== 'free' && (
        <fieldset className="flex flex-wrap gap-x-6">
          <legend className="font-medium">Duration</legend>
          <Choice name="limited" checked={!limited} onChoose={() => setLimited(false)}>
            Unlimited
          </Choice>
          <Choice name="limited" checked={limited} onChoose={() => setLimited(true)}>
            Until a date
          </Choice>
        </fieldset>
      )}
      {!endless && (
        <Field
          label="Last day (UTC)"
          type="date"
          name="until"
          required
          min={earliest}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      )}
      <Field
        label="Note"
        name="note"
        placeholder="Reason (recorded under your name)"
        maxLength={MAX_NOTE_LENGTH}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </FormDialog>
  );
}

type ChoiceProps = { name: string; checked: boolean; onChoose: () => void; children: string };

function Choice({ name, checked, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-10 cursor-pointer items-center gap-2.5">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="size-4 shrink-0 accent-(--accent)"
      />
      {children}
    </label>
  );
}

export type DeleteUserProps = { user: AdminUser; onClose: () => void; onDeleted?: () => void };

const FAILED = 'Failed to delete user';

export function DeleteUserDialog({ user: { id, email }, onClose, onDeleted }: DeleteUserProps) {
  const queries = useQueryClient();

  async function remove(signal: AbortSignal): Promise<void> {
    try {
      if (!(await callWithProof(deleteUser, { params: { id: String(id) } }, signal))) return;
    } catch (error) {
      throw new Told(`${FAILED}: ${error instanceof CallError && error.told ? error.message : FAILED}`);
    }
    toast('success', `User ${email} deleted successfully`);
    for (const name of ['admin-users', 'admin-user-count', 'admin-audit'])
      void queries.invalidateQueries({ queryKey: [name] });
    onDeleted?.();
  }

  return (
    <ConfirmDialog title="Delete user" words={['Delete', 'Deleting...']} failed={FAILED} act={remove} onClose={onClose}>
      <span className="[overflow-wrap:anywhere]">
        Are you sure you want to delete user {email}? This action cannot be undone.
      </span>
    </ConfirmDialog>
  );
}

import type { NotificationPreferences, Preferences } from '#features/notifications/contract/notifications.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { SelectField, TextField } from '#ui/inputs.tsx';
import { ownZone, ZoneField, zoneWords } from '#ui/zone-field.tsx';
import { Row, Warning, WordedSwitch } from './row.tsx';
import type { OnChange } from './use-preferences.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const hourWords = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function digestWords({ digest, timeZone }: NotificationPreferences): string {
  const at = `${hourWords(digest.hour)} ${zoneWords(timeZone)}`;
  const rhythm = {
    hourly: 'every hour',
    daily: `every day at ${at}`,
    weekly: `every ${WEEKDAYS[digest.weekday - 1]} at ${at}`,
  };
  return digest.every === 'off' ? '' : rhythm[digest.every];
}

/** Equal start and end times define no hours. */
const isQuiet = ({ quietHours: { enabled, from, to } }: NotificationPreferences): boolean => enabled && from !== to;

/** Describes the current timing in plain sentences. */
export function timingWords(preferences: NotificationPreferences): string {
  const { digest, quietHours, timeZone } = preferences;
  const first =
    digest.every === 'off'
      ? 'Alerts are sent immediately.'
      : `Low and medium severity alerts are emailed as a digest ${digestWords(preferences)}. High severity and other channels are sent immediately.`;
  if (!isQuiet(preferences)) return `${first} No quiet hours.`;
  const hours = `From ${quietHours.from} to ${quietHours.to} ${zoneWords(timeZone)}`;
  const end = `waits until ${quietHours.to}`;
  return `${first} ${hours} ${quietHours.letHighThrough ? `only high severity is sent; the rest ${end}` : `nothing is sent; everything ${end}`}.`;
}

type Props = { preferences: Preferences; onChange: OnChange };
type Part = {
  value: NotificationPreferences;
  set: (change: (old: NotificationPreferences) => NotificationPreferences) => void;
};
type Digest = NotificationPreferences['digest'];
type Quiet = NotificationPreferences['quietHours'];

const RHYTHMS: readonly [Digest['every'], string][] = [
  ['off', 'No digest'],
  ['hourly', 'Hourly'],
  ['daily', 'Daily'],
  ['weekly', 'Weekly'],
];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** When notifications are sent: time zone, quiet hours and digest. */
export function TimingCard({ preferences, onChange }: Props) {
  const value = preferences.notificationPreferences;
  const set: Part['set'] = (change) =>
    onChange((old) => ({ ...old, notificationPreferences: change(old.notificationPreferences) }));
  return (
    <Card id="timing" title="Timing">
      <p className="mx-4 mb-3 rounded-ctl bg-raised px-3 py-2 text-sm">{timingWords(value)}</p>
      <div className="grid gap-4 px-4 pb-4">
        <Zone value={value} set={set} />
        <QuietHours value={value} set={set} />
        <DigestFields value={value} set={set} />
        {value.digest.every !== 'off' && !preferences.emailNotifications && (
          <Warning>Digests are sent by email, but Email is off under Channels</Warning>
        )}
      </div>
    </Card>
  );
}

function Zone({ value: { timeZone }, set }: Part) {
  const own = ownZone();
  return (
    <div>
      <ZoneField value={timeZone} onZone={(next) => set((old) => ({ ...old, timeZone: next }))} />
      {own !== timeZone && (
        <Button className="mt-2 max-sm:h-10" onClick={() => set((old) => ({ ...old, timeZone: own }))}>
          Use this browser’s zone, {zoneWords(own)}
        </Button>
      )}
    </div>
  );
}

function QuietHours({ value: { quietHours }, set }: Part) {
  const change = (next: Partial<Quiet>) => set((old) => ({ ...old, quietHours: { ...old.quietHours, ...next } }));
  const { enabled, from, to, letHighThrough } = quietHours;
  return (
    <div>
      <Row name="Quiet hours" note="Alerts are held until quiet hours end">
        <WordedSwitch label="Quiet hours" on={enabled} onChange={(on) => change({ enabled: on })} />
      </Row>
      {enabled && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <TextField label="From" type="time" value={from} onText={(next) => next && change({ from: next })} />
            <TextField label="To" type="time" value={to} onText={(next) => next && change({ to: next })} />
          </div>
          {from === to && <Warning>Start and end are the same, so quiet hours have no effect</Warning>}
          <label className="mt-1 flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={letHighThrough}
              onChange={(event) => change({ letHighThrough: event.target.checked })}
              className="size-4 shrink-0 accent-(--accent)"
            />
            Allow high severity
          </label>
        </>
      )}
    </div>
  );
}

function DigestFields({ value: { digest }, set }: Part) {
  const change = (next: Partial<Digest>) => set((old) => ({ ...old, digest: { ...old.digest, ...next } }));
  return (
    <div className="grid gap-3 border-t border-line pt-3">
      <SelectField
        label="Digest by email"
        value={digest.every}
        note="Groups low and medium severity alerts"
        onText={(every) => change({ every: every as Digest['every'] })}
      >
        {RHYTHMS.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {(digest.every === 'daily' || digest.every === 'weekly') && (
        <div className="grid grid-cols-2 gap-3">
          {digest.every === 'weekly' && (
            <SelectField
              label="Weekday"
              value={String(digest.weekday)}
              onText={(weekday) => change({ weekday: Number(weekday) })}
            >
              {WEEKDAYS.map((name, i) => (
                <option key={name} value={i + 1}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
          <SelectField label="Hour" value={String(digest.hour)} onText={(hour) => change({ hour: Number(hour) })}>
            {HOURS.map((hour) => (
              <option key={hour} value={hour}>
                {hourWords(hour)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </div>
  );
}

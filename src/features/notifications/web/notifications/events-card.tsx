import { EVENT_WINDOWS, type Preferences } from '#features/notifications/contract/notifications.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import type { Ways } from './channels-card.tsx';
import { isOn } from './labels.ts';
import { Row, Warning, WordedSwitch } from './row.tsx';
import type { OnChange } from './use-preferences.ts';

type Props = { preferences: Preferences; onChange: OnChange; ways: Ways };

const IMPACTS: readonly { id: Preferences['eventImpactFilter']; name: string; note: string }[] = [
  { id: 'all', name: 'All events', note: 'including low impact, such as monthly expiries' },
  { id: 'high_medium', name: 'High and medium impact', note: 'with PPI, FOMC minutes and GDP too' },
  { id: 'high', name: 'High impact only', note: 'such as FOMC, CPI, Bitcoin halving' },
];

const toggled = <T extends string | number>(list: readonly T[], item: T, on: boolean): T[] =>
  on ? [...new Set([...list, item])] : list.filter((each) => each !== item);

export function EventsCard(props: Props) {
  const { preferences, onChange } = props;
  const on = preferences.eventNotifications;
  return (
    <Card id="event-notifications" title="Event Notifications">
      <div className="px-4 pb-4">
        <Row name="Reminders" note="Ahead of calendar events" line={false}>
          <WordedSwitch
            label="Event notifications"
            on={on}
            onChange={(next) => onChange((old) => ({ ...old, eventNotifications: next }))}
          />
        </Row>
        {on && (
          <div className="grid gap-5 border-t border-line pt-3">
            <Windows {...props} />
            <Channels {...props} />
            <Impact {...props} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Windows({ preferences: { eventNotificationWindows: windows }, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Notify me before</legend>
      <div className="flex flex-wrap gap-1.5">
        {EVENT_WINDOWS.map((days) => (
          <label
            key={days}
            className="day-box relative grid h-10 cursor-pointer place-items-center rounded-ctl border border-line-strong px-2 text-sm font-medium"
          >
            <input
              type="checkbox"
              checked={windows.includes(days)}
              onChange={({ target: { checked } }) =>
                onChange((old) => ({
                  ...old,
                  eventNotificationWindows: toggled(old.eventNotificationWindows, days, checked).toSorted(
                    (a, b) => a - b,
                  ),
                }))
              }
              className="absolute inset-0 cursor-pointer appearance-none"
            />
            {days === 1 ? '1 day' : `${days} days`}
          </label>
        ))}
      </div>
      {windows.length === 0 && <Warning>Please select at least one notification window</Warning>}
    </fieldset>
  );
}

function Channels({ preferences, onChange, ways }: Props) {
  const chosen = preferences.eventNotificationChannels;
  const set = (id: (typeof chosen)[number], on: boolean) =>
    onChange((old) => {
      const next = toggled(old.eventNotificationChannels, id, on);
      return {
        ...old,
        eventNotificationChannels: ways.map((way) => way.id).filter((each) => next.includes(each)),
      };
    });
  return (
    <fieldset>
      <legend className="text-sm font-medium">Channels</legend>
      {ways.map(({ id, name }) => {
        const off = !isOn(preferences, id);
        return (
          <label
            key={id}
            className={cx('flex min-h-10 items-center gap-2.5 text-sm', off ? 'text-ink-3' : 'cursor-pointer')}
          >
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              disabled={off}
              onChange={(event) => set(id, event.target.checked)}
              className="size-4 shrink-0 accent-(--accent)"
            />
            {name}
            {off && <span className="label">Turn on {name} under Channels first</span>}
          </label>
        );
      })}
      {chosen.length === 0 && <Warning>Please select at least one notification channel</Warning>}
      {chosen.length > 0 && !chosen.some((id) => isOn(preferences, id)) && (
        <Warning>Every channel selected here is off, so no reminders are sent</Warning>
      )}
    </fieldset>
  );
}

function Impact({ preferences: { eventImpactFilter }, onChange }: Props) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">Events</legend>
      {IMPACTS.map(({ id, name, note }) => (
        <label key={id} className="flex min-h-10 cursor-pointer items-center gap-2.5 text-sm">
          <input
            type="radio"
            name="impact"
            checked={eventImpactFilter === id}
            onChange={() => onChange((old) => ({ ...old, eventImpactFilter: id }))}
            className="size-4 shrink-0 accent-(--accent)"
          />
          <span>
            {name} <span className="label">{note}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

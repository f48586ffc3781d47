import type { ComponentType } from 'react';
import type { EventChannel, Preferences } from '#features/notifications/contract/notifications.ts';
import { Card } from '#ui/card.tsx';
import { MASTERS } from './labels.ts';
import { Row, WordedSwitch } from './row.tsx';
import type { OnChange } from './use-preferences.ts';

export type PushControl = ComponentType<{ isOn: boolean; disabled?: boolean; onChange: (on: boolean) => void }>;

/** The channels with their switches, as named in the profile. */
export type Ways = readonly { id: EventChannel; name: string; note: string }[];

type Props = {
  preferences: Preferences;
  onChange: OnChange;
  ways: Ways;
  /** Also enables push in this browser; without it the plain switch is shown. */
  push?: PushControl | undefined;
};

export function ChannelsCard({ preferences, onChange, ways, push: Push }: Props) {
  return (
    <Card id="channels" title="Channels">
      <p className="label px-4 pb-2">Nothing is sent through a channel that is off. Account email is always sent.</p>
      {ways.map(({ id, name, note }) => {
        const isOn = preferences[MASTERS[id]];
        const set = (on: boolean) => onChange((old) => ({ ...old, [MASTERS[id]]: on }));
        return (
          <div key={id} className="border-t border-line">
            {id === 'push' && Push ? (
              <Push isOn={isOn} onChange={set} />
            ) : (
              <div className="px-4">
                <Row name={name} note={note} line={false}>
                  <WordedSwitch label={`${name} notifications`} on={isOn} onChange={set} />
                </Row>
              </div>
            )}
          </div>
        );
      })}
    </Card>
  );
}

import type { ReactNode } from 'react';

import { Card } from '#web/ui/card.tsx';

import type { EventChannel, Preferences } from '../contract.ts';
import { Row, WordedSwitch } from './row.tsx';
import type { OnChange } from './use-preferences.ts';
import { MASTERS } from './words.ts';

export type PushControl = (props: { isOn: boolean; disabled?: boolean; onChange: (on: boolean) => void }) => ReactNode;

/** The channels with their switch, as the profile names them. */
export type Ways = readonly { id: EventChannel; name: string; note: string }[];

type Props = {
  preferences: Preferences;
  onChange: OnChange;
  ways: Ways;
  /** Switches push on in this browser too; without it there is the plain switch. */
  push?: PushControl | undefined;
  /** Connects the chat. */
  telegram?: ReactNode;
};

export function ChannelsCard({ preferences, onChange, ways, push: Push, telegram }: Props) {
  return (
    <Card id="channels" title="Channels">
      <p className="label px-4 pb-2">A channel that is off carries nothing. Mail about your account is always sent.</p>
      <div className="px-4 pb-2">
        {ways.map(({ id, name, note }) => {
          const isOn = preferences[MASTERS[id]];
          const set = (on: boolean) => onChange((old) => ({ ...old, [MASTERS[id]]: on }));
          return (
            <div key={id}>
              {id === 'push' && Push ? (
                <div className="border-t border-line py-1.5">{Push({ isOn, onChange: set })}</div>
              ) : (
                <Row name={name} note={note}>
                  <WordedSwitch label={`${name} notifications`} on={isOn} onChange={set} />
                </Row>
              )}
              {id === 'telegram' && telegram && <div className="pb-2">{telegram}</div>}
            </div>
          );
        })}
      </div>
    </Card>
  );
}

import {
  CATEGORIES,
  type Category,
  CHANNELS,
  type ChannelName,
  type Preferences,
} from '#features/notifications/contract/notifications.ts';
import { Card } from '#ui/card.tsx';
import { CATEGORY_WORDS, CHANNEL_WORDS, isOn, listed } from './labels.ts';
import type { OnChange } from './use-preferences.ts';

type Props = { preferences: Preferences; onChange: OnChange; hasWebhooks: boolean };

/** Enabled channels keep the order of the API. */
const withChannel = (old: Preferences, category: Category, channel: ChannelName, on: boolean): Preferences => {
  const { categories } = old.notificationPreferences;
  const chosen = CHANNELS.filter((each) => (each === channel ? on : categories[category].includes(each)));
  return {
    ...old,
    notificationPreferences: { ...old.notificationPreferences, categories: { ...categories, [category]: chosen } },
  };
};

/** Which categories use which channel. */
export function ReachCard({ preferences, onChange, hasWebhooks }: Props) {
  const { categories } = preferences.notificationPreferences;
  const channels = CHANNELS.filter((channel) => hasWebhooks || channel !== 'webhook');
  const off = channels.filter((channel) => !isOn(preferences, channel)).map((channel) => CHANNEL_WORDS[channel]);
  return (
    <Card id="reach" title="What You Receive, and Where">
      <table className="mx-4 mb-2 text-sm">
        <thead>
          <tr>
            <th scope="col" className="text-left">
              <span className="sr-only">What</span>
            </th>
            {channels.map((channel) => (
              <th key={channel} scope="col" className="label w-14 pb-1 text-center font-medium">
                {CHANNEL_WORDS[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {CATEGORIES.map((category) => {
            const [name, note] = CATEGORY_WORDS[category];
            return (
              <tr key={category} className="border-t border-line">
                <th scope="row" className="py-2 pr-2 text-left font-medium">
                  {name}
                  <span className="label block font-normal">{note}</span>
                </th>
                {channels.map((channel) => {
                  const disabled = !isOn(preferences, channel);
                  return (
                    <td key={channel} className="p-0 text-center">
                      <label className="mx-auto grid h-10 w-11 cursor-pointer place-items-center">
                        <input
                          type="checkbox"
                          aria-label={`${name} by ${CHANNEL_WORDS[channel]}`}
                          checked={categories[category].includes(channel)}
                          disabled={disabled}
                          onChange={(event) => {
                            const { checked } = event.target;
                            onChange((old) => withChannel(old, category, channel, checked));
                          }}
                          className="size-4 accent-(--accent)"
                        />
                      </label>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {off.length > 0 && (
        <p className="label px-4 pb-3">
          {listed(off)} {off.length === 1 ? 'is' : 'are'} off under Channels: selections are saved but nothing is sent.
        </p>
      )}
      <p className="label px-4 pb-4">The app always shows every alert.</p>
    </Card>
  );
}

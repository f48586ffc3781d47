import { useQuery } from '@tanstack/react-query';

import { useToken } from '#web/session.ts';
import { Card } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/query-view.tsx';

import { settingsQuery } from './queries.ts';
import { SettingRow } from './setting-row.tsx';

const CARD = { id: 'settings-tab', title: 'Settings', className: 'min-h-96' };

/** What administrators may change while the product runs. */
export function SettingsTab() {
  const query = useQuery(settingsQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {({ settings }) => (
        <Card {...CARD}>
          <p className="px-4 pb-3 text-sm text-ink-2">
            A change holds in every process within a second and stands above the configuration, until it is set back to
            the default.
          </p>
          <ul className="border-t border-line">
            {settings.map((setting) => (
              <SettingRow key={setting.key} setting={setting} />
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  );
}

import { Download } from 'lucide-react';
import { useId, useState } from 'react';

import { saveFile } from '#web/api/file.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { toast } from '#web/ui/toast.ts';

import { TYPE_NAMES } from '../names.ts';
import type { Asked } from './queries.ts';

const SUCCESS_MS = 15_000;
const LOCKED = 'Export requires Pro+ subscription';
const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['xlsx', 'Excel'],
  ['html', 'Printable report'],
] as const;
type Format = (typeof FORMATS)[number][0];

const fileName = ({ type, symbol }: Asked, format: Format, day: string): string =>
  `meridian-history-${[type, symbol, day].filter(Boolean).join('-').toLowerCase().replaceAll('_', '-')}.${format}`;

const pathOf = ({ type, symbol, from, to }: Asked, format: Format): string => {
  const asked = Object.entries({ format, symbol, from, to }).filter((entry): entry is [string, string] => !!entry[1]);
  return `/api/history/${type}/file?${new URLSearchParams(asked).toString()}`;
};

/** Saves the whole range that is shown, in one of four forms. */
export function ExportMenu({ asked, allowed }: { asked: Asked; allowed: boolean }) {
  const id = useId();
  const [busy, setBusy] = useState(false);

  const save = async (format: Format, name: string) => {
    if (busy) return;
    setBusy(true);
    try {
      await saveFile(pathOf(asked, format), fileName(asked, format, new Date().toISOString().slice(0, 10)));
      toast('success', `${TYPE_NAMES[asked.type]} exported as ${name}`, SUCCESS_MS);
    } catch (error) {
      toast('error', `Export failed: ${error instanceof Error ? error.message : 'Please try again.'}`);
    }
    setBusy(false);
  };

  if (!allowed)
    return (
      <span title={LOCKED}>
        <Button disabled aria-describedby={id} className="disabled:opacity-60">
          <Download className="size-3.5" aria-hidden="true" />
          Export
        </Button>
        <span id={id} className="sr-only">
          {LOCKED}
        </span>
      </span>
    );
  return (
    <Menu
      label="Export as"
      renderOpener={(props) => (
        <Button {...props} aria-busy={busy}>
          <Download className="size-3.5" aria-hidden="true" />
          {busy ? 'Exporting …' : 'Export'}
        </Button>
      )}
    >
      {FORMATS.map(([format, name]) => (
        <MenuItem key={format} disabled={busy} onSelect={() => void save(format, name)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

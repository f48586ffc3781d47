import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';

import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';

import { REPORT_FORMATS, type ReportFormat, saveReport } from './report.ts';
import type { View } from './view.ts';

const NAMES: Readonly<Record<ReportFormat, string>> = { pdf: 'PDF report', csv: 'CSV', json: 'JSON' };

/** The report of what the page shows, as a file. */
export function ExportMenu({ view }: { view: View }) {
  const [busy, setBusy] = useState(false);
  const save = async (format: ReportFormat) => {
    setBusy(true);
    await saveReport(view, format);
    setBusy(false);
  };
  return (
    <Menu
      label="Export Report"
      renderOpener={(props) => (
        <Button {...props} disabled={busy} className="disabled:opacity-60 max-sm:h-11!">
          <Download className="size-3.5" aria-hidden="true" />
          {busy ? 'Exporting\u2026' : 'Export Report'}
          <ChevronDown className="size-3.5 text-ink-3" aria-hidden="true" />
        </Button>
      )}
    >
      {REPORT_FORMATS.map((format) => (
        <MenuItem key={format} onSelect={() => void save(format)}>
          {NAMES[format]}
        </MenuItem>
      ))}
    </Menu>
  );
}

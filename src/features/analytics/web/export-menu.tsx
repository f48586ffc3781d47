import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import { exportAnalytics } from '#features/analytics/contract.ts';
import { downloadBlob, requestFile, responseFileName } from '#ui/api/file.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import type { View } from './view.ts';

const REPORT_FORMATS = ['pdf', 'csv', 'json'] as const;
type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A failure is only logged, as specified: the button is enabled again. */
async function saveReport({ timeframe, asset, chartType }: View, format: ReportFormat): Promise<void> {
  try {
    const body = { timeframe, asset, chartType, format };
    const answer = await requestFile(exportAnalytics.path, { body });
    downloadBlob(await answer.blob(), responseFileName(answer) ?? `meridian-analytics-${asset}-${timeframe}.${format}`);
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification wants it logged and not shown
    console.warn('Analytics: the report could not be made', error);
  }
}

const NAMES: Readonly<Record<ReportFormat, string>> = { pdf: 'PDF report', csv: 'CSV', json: 'JSON' };

/** Downloads the displayed data as a report. */
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

import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { exportSettings, type ImportReply } from '#features/exports/contract/settings-files.ts';
import type { Plan } from '#shared/contract.ts';
import { saveFile } from '#ui/api/file.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { type ChosenFile, changeWords, readChosen, SettingsPreview } from './settings-preview.tsx';

type Props = { plan: Plan };
type Stage =
  | { at: 'start' }
  /** `n` counts the chosen files: each has its own preview. */
  | { at: 'chosen'; n: number; file: ChosenFile }
  | { at: 'done'; reply: ImportReply };

/** Exports custom alerts and notification settings as one file, or imports one after a preview of the changes. */
export function SettingsCard({ plan }: Props) {
  const hasRules = plan !== 'free';
  const what = hasRules ? 'custom alerts and notification settings' : 'notification settings';
  const [stage, go] = useState<Stage>({ at: 'start' });
  const count = useRef(0);
  const picker = useRef<HTMLInputElement>(null);
  const download = useSubmit('Failed to download your settings. Please try again.', (signal) =>
    saveFile(exportSettings.path, `meridian-settings-${new Date().toISOString().slice(0, 10)}.json`, signal),
  );
  const choose = useSubmit('Couldn’t read this file', async (_signal, chosen: File) => {
    go({ at: 'start' });
    const file = await readChosen(chosen);
    count.current += 1;
    go({ at: 'chosen', n: count.current, file });
  });
  return (
    <Card id="settings-file" title="Settings File">
      <div className="grid gap-3 px-4 pb-4">
        <p className="text-sm text-ink-2">
          Download your {what} as a JSON file, or restore them from one. You can review the changes first.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button className="max-sm:h-10" disabled={download.busy} onClick={() => void download.submit()}>
            <Download className="size-3.5" aria-hidden="true" />
            {download.busy ? 'Downloading…' : 'Download settings'}
          </Button>
          <Button className="max-sm:h-10" disabled={choose.busy} onClick={() => picker.current?.click()}>
            Choose a file…
          </Button>
          <input
            ref={picker}
            type="file"
            accept=".json,application/json"
            aria-label="Settings file"
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              const [chosen] = event.target.files ?? [];
              // Allows choosing the same file again after fixing it.
              event.target.value = '';
              if (chosen) void choose.submit(chosen);
            }}
          />
        </div>
        <FormError failure={download.failure} />
        <FormError failure={choose.failure} />
        {stage.at === 'chosen' && (
          <SettingsPreview
            key={stage.n}
            n={stage.n}
            file={stage.file}
            canHaveRules={hasRules}
            onDone={(reply) => go({ at: 'done', reply })}
            onCancel={() => go({ at: 'start' })}
          />
        )}
        {stage.at === 'done' && (
          <output className="block rounded-ctl bg-raised px-3 py-2 text-sm">
            <span className="font-medium">Your settings were imported.</span> {changeWords(stage.reply)}
          </output>
        )}
      </div>
    </Card>
  );
}

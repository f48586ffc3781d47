import { Download } from 'lucide-react';

import { BRAND } from '#shared/brand.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { PRIMARY } from '#ui/form.tsx';

type Props = { codes: readonly string[]; onDone: () => void };

function download(codes: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${BRAND.name.toLowerCase()}-backup-codes.txt`;
  link.click();
  URL.revokeObjectURL(url);
}

/** The ten codes, shown only once. */
export function BackupCodes({ codes, onDone }: Props) {
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-ink-2">
        Each code works once in place of an app code. Store them somewhere you can reach without your phone; they will
        not be shown again.
      </p>
      <ul className="num grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-ctl bg-raised px-4 py-3 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} what="Backup codes" />
        <Button onClick={() => download(codes)}>
          <Download className="size-3.5" aria-hidden="true" />
          Download
        </Button>
      </div>
      <button type="button" onClick={onDone} className={PRIMARY}>
        I have saved the codes
      </button>
    </div>
  );
}

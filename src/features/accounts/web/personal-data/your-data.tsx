import { Download } from 'lucide-react';
import { downloadPersonalData } from '#features/accounts/contract/personal-data.ts';
import { saveFile } from '#ui/api/file.ts';
import { withProof } from '#ui/api/proof.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';

/** Download of everything stored about the user. */
export function YourData() {
  const { busy, failure, submit } = useSubmit('Failed to download your data. Please try again.', (signal) =>
    withProof(() =>
      saveFile(downloadPersonalData.path, `meridian-my-data-${new Date().toISOString().slice(0, 10)}.json`, signal),
    ),
  );
  return (
    <Card id="your-data" title="Your Data">
      <div className="grid gap-3 px-4 pt-1 pb-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-[60ch] text-sm text-ink-2">
            Everything we store about you and your account in one JSON file: sign-ins, alerts, deliveries, payments and
            messages. Secrets are excluded and listed in the file.
          </p>
          <Button className="h-11 sm:h-10" disabled={busy} onClick={() => void submit()}>
            <Download className="size-3.5" aria-hidden="true" />
            {busy ? 'Downloading…' : 'Download my data'}
          </Button>
        </div>
        <FormError failure={failure} />
      </div>
    </Card>
  );
}

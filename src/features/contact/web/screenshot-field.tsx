import { useRef } from 'react';
import { NO_IMAGE, SCREENSHOT_BYTES, SCREENSHOT_TYPES, TOO_LARGE } from '#features/contact/contract.ts';
import { Button } from '#ui/button.tsx';
import { Labelled } from '#ui/inputs.tsx';

const TYPES: readonly string[] = SCREENSHOT_TYPES;

/** Client-side checks of a screenshot; the server validates the rest. */
export function screenshotProblem({ type, size }: File): string | null {
  if (!TYPES.includes(type)) return NO_IMAGE;
  return size > SCREENSHOT_BYTES ? TOO_LARGE : null;
}

const sizeText = (bytes: number) =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`;

type Props = { file: File | null; problem: string | null; onChange: (file: File | null) => void };

/** Optional screenshot. */
export function ScreenshotField({ file, problem, onChange }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <Labelled
      label="Screenshot (optional)"
      problem={problem}
      note={file ? `${file.name}, ${sizeText(file.size)}` : 'JPEG, PNG, GIF or WebP, up to 5 MB'}
    >
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <Button className="max-sm:h-10" onClick={() => picker.current?.click()}>
            {file ? 'Choose another…' : 'Attach a screenshot…'}
          </Button>
          {file && (
            <Button className="max-sm:h-10" onClick={() => onChange(null)}>
              Remove
            </Button>
          )}
          <input
            {...control}
            ref={picker}
            type="file"
            name="screenshot"
            accept={SCREENSHOT_TYPES.join(',')}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              const [chosen] = event.target.files ?? [];
              event.target.value = '';
              if (chosen) onChange(chosen);
            }}
          />
        </div>
      )}
    </Labelled>
  );
}

import { useId, useRef } from 'react';

import { Button } from '#web/ui/button.tsx';

type Props = {
  logo: string | null;
  problem: string | null;
  onChoose: (file: File | undefined) => void;
  onRemove: () => void;
};

export function LogoField({ logo, problem, onChoose, onRemove }: Props) {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div>
      <p className="mb-1 text-sm font-medium">Logo</p>
      <div className="relative flex flex-wrap gap-2">
        <Button className="max-sm:h-10" onClick={() => picker.current?.click()}>
          {logo ? 'Choose another logo…' : 'Choose a logo…'}
        </Button>
        {logo && (
          <Button className="max-sm:h-10" onClick={onRemove}>
            Remove Logo
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          aria-label="Logo"
          aria-describedby={id}
          accept="image/png,image/jpeg"
          tabIndex={-1}
          onChange={(event) => {
            onChoose(event.target.files?.[0]);
            // The same file, once it was mended, is chosen anew.
            event.target.value = '';
          }}
          className="sr-only"
        />
      </div>
      <p
        id={id}
        role={problem ? 'alert' : undefined}
        className={problem ? 'mt-1 text-sm font-medium text-down' : 'label mt-1'}
      >
        {problem ?? 'PNG or JPEG, at most 150 kB'}
      </p>
    </div>
  );
}

import { AlertCircle, RotateCw } from 'lucide-react';

import { Button } from './button.tsx';

export function ErrorState({
  message,
  detail,
  onRetry,
}: {
  message: string;
  detail?: string | undefined;
  onRetry: () => void;
}) {
  return (
    <div role="alert" className="grid flex-1 place-items-center px-4 py-8 text-center">
      <div>
        <AlertCircle className="mx-auto mb-2 size-5 text-down" aria-hidden="true" />
        <p className="font-medium">{message}</p>
        {detail && <p className="mt-1 text-sm text-ink-3">{detail}</p>}
        <Button className="mt-3" onClick={onRetry}>
          <RotateCw className="size-3.5" aria-hidden="true" />
          Retry
        </Button>
      </div>
    </div>
  );
}

export function Empty({ title, note }: { title: string; note?: string }) {
  return (
    <div className="grid flex-1 place-items-center px-4 py-10 text-center">
      <div>
        <p className="font-medium">{title}</p>
        {note && <p className="mt-1 text-sm text-ink-3">{note}</p>}
      </div>
    </div>
  );
}

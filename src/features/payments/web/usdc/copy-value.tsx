import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { toast } from '#ui/toast.ts';

const CONFIRM_MS = 2000;

type Props = { name: string; value: string; unit?: string; large?: boolean };

/** A value to be copied exactly. Its button confirms the copy for two seconds. */
export function CopyValue({ name, value, unit, large = false }: Props) {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return undefined;
    const timer = setTimeout(() => setCopied(0), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(Date.now());
    } catch {
      toast('error', 'Your browser blocked copying. Select the text instead.');
    }
  }
  const Icon = copied > 0 ? Check : Copy;
  return (
    <div className="border-t border-line py-2 first:border-t-0">
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd className="flex items-center justify-between gap-3">
        <span
          className={cx(
            'num min-w-0 break-all',
            large ? 'text-xl font-semibold tracking-[-0.02em]' : 'text-sm font-medium',
          )}
        >
          {value}
          {unit && ` ${unit}`}
        </span>
        <Button
          className="max-sm:h-10"
          onClick={() => void copy()}
          aria-label={`${copied > 0 ? 'Copied' : 'Copy'}: ${name}`}
        >
          <Icon className="size-3.5" aria-hidden="true" />
          {copied > 0 ? 'Copied' : 'Copy'}
        </Button>
      </dd>
    </div>
  );
}

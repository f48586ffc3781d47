import { Copy } from 'lucide-react';

import { Button } from './button.tsx';
import { toast } from './toast.ts';

type Props = {
  text: string;
  /** Its name in the message. */
  what: string;
  /** Distinguishes several buttons on one page. */
  label?: string;
  children?: string;
};

/** Copies `text`. */
export function CopyButton({ text, what, label, children = 'Copy' }: Props) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toast('success', `${what} copied to clipboard!`);
    } catch {
      toast('error', 'Your browser blocked copying. Select the text instead.');
    }
  }
  return (
    <Button aria-label={label} onClick={() => void copy()}>
      <Copy className="size-3.5" aria-hidden="true" />
      {children}
    </Button>
  );
}

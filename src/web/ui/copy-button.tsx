import { Copy } from 'lucide-react';

import { Button } from './button.tsx';
import { toast } from './toast.ts';

/** Copies `text`; `what` names it in the message. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toast('success', `${what} copied to clipboard!`);
    } catch {
      toast('error', 'The browser does not allow copying here. Please select the text instead.');
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Copy className="size-3.5" aria-hidden="true" />
      Copy
    </Button>
  );
}

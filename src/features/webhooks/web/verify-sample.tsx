import { CODE, CodeBlock } from '#web/ui/code-block.tsx';

import { VERIFY_SAMPLE } from './sample.ts';

/** What a server does with a call. */
export function VerifySample() {
  return (
    <details className="mt-auto border-t border-line text-sm">
      <summary className="cursor-pointer px-4 py-3 font-medium min-h-11">How to verify the signature</summary>
      <div className="grid gap-3 px-4 pb-4 text-ink-2">
        <p className="max-w-[68ch]">
          Each call in our own format carries <code className={CODE}>Meridian-Signature: t=…,v1=…</code>, the
          HMAC-SHA256 of time and body with your secret. After a new secret there are two{' '}
          <code className={CODE}>v1</code> for a day: one that fits is enough. A call that is tried again has the same{' '}
          <code className={CODE}>Meridian-Delivery</code>.
        </p>
        <CodeBlock
          head={<span className="label">Node</span>}
          label="Sample in Node"
          text={VERIFY_SAMPLE}
          what="Sample"
        />
        <p className="max-w-[68ch]">
          Answer with 2xx within 10 seconds. 429 and 5xx are tried again, with respect to Retry-After; 410 switches the
          webhook off; other answers count as failures. Redirects are not followed. After 50 failures in a row over
          three days the webhook is switched off and you get a mail.
        </p>
      </div>
    </details>
  );
}

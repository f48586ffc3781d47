import { useLayoutEffect, useRef } from 'react';

import { cx } from './cx.ts';
import { quietHtml } from './quiet-html.ts';

/** A mail as it looks, in a frame without scripts. */
export function MailFrame({ subject, html, className }: { subject: string; html: string; className: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // React would set the attribute to a string, which the content security policy refuses.
  useLayoutEffect(() => {
    if (frame.current) frame.current.srcdoc = quietHtml(html);
  }, [html]);
  return (
    <iframe
      ref={frame}
      title={`Email: ${subject}`}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      className={cx('w-full rounded-ctl border border-line bg-white', className)}
    />
  );
}

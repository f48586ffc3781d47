import { useLayoutEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { trusted } from './trusted.ts';

/** Elements that run, load or navigate. The frame forbids all of it as well; removing them avoids console errors. */
const LOUD = 'script, style, link, meta, base, iframe, object, embed, form, img:not([src^="data:"])';

/** The HTML of an email for a frame without scripts; its links open in a new tab. */
export function quietHtml(html: string): string {
  // Even a parsed document reports styles that the content policy forbids: the trusted types policy removes them first.
  const page = new DOMParser().parseFromString(trusted.createHTML(html), 'text/html');
  for (const element of page.querySelectorAll(LOUD)) element.remove();
  for (const element of page.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) if (name.startsWith('on')) element.removeAttribute(name);
  for (const link of page.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  return trusted.createHTML(`<!doctype html>${page.documentElement.outerHTML}`);
}

/** A rendered email, in a frame without scripts. */
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

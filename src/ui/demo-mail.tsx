/** Demo mode sends nothing: the email can be read here. */
export function DemoMail({ href }: { href: string | undefined }) {
  if (!href) return null;
  return (
    <p className="rounded-ctl border border-warn/40 bg-warn/10 px-3 py-2 text-sm">
      Demo mode sends no email.{' '}
      <a href={href} target="_blank" rel="noopener" className="font-medium text-accent underline underline-offset-2">
        Open the demo email
      </a>
    </p>
  );
}

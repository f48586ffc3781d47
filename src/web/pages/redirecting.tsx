type Props = { to: string; seconds: number; left: number };

/** Read out once, counted for the eye. */
export function Redirecting({ to, seconds, left }: Props) {
  return (
    <p className="text-center text-sm text-ink-3">
      <output className="sr-only">{`You are taken to ${to} in ${seconds} seconds.`}</output>
      <span aria-hidden="true" className="num">{`Redirecting to ${to} in ${left} s`}</span>
    </p>
  );
}

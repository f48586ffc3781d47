/** Host of the page statistics that this installation loads; null where there are none, undefined while it is not known. */
export type Statistics = string | null | undefined;

export function VisitorStatistics({ statistics }: { statistics: Statistics }) {
  if (statistics === null)
    return (
      <p>There are no cookies, no advertising, no trackers and no analytics. Your browser talks to this site alone.</p>
    );
  const none = 'There are no cookies of ours and no advertising.';
  if (statistics === undefined)
    return <p>{none} If this installation counts visits with the help of another service, its name is said here.</p>;
  return (
    <p>
      {none} This installation counts visits with a script of <strong>{statistics}</strong>, which the pages load that
      anyone can open. Pages that links of our mails open do not load it, nor does your profile when it is opened by its
      address. Your browser then talks to {statistics} too, which learns your network address, the page you opened and
      what your browser says about itself. What it does with that, {statistics} has to say. A browser that blocks it
      misses nothing.
    </p>
  );
}

export function ForeignScripts({ statistics }: { statistics: Statistics }) {
  if (statistics === null)
    return 'We load no script of anybody else. Should an operator ever switch on page statistics, this policy names them.';
  if (statistics === undefined) return 'We load no script of anybody else that this policy does not name.';
  return `We load no script of anybody else but that of ${statistics}, which counts visits.`;
}

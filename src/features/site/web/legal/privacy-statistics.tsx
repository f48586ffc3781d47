/** Host of the page statistics that this installation loads; null where there are none, undefined while it is not known. */
export type Statistics = string | null | undefined;

export function VisitorStatistics({ statistics }: { statistics: Statistics }) {
  if (statistics === null)
    return (
      <p>There are no cookies, no advertising, no trackers and no analytics. Your browser talks to this site alone.</p>
    );
  const none = 'There are no cookies of ours and no advertising.';
  if (statistics === undefined)
    return <p>{none} If this installation counts visits with another service, it is named here.</p>;
  return (
    <p>
      {none} This installation counts visits with a script of <strong>{statistics}</strong>, which the pages load that
      anyone can open. Pages opened from links in our emails do not load it, nor does your profile when opened by its
      address. Your browser then talks to {statistics} too, which learns your network address, the page you opened and
      what your browser says about itself. What it does with that, {statistics} has to say. Blocking it has no
      disadvantage.
    </p>
  );
}

export function ForeignScripts({ statistics }: { statistics: Statistics }) {
  if (statistics === null)
    return 'We load no third-party scripts. If an operator switches on page statistics, this policy names them.';
  if (statistics === undefined) return 'We load no third-party scripts that this policy does not name.';
  return `We load no third-party script but that of ${statistics}, which counts visits.`;
}

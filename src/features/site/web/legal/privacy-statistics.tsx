/** Host of this installation's analytics script; null without one, undefined while unknown. */
export type Statistics = string | null | undefined;

export function VisitorStatistics({ statistics }: { statistics: Statistics }) {
  if (statistics === null)
    return (
      <p>
        There are no cookies, no advertising, no trackers and no analytics. Your browser connects to this site only.
      </p>
    );
  const none = 'We set no cookies and show no advertising.';
  if (statistics === undefined) return <p>{none} If this installation uses an analytics service, it is named here.</p>;
  return (
    <p>
      {none} This installation counts visits with a script from <strong>{statistics}</strong>, loaded on public pages.
      Pages opened from links in our emails do not load it, nor does your profile when opened by its URL. Your browser
      then also connects to {statistics}, which receives your IP address, the page you opened and your browser’s
      identification. See the privacy policy of {statistics} for how it uses them. You can block the script without any
      disadvantage.
    </p>
  );
}

export function ForeignScripts({ statistics }: { statistics: Statistics }) {
  if (statistics === null)
    return 'We load no third-party scripts. If an operator enables page statistics, this policy names the service.';
  if (statistics === undefined) return 'We load no third-party scripts that this policy does not name.';
  return `The only third-party script we load is that of ${statistics}, which counts visits.`;
}

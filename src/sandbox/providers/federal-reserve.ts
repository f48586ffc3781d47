import { longDate, type Meeting, meetingsOf, monthName } from '#sandbox/market/calendar.ts';
import { DAY, HOUR } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { type Item, page, rss } from './rss.ts';

const HOST = 'https://www.federalreserve.gov';

function row({ month, date, hasProjections, at }: Meeting, now: number): string {
  const first = new Date(at.getTime() - DAY);
  const spansMonths = first.getUTCMonth() !== month;
  const name = spansMonths ? `${monthName(month - 1)}/${monthName(month)}` : monthName(month);
  const materials =
    at.getTime() <= now
      ? `<div><strong>Statement:</strong><br><a href="/x.pdf">PDF</a> | <a href="/x.htm">HTML</a></div><div>Minutes: <a href="/m.pdf">PDF</a> (Released ${longDate(at.getTime() + 21 * DAY)})</div>`
      : '';
  return `<div class="row fomc-meeting"><div class="fomc-meeting__month"><strong>${name}</strong></div>
<div class="fomc-meeting__date">${first.getUTCDate()}-${date}${hasProjections ? '*' : ''}</div>${materials}</div>`;
}

function calendar(now: number): string {
  const year = new Date(now).getUTCFullYear();
  const panels = [year, year + 1, year - 1].map(
    (of) => `<div class="panel"><h4><a id="1">${of} FOMC Meetings</a></h4>
${meetingsOf(of)
  .map((meeting) => row(meeting, now))
  .join('\n')}
<p>* Meeting associated with a Summary of Economic Projections.</p></div>`,
  );
  return `<!DOCTYPE html>\n<html><head><title>Meeting calendars</title><script>var y = "2026";</script></head><body>\n${panels.join('\n')}\n</body></html>\n`;
}

function press(now: number): string {
  const year = new Date(now).getUTCFullYear();
  const meetings = [...meetingsOf(year - 1), ...meetingsOf(year)];
  const meetingItems = meetings.flatMap(({ at }): Item[] => {
    const day = at.toISOString().slice(0, 10).replaceAll('-', '');
    const monetary = { category: 'Monetary Policy' };
    return [
      {
        ...monetary,
        title: 'Federal Reserve issues FOMC statement',
        link: `${HOST}/newsevents/pressreleases/monetary${day}a.htm`,
        description: 'Federal Reserve issues FOMC statement',
        at: at.getTime(),
      },
      {
        ...monetary,
        title: `Minutes of the Federal Open Market Committee, ${longDate(at.getTime())}`,
        link: `${HOST}/newsevents/pressreleases/monetary${day}b.htm`,
        description: `Minutes of the Federal Open Market Committee, ${longDate(at.getTime())}`,
        at: at.getTime() + 21 * DAY,
      },
    ];
  });
  const week = Math.floor(now / (7 * DAY));
  const weekly = Array.from({ length: 8 }, (_, i): Item => {
    const at = (week - i) * 7 * DAY + 4 * DAY + 20 * HOUR;
    return {
      title: 'Federal Reserve Board announces approval of application by Riverside Bancshares & Co.',
      link: `${HOST}/newsevents/pressreleases/orders${week - i}a.htm`,
      description: 'The Board has approved the application.',
      category: 'Orders on Banking Applications',
      at,
    };
  });
  const items = [...meetingItems, ...weekly].filter(({ at }) => at <= now).toSorted((a, b) => b.at - a.at);
  return rss('FRB: Press Release - All Releases', items.slice(0, 20), true);
}

export function federalReserve(): Provider {
  return {
    id: 'federal-reserve',
    base: '/federal-reserve',
    env: { FEDERAL_RESERVE_BASE_URL: { scheme: 'http', path: '/federal-reserve' } },
    routes: [
      {
        path: '/monetarypolicy/fomccalendars.htm',
        handle: ({ now }) => ({ body: calendar(now), headers: { 'content-type': 'text/html' } }),
      },
      {
        path: '/feeds/press_all.xml',
        handle: ({ now }) => ({ body: press(now), headers: { 'content-type': 'application/xml' } }),
      },
    ],
    conditional: true,
    notFound: { status: 404, body: page('Page not found') },
    rateLimited: page('Too Many Requests'),
    serverError: page('Service Unavailable'),
    withNulls: (_path, body) => String(body).replaceAll(/<link>[^<]*<\/link>/g, '<link></link>'),
  };
}

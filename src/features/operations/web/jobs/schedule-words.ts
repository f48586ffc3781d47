const two = (n: string) => n.padStart(2, '0');
const listed = (words: string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const every = (n: string, unit: string) => (n === '1' ? `Every ${unit}` : `Every ${n} ${unit}s`);
const isList = (field: string) => /^\d+(,\d+)*$/.test(field);
const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

function days(field: string): string | null {
  if (field === '*') return '';
  if (field === '1-5') return ', Monday to Friday';
  if (field === '0,6' || field === '6,0') return ', Saturday and Sunday';
  if (!isList(field)) return null;
  return `, ${listed(field.split(',').map((day) => DAYS[Number(day)] ?? day))}`;
}

function times(minute: string, hour: string): string | null {
  if (hour === '*') {
    if (minute === '*') return 'Every minute';
    const step = /^(?:\*|(\d+)-59)\/(\d+)$/.exec(minute);
    if (step?.[2]) return every(step[2], 'minute') + (step[1] ? `, from :${two(step[1])}` : '');
    if (isList(minute)) return `Hourly at ${listed(minute.split(',').map((each) => `:${two(each)}`))}`;
    return null;
  }
  const [, from, to] = /^(\d+)-(\d+)$/.exec(hour) ?? [];
  if (from && to && isList(minute)) return `Hourly at :${two(minute)}, ${two(from)} to ${two(to)} UTC`;
  const hours = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (hours && isList(minute)) return `${every(hours, 'hour')} at :${two(minute)}`;
  if (isList(hour) && /^\d+$/.test(minute))
    return `Daily at ${listed(hour.split(',').map((each) => `${two(each)}:${two(minute)}`))} UTC`;
  return null;
}

/** A cron expression as people say it; one that is not of the usual forms stands as it is. */
export function scheduleWords(cron: string): string {
  const [minute = '', hour = '', date, month, weekday = ''] = cron.split(' ');
  const when = date === '*' && month === '*' ? times(minute, hour) : null;
  const on = days(weekday);
  if (when === null || on === null) return cron;
  return on === '' ? when : when.replace('Daily at', 'At') + on;
}

export type News = { version: string; lines: readonly string[] };

const VERSION = /^## (\S+)/;
const FOR_PEOPLE = '### For users';

/** The user-facing entries of a changelog by version, newest first. */
export function parseNews(changelog: string): News[] {
  const news: { version: string; lines: string[] }[] = [];
  let version = '';
  let isForPeople = false;
  for (const line of changelog.split('\n')) {
    version = VERSION.exec(line)?.[1] ?? version;
    if (line.startsWith('#')) {
      isForPeople = line === FOR_PEOPLE;
      if (isForPeople) news.push({ version, lines: [] });
    } else if (isForPeople && line.startsWith('- ')) news.at(-1)?.lines.push(line.slice(2));
  }
  return news;
}

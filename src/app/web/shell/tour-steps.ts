export type Step = {
  title: string;
  text: string;
  /** Where it points; the first of them that can be seen. */
  at: readonly string[];
};

/** Anchored to what is on the dashboard anyway, by what assistive technology knows it as. */
export const STEPS: readonly Step[] = [
  {
    title: 'Every number shows its source',
    text: 'Select a price to see its birth certificate: source, observation time and age. A missing number says why.',
    at: ['tr[data-coin] [data-figure]'],
  },
  {
    title: 'Every prediction has a track record',
    text: 'Analysts publish probabilities for up, flat and down, each next to its track record. Every call is recorded in advance and graded in public.',
    at: ['[aria-labelledby="ai-analysis"] > header'],
  },
  {
    title: 'Alerts come to you',
    text: 'The bell shows when the market moves. Pro lists every alert and delivers your own rules by email, push or Telegram.',
    at: ['header [aria-label^="Market alerts"]'],
  },
  {
    title: 'Everything is one search away',
    text: 'Find coins, pages and actions here. On a keyboard, Ctrl K opens it from anywhere and ? lists all shortcuts.',
    at: ['header button:has(kbd)', 'header [aria-label="Search"]'],
  },
  {
    title: 'Make it yours',
    text: 'Switch between dark and light here. Settings and shortcuts, at the bottom of every page, offers a color-blind palette. You can restart this tour from the search.',
    at: ['header [aria-label="Switch color theme"]', 'footer button'],
  },
];

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/** What a step points at, if it is on the page. */
export const targetOf = ({ at }: Step): Element | undefined =>
  at.flatMap((selector) => [...document.querySelectorAll(selector)]).find(isSeen);

export const stepsHere = (): Step[] => STEPS.filter(targetOf);

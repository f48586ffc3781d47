export type Step = {
  title: string;
  text: string;
  /** Where it points; the first of them that can be seen. */
  at: readonly string[];
};

/** Anchored to what is on the dashboard anyway, by what assistive technology knows it as. */
export const STEPS: readonly Step[] = [
  {
    title: 'Every number says where it comes from',
    text: 'Press a price to read its birth certificate: the source, the time it was seen and how old it is. A number that is missing says why.',
    at: ['tr[data-coin] [data-figure]'],
  },
  {
    title: 'Every prediction has its record',
    text: 'Analysts say how likely up, flat and down are. Beside each stands how it has done so far: every call is frozen before and graded afterwards, in the open.',
    at: ['[aria-labelledby="ai-analysis"] > header'],
  },
  {
    title: 'Alerts come to you',
    text: 'The bell tells when the market moves. With Pro it lists each alert, and rules of your own reach you by e-mail, push or Telegram.',
    at: ['header [aria-label^="Market alerts"]'],
  },
  {
    title: 'Everything is one search away',
    text: 'Find coins, pages and actions here. On a keyboard, Ctrl K opens it from anywhere and ? lists all shortcuts.',
    at: ['header button:has(kbd)', 'header [aria-label="Search"]'],
  },
  {
    title: 'Make it yours',
    text: 'Dark or light by one press. Settings and shortcuts, at the foot of every page, has colours for eyes that cannot tell red from green. This tour can be taken again from the search.',
    at: ['header [aria-label="Switch colour theme"]', 'footer button'],
  },
];

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/** What a step points at, if it is on the page. */
export const targetOf = ({ at }: Step): Element | undefined =>
  at.flatMap((selector) => [...document.querySelectorAll(selector)]).find(isSeen);

export const stepsHere = (): Step[] => STEPS.filter(targetOf);

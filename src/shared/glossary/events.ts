import type { Terms } from './term.ts';

export const EVENT_TERMS: Terms = {
  'event.category': {
    name: 'Category of an event',
    unit: 'word',
    meaning: 'What an event is about.',
    formula:
      'By kind. fed: FOMC rate decisions. monetary_policy: FOMC minutes, Beige Book, other central banks. inflation: CPI, PCE, PPI. employment: payrolls, JOLTS, employment costs. crypto: halving, options expiries, events of single coins. regulation: SEC, CFTC and what the Federal Reserve says of crypto. earnings: companies near crypto. other: GDP, retail sales and the rest',
  },
  'event.impact': {
    name: 'Impact of an event',
    unit: 'high, medium, low',
    meaning: 'How much the event can move crypto, by a rule that does not look at prices.',
    formula:
      'By kind. High: FOMC decision, CPI, PCE, payrolls, halving. Medium: PPI, minutes, GDP, JOLTS, employment costs, quarterly expiries. Low: monthly expiries, Beige Book, retail sales. Agencies on crypto: high when they decide a rule or a product, else medium. One coin: a change of network or supply is high for a tracked coin and medium for another, all else low. Earnings: medium for companies that live on crypto, else low. Other calendars: their own rating, one step down outside of the US',
    reading: 'Each event says which of these it met',
  },
  'event.time': {
    name: 'Time of an event',
    unit: 'UTC',
    meaning: 'The one time that is shown where several sources name one; the others stand beside it.',
    formula:
      'A named day before an estimated one. Then who holds the event, then who republishes officially, then the calendar shipped with the product, then collectors of events. Then a minute before a day, then the newest word. What a source has not repeated for three days while others were heard no longer counts',
  },
  'event.estimate': {
    name: 'Estimated date',
    unit: 'days',
    meaning: 'Nobody has named the day: it follows from a rule.',
    formula:
      'Halving: ten minutes a block from the height now, with an interval of 3 % faster to 1 % slower and twice the spread of chance. Releases not yet scheduled: the usual day of the agency. FOMC minutes: three weeks after the decision. Beige Book: two weeks before it',
  },
  'event.window': {
    name: 'Reminder window',
    unit: '1, 2, 3, 5 or 7 days',
    meaning: 'How near an event is, for reminders.',
    formula: 'Whole UTC days from today to the day of the event; each window is entered once',
  },
  'event.study': {
    name: 'Event study',
    unit: 'percent',
    meaning: 'How BTC and ETH moved around past prints of a kind, by whether they surprised.',
    formula:
      'Log return from the close before the release to the close of that day, or 2 or 6 days later, less the average of all such windows between the first and the last print; mean and Student’s interval of 99 in 100, as 24 cells are looked at together. Surprise: against the consensus where eight releases have one stored, else against the month before; less than 0.05 points is in line',
    reading: 'An interval that holds 0 shows no move. Below 8 events: too few',
  },
};

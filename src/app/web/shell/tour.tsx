import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { endTour } from '#ui/settings.ts';

type Step = {
  title: string;
  text: string;
  /** Candidate targets; the first visible one is used. */
  at: readonly string[];
};

/** Anchored to existing parts of the dashboard, by their accessible names. */
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

/** The target of a step, if it is on the page. */
const findTarget = ({ at }: Step): Element | undefined =>
  at.flatMap((selector) => [...document.querySelectorAll(selector)]).find(isSeen);

const stepsHere = (): Step[] => STEPS.filter(findTarget);

const EDGE = 12;
/** Below the sticky header. */
const TOP = 68;
const RING = 6;
const PHONE = 640;

/** Scrolls to the target unless it is visible above a card at the bottom of the screen; the header never moves. */
function bringIntoView(target: Element, card: HTMLElement): void {
  if (!target.closest('main, footer')) return;
  const { top, bottom, height } = target.getBoundingClientRect();
  const room = innerHeight - card.offsetHeight - 3 * EDGE;
  if (top >= TOP && bottom <= room) return;
  const wanted = Math.max(TOP, (room - height) / 2);
  scrollBy({ top: top - wanted, behavior: 'instant' });
}

/** The ring around the target, and the card next to it: at the bottom of the screen on a phone. */
function pointAt(target: Element | undefined, ring: HTMLElement, card: HTMLElement): void {
  const box = target?.getBoundingClientRect();
  Object.assign(ring.style, {
    left: `${(box?.left ?? 0) - RING}px`,
    top: `${(box?.top ?? 0) - RING}px`,
    width: box ? `${box.width + 2 * RING}px` : '0',
    height: box ? `${box.height + 2 * RING}px` : '0',
  });
  const { offsetWidth: width, offsetHeight: height } = card;
  const last = innerHeight - height - EDGE;
  const below = (box?.bottom ?? 0) + RING + EDGE;
  const above = (box?.top ?? 0) - RING - EDGE - height;
  const isCovered = box !== undefined && box.bottom + RING > last;
  let top = last;
  if (innerWidth < PHONE) top = isCovered ? EDGE : last;
  else if (box && below <= last) top = below;
  else if (box && above >= EDGE) top = above;
  const left = innerWidth < PHONE ? EDGE : Math.min(box?.left ?? EDGE, innerWidth - width - EDGE);
  Object.assign(card.style, { top: `${top}px`, left: `${Math.max(EDGE, left)}px` });
}

const POLL_MS = 100;
/** How long to wait for cards whose code is still loading. */
const TARGET_TIMEOUT_MS = 3_000;
/** The bottom bar of a page on a phone. */
const END_PX = 240;

export type TourProps = {
  /** It was requested: it starts without an offer. */
  isRequested: boolean;
  onOver: () => void;
};

export function Tour({ isRequested, onOver }: TourProps) {
  const [steps, setSteps] = useState<readonly Step[] | null>(null);
  useEffect(() => {
    if (!isRequested) return undefined;
    let looks = 0;
    const timer = setInterval(() => {
      looks++;
      const steps = stepsHere();
      if (steps.length < STEPS.length && looks * POLL_MS < TARGET_TIMEOUT_MS) return;
      clearInterval(timer);
      if (steps.length > 0) setSteps(steps);
      else onOver();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isRequested, onOver]);
  const end = (how: 'done' | 'skipped') => {
    endTour(how);
    onOver();
  };
  if (steps) return <Guide steps={steps} onEnd={end} />;
  return isRequested ? null : <Offer onTake={() => setSteps(stepsHere())} onDecline={() => end('skipped')} />;
}

const isAtEnd = () => scrollY > 0 && scrollY + innerHeight > document.documentElement.scrollHeight - END_PX;

/** In the corner, next to the content, and clear of the bottom of the page. */
function Offer({ onTake, onDecline }: { onTake: () => void; onDecline: () => void }) {
  const [isAway, setAway] = useState(isAtEnd);
  useEffect(() => {
    const onScroll = () => setAway(isAtEnd());
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  if (isAway) return null;
  return (
    <aside
      aria-label="Tour"
      className="fixed right-4 bottom-4 z-30 w-[22rem] max-w-[calc(100vw-2rem)] rounded-card border border-line-strong bg-surface px-4 py-3 text-sm text-ink floating"
    >
      <p className="font-medium">New here?</p>
      <p className="text-ink-2">Five things worth knowing, in one minute.</p>
      <div className="mt-2 flex justify-end gap-2">
        <Button kind="quiet" className="max-sm:h-10" onClick={onDecline}>
          No, thanks
        </Button>
        <Button className="max-sm:h-10" onClick={onTake}>
          Take the tour
        </Button>
      </div>
    </aside>
  );
}

const SHADE = {
  borderRadius: 8,
  boxShadow: '0 0 0 2px var(--accent), 0 0 0 200vmax rgb(0 0 0 / 0.45)',
  pointerEvents: 'none',
} as const;
const WHOLE_SCREEN = { width: '100%', height: '100%', maxHeight: 'none', background: 'none', border: 0 } as const;

type GuideProps = { steps: readonly Step[]; onEnd: (how: 'done' | 'skipped') => void };

/** One step after the other, above the page. Missing targets are skipped. */
function Guide({ steps, onEnd }: GuideProps) {
  const id = useId();
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const step = steps[at];

  useEffect(() => {
    const opener = document.activeElement;
    const from = scrollY;
    dialog.current?.showModal();
    next.current?.focus();
    return () => {
      const back = opener?.isConnected && opener !== document.body ? opener : document.getElementById('main');
      (back as HTMLElement | null)?.focus({ preventScroll: true });
      scrollTo({ top: from, behavior: 'instant' });
    };
  }, []);

  useLayoutEffect(() => {
    if (!step || !ring.current || !card.current) return undefined;
    const [around, beside] = [ring.current, card.current];
    const point = () => pointAt(findTarget(step), around, beside);
    const target = findTarget(step);
    // The card has its size once the dialog is open, one frame later.
    const frame = requestAnimationFrame(() => {
      if (target) bringIntoView(target, beside);
      point();
    });
    const grown = new ResizeObserver(point);
    grown.observe(document.body);
    grown.observe(beside);
    addEventListener('scroll', point, { passive: true });
    addEventListener('resize', point);
    return () => {
      cancelAnimationFrame(frame);
      grown.disconnect();
      removeEventListener('scroll', point);
      removeEventListener('resize', point);
    };
  }, [step]);

  if (!step) return null;
  const later = steps.findIndex((each, index) => index > at && findTarget(each));
  const earlier = steps.findLastIndex((each, index) => index < at && findTarget(each));
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => onEnd('skipped')}
      closedby="closerequest"
      style={WHOLE_SCREEN}
      className="fixed inset-0 m-0 max-w-none overflow-hidden p-0 text-ink"
    >
      <div ref={ring} style={SHADE} className="fixed" aria-hidden="true" />
      <div
        ref={card}
        className="fixed w-[22rem] max-sm:w-full max-w-[calc(100vw-1.5rem)] rounded-card border border-line-strong bg-surface p-4 text-sm floating"
      >
        <div aria-live="polite">
          <p className="label num">
            {at + 1} of {steps.length}
          </p>
          <h2 id={`${id}-title`} className="mt-0.5 text-lg font-semibold tracking-[-0.01em]">
            {step.title}
          </h2>
          <p id={`${id}-text`} className="mt-1 text-ink-2">
            {step.text}
          </p>
        </div>
        <div className="mt-3 flex items-center gap-2">
          <Button kind="quiet" className="max-sm:h-10" onClick={() => onEnd('skipped')}>
            Skip
          </Button>
          <span className="flex-1" />
          {earlier >= 0 && (
            <Button className="max-sm:h-10" onClick={() => setAt(earlier)}>
              Back
            </Button>
          )}
          <Button ref={next} className="max-sm:h-10" onClick={() => (later < 0 ? onEnd('done') : setAt(later))}>
            {later < 0 ? 'Done' : 'Next'}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

import { ChevronDown } from 'lucide-react';
import { IN_FORCE_SINCE } from '#features/site/contract/legal.ts';
import { useMedia } from '#ui/use-browser.ts';
import type { LegalText } from './legal-text.ts';

const DAY = new Date(IN_FORCE_SINCE).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A long text with its contents beside it, or collapsed above it on a narrow screen. */
export function LegalArticle({ text: { title, lead, short, sections } }: { text: LegalText }) {
  const isWide = useMedia('(min-width: 80rem)');
  return (
    <article className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">{title}</h1>
      <p className="mt-1 text-sm text-ink-3">
        In force since <time dateTime={IN_FORCE_SINCE}>{DAY}</time>
      </p>
      <p className="prose mt-3">{lead}</p>
      <div className="mt-5 grid grid-cols-1 gap-6 xl:flex xl:flex-row-reverse xl:justify-end xl:gap-12">
        <nav aria-label="Contents" className="max-w-[40rem] xl:w-80">
          <details open={isWide} className="card px-4 py-1 xl:sticky xl:top-18">
            <summary className="flex min-h-10 items-center justify-between text-sm font-semibold">
              Contents
              <ChevronDown className="size-4 text-ink-3" aria-hidden="true" />
            </summary>
            <ol className="pb-1.5 text-sm text-ink-2">
              {sections.map((section, i) => (
                <li key={section.id}>
                  <a href={`#${section.id}`} className="flex min-h-8 items-center hover:text-ink">
                    <span className="num w-6 shrink-0 text-ink-3">{i + 1}.</span>
                    {section.title}
                  </a>
                </li>
              ))}
            </ol>
          </details>
        </nav>
        <div className="prose min-w-0">
          <section aria-labelledby="short" className="card p-4">
            <h2 id="short">In short</h2>
            <ul>
              {short.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </section>
          {sections.map((section, i) => (
            <section key={section.id} aria-labelledby={section.id}>
              <h2 id={section.id}>
                {i + 1}. {section.title}
              </h2>
              {section.body}
            </section>
          ))}
        </div>
      </div>
    </article>
  );
}

import { LegalArticle } from '#features/legal/web/legal-article.tsx';
import { TERMS } from '#features/legal/web/terms.ts';
import { useArrival } from '#web/ui/use-arrival.ts';
import { useTitle } from '#web/ui/use-title.ts';

export function TermsPage() {
  useTitle(TERMS.title);
  useArrival();
  return <LegalArticle text={TERMS} />;
}

import { useQuery } from '@tanstack/react-query';

import { LegalArticle } from '#features/legal/web/legal-article.tsx';
import { aboutQuery } from '#features/legal/web/queries.ts';
import { termsOf } from '#features/legal/web/terms.ts';
import { useArrival } from '#web/ui/use-arrival.ts';
import { useTitle } from '#web/ui/use-title.ts';

export function TermsPage() {
  const { data } = useQuery(aboutQuery);
  const text = termsOf(data?.plans);
  useTitle(text.title);
  useArrival();
  return <LegalArticle text={text} />;
}

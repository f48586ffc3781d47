import { useQuery } from '@tanstack/react-query';

import { LegalArticle } from '#features/site/web/legal/legal-article.tsx';
import { aboutQuery } from '#features/site/web/legal/queries.ts';
import { buildTerms } from '#features/site/web/legal/terms.tsx';
import { useTitle } from '#ui/use-title.ts';

export function TermsPage() {
  const { data } = useQuery(aboutQuery);
  const text = buildTerms(data?.plans);
  useTitle(text.title);
  return <LegalArticle text={text} />;
}

import { useQuery } from '@tanstack/react-query';
import { LegalArticle } from '#features/site/web/legal/legal-article.tsx';
import { buildPrivacy, PRIVACY_TITLE } from '#features/site/web/legal/privacy.ts';
import { aboutQuery } from '#features/site/web/legal/queries.ts';
import { useTitle } from '#ui/use-title.ts';

export function PrivacyPage() {
  useTitle(PRIVACY_TITLE);
  const { data } = useQuery(aboutQuery);
  return <LegalArticle text={buildPrivacy(data?.analytics)} />;
}

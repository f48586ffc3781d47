import { useQuery } from '@tanstack/react-query';
import { LegalArticle } from '#features/legal/web/legal-article.tsx';
import { PRIVACY_TITLE, privacyOf } from '#features/legal/web/privacy.ts';
import { aboutQuery } from '#features/legal/web/queries.ts';
import { useArrival } from '#web/ui/use-arrival.ts';
import { useTitle } from '#web/ui/use-title.ts';

export function PrivacyPage() {
  useTitle(PRIVACY_TITLE);
  useArrival();
  const { data } = useQuery(aboutQuery);
  return <LegalArticle text={privacyOf(data?.analytics)} />;
}

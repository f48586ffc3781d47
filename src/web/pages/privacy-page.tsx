import { LegalArticle } from '#features/legal/web/legal-article.tsx';
import { PRIVACY } from '#features/legal/web/privacy.ts';
import { useArrival } from '#web/ui/use-arrival.ts';
import { useTitle } from '#web/ui/use-title.ts';

export function PrivacyPage() {
  useTitle(PRIVACY.title);
  useArrival();
  return <LegalArticle text={PRIVACY} />;
}

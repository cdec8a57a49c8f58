import { PageHead, PageMain } from '#web/ui/page-main.tsx'

export function PrivacyPage() {
  return (
    <PageMain className="wrap page">
      <PageHead title="Privacy" />
    </PageMain>
  )
}

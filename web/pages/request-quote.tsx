import { PageHead, PageMain } from '#web/ui/page-main.tsx'

export function RequestQuotePage() {
  return (
    <PageMain className="wrap page">
      <PageHead title="Request a Quote" />
    </PageMain>
  )
}

import { PageHead, PageMain } from '#web/ui/page-main.tsx'

export function SandboxUiPage() {
  return (
    <PageMain className="wrap page">
      <PageHead title="Components" />
    </PageMain>
  )
}

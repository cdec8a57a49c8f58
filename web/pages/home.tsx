import { PageMain } from '#web/ui/page-main.tsx'

export function HomePage() {
  return (
    <PageMain>
      <h1>Torque &amp; Timing</h1>
    </PageMain>
  )
}

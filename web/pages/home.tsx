import { FindOurShop } from '#web/features/home/find-our-shop.tsx'
import { Hero } from '#web/features/home/hero.tsx'
import { MoreServices } from '#web/features/home/more-services.tsx'
import { Services } from '#web/features/home/services.tsx'
import { StartActions } from '#web/features/home/start-actions.tsx'
import { WhyChooseUs } from '#web/features/home/why-choose-us.tsx'
import { PageMain } from '#web/ui/page-main.tsx'

export function HomePage() {
  return (
    <PageMain>
      <Hero />
      <Services />
      <MoreServices />
      <FindOurShop />
      <WhyChooseUs />
      <section className="dark-band section">
        <div className="page-width">
          <h2 className="display-heading">Ready to Get Started</h2>
          <StartActions />
        </div>
      </section>
    </PageMain>
  )
}

import { FindOurShop } from '#web/site/features/home/find-our-shop.tsx'
import { Hero } from '#web/site/features/home/hero.tsx'
import { MoreServices } from '#web/site/features/home/more-services.tsx'
import { Services } from '#web/site/features/home/services.tsx'
import { StartActions } from '#web/site/features/home/start-actions.tsx'
import { WhyChooseUs } from '#web/site/features/home/why-choose-us.tsx'
import { PageMain } from '#web/ui/page-main/page-main.tsx'

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
          <h2 className="display-heading start-actions-heading">Ready to Get Started</h2>
          <StartActions isDark />
        </div>
      </section>
    </PageMain>
  )
}

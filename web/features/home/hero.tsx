import { shop } from '#domain/shop.ts'
import { DegreeWheel } from '#web/ui/drawings.tsx'
import { StartActions } from './start-actions.tsx'
import './hero.css'

/** Name, tagline, what the shop does in one sentence, and the three ways to start. */
export function Hero() {
  return (
    <section className="hero">
      <DegreeWheel />
      <div className="page-width">
        <div>
          <p className="hero-kicker">
            {shop.kind} in {shop.address.city}
          </p>
          <h1 tabIndex={-1}>
            <span>Torque </span>
            <span>&amp; Timing</span>
          </h1>
          <p className="hero-tagline">{shop.tagline}</p>
          <p className="hero-lead">
            Brakes, engines, transmissions and the small things in between. You see the price before
            we start.
          </p>
        </div>
        <StartActions />
      </div>
    </section>
  )
}

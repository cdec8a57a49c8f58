import markedBolt from '#web/art/marked-bolt.svg?raw'
import stopwatch from '#web/art/stopwatch.svg?raw'
import wrenchBolt from '#web/art/wrench-bolt.svg?raw'
import { useShop } from '#web/lib/shop.ts'
import { Art } from '#web/ui/art/art.tsx'
import './why-choose-us.css'

export function WhyChooseUs() {
  const { experts, turnaround, warranty } = useShop()
  const reasons = [
    { art: wrenchBolt, name: 'Expert technicians', text: experts },
    { art: stopwatch, name: 'Fast turnaround', text: turnaround },
    { art: markedBolt, name: 'Quality guarantee', text: warranty },
  ]
  return (
    <section className="section section-flush">
      <div className="page-width">
        <div className="section-head">
          <h2 className="display-heading">Why Choose Us</h2>
        </div>
        <div className="why-choose-us">
          {reasons.map(({ art, name, text }) => (
            <article key={name} className="card">
              <Art svg={art} />
              <h3>{name}</h3>
              <p className="muted">{text}</p>
            </article>
          ))}
        </div>
      </div>
    </section>
  )
}

import markedBolt from '#web/art/marked-bolt.svg?raw'
import stopwatch from '#web/art/stopwatch.svg?raw'
import wrenchBolt from '#web/art/wrench-bolt.svg?raw'
import { Art } from '#web/ui/art/art.tsx'
import './why-choose-us.css'

const reasons = [
  {
    art: wrenchBolt,
    name: 'Expert technicians',
    text: 'One technician looks after your car from start to finish, and can tell you exactly what was done.',
  },
  {
    art: stopwatch,
    name: 'Fast turnaround',
    text: 'Most repairs are same-day or next-day. If something will take longer, you hear it first.',
  },
  {
    art: markedBolt,
    name: 'Quality guarantee',
    text: 'Every repair carries a warranty. Checked, marked, and written on your invoice.',
  },
]

export function WhyChooseUs() {
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

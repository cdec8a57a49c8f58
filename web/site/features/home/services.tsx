import brakeDisc from '#web/art/brake-disc.svg?raw'
import engine from '#web/art/engine.svg?raw'
import gears from '#web/art/gears.svg?raw'
import { Art } from '#web/ui/art/art.tsx'
import './services.css'

const services = [
  {
    art: engine,
    name: 'Engine diagnostics and repair',
    promise: [
      'A warning light tells us where to look, not what to replace. We read the codes, test the part that is suspected, and show you what we found before anything comes off the engine.',
      'You get the finding and the price together, in writing, and decide. If the repair can wait, we tell you until when.',
    ],
    checks: [
      'Check-engine light and no-start diagnosis',
      'Misfires, rough idle and loss of power',
      'Timing belts, chains and water pumps',
      'Oil and coolant leaks',
    ],
  },
  {
    art: brakeDisc,
    name: 'Brake system services',
    promise: [
      'Squeal, shudder or a soft pedal: bring it in early and it usually costs less. We measure pads and rotors and give you the numbers in millimeters, not in adjectives.',
      'Parts that are still good stay on the car. You can see the replaced parts and take them home.',
    ],
    checks: [
      'Pads, rotors and calipers',
      'Brake fluid exchange',
      'ABS and parking-brake faults',
      'Road test after every brake job',
    ],
  },
  {
    art: gears,
    name: 'Transmission services',
    promise: [
      'Late shifts and slipping gears are often a fluid or sensor fault. We start with the simple causes, manual or automatic, and recommend a rebuild only if tests show that it is needed.',
      'Before a large repair, we tell you what the car is worth with and without the repair.',
    ],
    checks: [
      'Fluid and filter service',
      'Shift quality and slip diagnosis',
      'Clutch replacement',
      'Rebuild or replacement',
    ],
  },
]

/** The shop's three trades, each with a drawing, a sentence about the work and a checklist. */
export function Services() {
  return (
    <section className="section">
      <div className="page-width">
        <div className="section-head">
          <h2 className="display-heading">Every bolt to spec, every time</h2>
          <p>
            When a bolt has been tightened to its exact torque, we draw a paint stripe across it.
            The stripe shows you that the work was checked.
          </p>
        </div>
        {services.map(({ art, name, promise, checks }) => (
          <article key={name} className="service-row">
            <Art svg={art} />
            <div>
              <h3>{name}</h3>
              {promise.map((text) => (
                <p key={text}>{text}</p>
              ))}
            </div>
            <ul className="check-list">
              {checks.map((check) => (
                <li key={check}>{check}</li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </section>
  )
}

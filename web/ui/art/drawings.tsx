import boltLoose from '#web/art/bolt-loose.svg?raw'
import boltMarked from '#web/art/bolt-marked.svg?raw'
import degreeWheel from '#web/art/degree-wheel.svg?raw'
import { Art } from './art.tsx'

/** The bolt of the success pages, its stripe painted on arrival. */
export function MarkedBolt() {
  return <Art svg={boltMarked} />
}

/** The bolt of the 404 page: it has turned, and the stripe no longer lines up. */
export function LooseBolt() {
  return <Art svg={boltLoose} />
}

/** The timing wheel that settles on top dead centre: hero and staff sign-in. */
export function DegreeWheel() {
  return <Art svg={degreeWheel} />
}

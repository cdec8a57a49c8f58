import type { CSSProperties } from 'react'
import { useShop } from '#web/lib/shop.ts'
import { DegreeWheel } from '#web/ui/art/drawings.tsx'
import { splitNameLines } from '#web/lib/split-name-lines.ts'
import { StartActions } from './start-actions.tsx'
import './hero.css'

/** Splits the name into lines, so that its font can be large. The longest line determines the font size. */
function ShopName({ name }: { name: string }) {
  const lines = splitNameLines(name)
  const letters = Math.max(...lines.map((line) => line.length))
  return (
    <h1 tabIndex={-1} style={{ '--letters': letters, '--lines': lines.length } as CSSProperties}>
      {lines.map((line, index) => (
        <span key={line}>{index < lines.length - 1 ? `${line} ` : line}</span>
      ))}
    </h1>
  )
}

/**
 * The first section of the home page: the shop's name and tagline, one sentence about its work, and the three large
 * buttons.
 */
export function Hero() {
  const shop = useShop()
  return (
    <section className="hero">
      <DegreeWheel />
      <div className="page-width">
        <div>
          <p className="hero-kicker">
            {shop.kind} in {shop.address.city}
          </p>
          <ShopName name={shop.name} />
          <p className="hero-tagline">{shop.tagline}</p>
          <p className="hero-lead">{shop.lead}</p>
        </div>
        <StartActions />
      </div>
    </section>
  )
}

import type { CSSProperties } from 'react'
import { useShop } from '#web/lib/shop.ts'
import { DegreeWheel } from '#web/ui/art/drawings.tsx'
import { splitNameLines } from '#web/lib/split-name-lines.ts'
import { StartActions } from './start-actions.tsx'
import './hero.css'

/** Splits the name into lines so that it can be large; the longest line sets the font size. */
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

/** Name, tagline, what the shop does in one sentence, and the three ways to start. */
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

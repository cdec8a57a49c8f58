import { useEffect, useRef, useState } from 'react'
import { addressLine, type Position, type Shop } from '#domain/shop/shop.ts'
import streetMap from '#web/art/street-map.svg?raw'
import { useShop } from '#web/lib/shop.ts'
import { useNearViewport } from '#web/lib/browser/use-near-viewport.ts'
import { Art } from '#web/ui/art/art.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import './shop-map.css'

/**
 * The host of the embedded map, the only third-party host of the site. The page first loads a small image from this
 * host to find out whether the host responds.
 */
const mapHost = 'https://www.openstreetmap.org'

const reach = { latitude: 0.004, longitude: 0.008 }

function embedUrlOf({ latitude, longitude }: Position): string {
  const corners = [
    longitude - reach.longitude,
    latitude - reach.latitude,
    longitude + reach.longitude,
    latitude + reach.latitude,
  ]
  const query = new URLSearchParams({
    bbox: corners.map((degrees) => degrees.toFixed(4)).join(','),
    layer: 'mapnik',
    marker: `${latitude},${longitude}`,
  })
  return `${mapHost}/export/embed.html?${query.toString()}`
}

const mapQuery = (shop: Shop) => `${shop.name}, ${addressLine(shop)}`

function directionsUrlOf(shop: Shop): string {
  const query = new URLSearchParams({ api: '1', query: mapQuery(shop) })
  return `https://www.google.com/maps/search/?${query.toString()}`
}

/**
 * The embedded map over a drawn map; without a position, only the drawn map. The frame loads when it comes near the
 * viewport, without blocking the page, and only after its host has responded: otherwise the frame would show the
 * browser's error page.
 */
export function ShopMap() {
  const shop = useShop()
  const box = useRef<HTMLDivElement>(null)
  const isReachable = useMapHost(box)
  return (
    <div className="shop-map" role="group" aria-label="Map" ref={box}>
      <Art svg={streetMap} />
      {shop.position && isReachable ? <MapFrame position={shop.position} /> : null}
      {shop.position && (
        <noscript>
          <MapFrame position={shop.position} />
        </noscript>
      )}
      <a
        className="button button-secondary"
        href={directionsUrlOf(shop)}
        data-directions={mapQuery(shop)}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon name="pin" />
        Open in maps
      </a>
    </div>
  )
}

function MapFrame({ position }: { position: Position }) {
  const shop = useShop()
  return (
    <iframe
      src={embedUrlOf(position)}
      title={`Map: ${mapQuery(shop)}`}
      loading="lazy"
      referrerPolicy="no-referrer"
      sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    />
  )
}

function useMapHost(box: React.RefObject<HTMLElement | null>): boolean {
  const isNear = useNearViewport(box)
  const [isReachable, setIsReachable] = useState(false)
  useEffect(() => {
    if (!isNear) return
    const probe = new Image()
    probe.referrerPolicy = 'no-referrer'
    probe.addEventListener('load', () => setIsReachable(true))
    probe.src = `${mapHost}/favicon.ico?reachable`
  }, [isNear])
  return isReachable
}

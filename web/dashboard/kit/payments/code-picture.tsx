import { renderSVG } from 'uqr'

/** A URL as a QR code: black modules on white, with the white margin of four modules that scanners need. */
export function CodePicture({ url, name, size }: { url: string; name: string; size: number }) {
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 4 }))}`
  return <img src={picture} alt={name} width={size} height={size} />
}

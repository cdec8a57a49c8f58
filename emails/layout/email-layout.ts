import { escapeHtml } from '#domain/text/escape-html.ts'
import { addressLine, type Shop } from '#domain/shop/shop.ts'
import type { RenderedEmail } from './shop-email.ts'

/**
 * A part of an email. An email contains its parts in reading order. The texts of a part are plain text, which
 * the layout escapes.
 */
export type EmailPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Text that an employee wrote, with its line breaks. */
  | { readonly kind: 'letter'; readonly text: string }
  | {
      readonly kind: 'facts'
      readonly details: readonly (readonly [name: string, value: string])[]
    }
  | { readonly kind: 'button'; readonly label: string; readonly url: string }
  /** A highlighted text about test mode or a required action. */
  | { readonly kind: 'notice'; readonly text: string }

export type EmailContent = {
  readonly subject: string
  /** The preview text that mail programs show beside the subject in a list of emails. */
  readonly preview: string
  readonly heading: string
  readonly parts: readonly EmailPart[]
  /** The sentence at the end of the email that states why the recipient receives this email. */
  readonly reason: string
}

/** Renders an email as an HTML document with tables and inline styles, and as plain text. */
export function layOutEmail(shop: Shop, content: EmailContent): RenderedEmail {
  return { subject: content.subject, html: toHtml(shop, content), text: toText(shop, content) }
}

// Copies of the colors of web/styles/tokens.css, because mail programs do not support CSS variables. The colors for
// dark mode are in darkStyles.
const ink = '#0b2433'
const muted = '#465f6d'
const line = '#cbdce4'
const signal = '#ff7a1f'
const font = "font-family:Archivo,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  a { color: ${ink}; }
  @media (prefers-color-scheme: dark) {
    .ground { background-color: #07161f !important; }
    .card { background-color: #0e222d !important; border-color: #234150 !important; }
    .ink, .ink a { color: #eaf4f8 !important; }
    .muted, .muted a { color: #a3bbc6 !important; }
    .rule { border-color: #234150 !important; }
    .notice { background-color: #3d2e0c !important; color: #ffd479 !important; }
  }
  @media (max-width: 480px) { .card { padding: 24px 20px !important; } }`

// The landmark and the language are attributes of an element inside the body, because mail programs remove the <html>
// element.
function toHtml(shop: Shop, { subject, preview, heading, parts, reason }: EmailContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>${darkStyles}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:#f3f8fa">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<div role="main" lang="en">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f8fa">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
<tr><td style="padding:0 4px 16px">${brandOf(shop)}</td></tr>
<tr><td class="card" style="background-color:#ffffff;border:1px solid ${line};border-radius:14px;padding:32px">
<h1 class="ink" style="margin:0 0 16px;color:${ink};${font};font-size:26px;line-height:1.2;font-weight:800">${escapeHtml(heading)}</h1>
${parts.map(partToHtml).join('\n')}
</td></tr>
<tr><td class="muted" style="padding:20px 4px 0;color:${muted};${font};font-size:14px;line-height:1.5">
<p style="margin:0 0 8px">${escapeHtml(shop.name)}<br>${escapeHtml(addressLine(shop))}<br><a href="${shop.phone.href}" style="color:${muted}">${escapeHtml(shop.phone.display)}</a></p>
<p style="margin:0">${escapeHtml(reason)}</p>
</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`
}

/**
 * The shop's name and its logo, a stripe of paint. The logo is drawn with table cells, because mail programs block
 * images.
 */
const brandOf = ({
  name,
}: Shop) => `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td aria-hidden="true" style="width:8px;background-color:${signal};border-radius:2px;font-size:20px;line-height:24px;transform:skewX(-18deg)">&nbsp;</td>
<td class="ink" style="padding-left:12px;color:${ink};${font};font-size:20px;line-height:24px;font-weight:800;font-stretch:125%">${escapeHtml(name)}</td>
</tr></table>`

const body = `color:${ink};${font};font-size:17px;line-height:1.5`

function partToHtml(part: EmailPart): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p class="ink" style="margin:0 0 16px;${body}">${escapeHtml(part.text)}</p>`
    case 'letter':
      return `<p class="ink" style="margin:0 0 16px;${body}">${escapeHtml(part.text).replaceAll('\n', '<br>\n')}</p>`
    case 'notice':
      return `<p class="notice" style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background-color:#ffefc7;color:#734700;${font};font-size:15px;line-height:1.5">${escapeHtml(part.text)}</p>`
    case 'button':
      return `<p style="margin:8px 0 24px"><a href="${escapeHtml(part.url)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background-color:${signal};color:${ink};${font};font-size:17px;font-weight:700;text-decoration:none">${escapeHtml(part.label)}</a></p>`
    case 'facts':
      return detailsToHtml(part.details)
  }
}

// Renders a table with row headers, so that a screen reader reads the header with its value: 'Time: 1:30 PM'.
function detailsToHtml(details: readonly (readonly [string, string])[]): string {
  const cell = `padding:10px 0;border-bottom:1px solid ${line};vertical-align:top;${font};font-size:16px;line-height:1.45`
  const rows = details.map(
    ([name, value]) =>
      `<tr><th scope="row" align="left" class="muted rule" style="${cell};color:${muted};font-weight:400;width:34%;padding-right:12px">${escapeHtml(name)}</th>` +
      `<td class="ink rule" style="${cell};color:${ink};font-weight:600;word-break:break-word">${escapeHtml(value).replaceAll('\n', '<br>')}</td></tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;border-collapse:collapse">${rows.join('\n')}</table>`
}

function toText(shop: Shop, { heading, parts, reason }: EmailContent): string {
  const shopLines = [shop.name, addressLine(shop), shop.phone.display].join('\n')
  return [heading, ...parts.map(partToText), `-- \n${shopLines}`, reason].join('\n\n').concat('\n')
}

function partToText(part: EmailPart): string {
  switch (part.kind) {
    case 'paragraph':
    case 'letter':
      return part.text
    case 'notice':
      return `* ${part.text}`
    case 'button':
      return `${part.label}: ${part.url}`
    case 'facts':
      return part.details
        .map(([name, value]) => `${name}: ${value.replaceAll('\n', '\n  ')}`)
        .join('\n')
  }
}

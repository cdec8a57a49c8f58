import { escapeHtml } from '#domain/text/escape-html.ts'

/** Markup that is safe to send unescaped. Only `html` creates it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | null | undefined | false | Markup | readonly Markup[]

/** A template tag that escapes every value except markup; null, undefined and false render nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + inMarkup(values[index - 1]) + part))
}

function inMarkup(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map((item) => item.text).join('')
  return escapeHtml(String(value))
}

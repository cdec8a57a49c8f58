import { escapeHtml } from '#domain/text/escape-html.ts'

/** Markup that is safe to send as it is. Only `html` makes it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | null | undefined | false | Markup | readonly Markup[]

/** Markup with every value escaped, except markup of our own; nothing for null, undefined and false. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + inMarkup(values[index - 1]) + part))
}

function inMarkup(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map((item) => item.text).join('')
  return escapeHtml(String(value))
}

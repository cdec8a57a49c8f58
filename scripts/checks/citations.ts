/** A text file of the repository. */
export type Cited = { readonly path: string; readonly text: string }

const citation = /docs\/product\.md(?: (?<section>\d+(?:\.\d+)?))?/g
const sectionStart = /^(?:#+ )?(\d+(?:\.\d+)?)[. ]/gm
/** Citations of an earlier specification, which is not part of the repository. */
const elsewhere =
  /\bspecification(?:, |'s )sections? \d|\bsections? \d+ of the specification\b|\(section \d/gi

/** The numbers of the sections that docs/product.md has: '5' and '5.2'. */
export function sectionsOf(product: string): ReadonlySet<string> {
  return new Set([...product.matchAll(sectionStart)].map((match) => match[1] ?? ''))
}

/** One sentence for each citation of a missing section of docs/product.md or of a text outside the repository. */
export function findLostCitations(
  files: readonly Cited[],
  sections: ReadonlySet<string>,
): string[] {
  return files.flatMap(({ path, text }) => [
    ...[...text.matchAll(citation)]
      .map((match) => match.groups?.['section'])
      .filter((section) => section !== undefined && !sections.has(section))
      .map((section) => `${path} cites section ${section}, which docs/product.md does not have.`),
    ...[...text.matchAll(elsewhere)].map(
      ([cited]) => `${path} cites '${cited}'; the product is described in docs/product.md.`,
    ),
  ])
}

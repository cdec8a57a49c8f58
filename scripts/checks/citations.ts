/** A text file of the repository. */
export type Cited = { readonly path: string; readonly text: string }

const citation = /docs\/product\.md(?: (?<section>\d+(?:\.\d+)?))?/g
const sectionStart = /^(?:#+ )?(\d+(?:\.\d+)?)[. ]/gm
/** Matches citations of an earlier specification, which is not part of the repository. */
const elsewhere =
  /\bspecification(?:, |'s )sections? \d|\bsections? \d+ of the specification\b|\(section \d/gi

/** Returns the numbers of the sections of docs/product.md, such as '5' and '5.2'. */
export function sectionsOf(product: string): ReadonlySet<string> {
  return new Set([...product.matchAll(sectionStart)].map((match) => match[1] ?? ''))
}

/**
 * Returns one sentence for each citation of a section that docs/product.md lacks, or of a text outside the
 * repository.
 */
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

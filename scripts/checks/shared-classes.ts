/** A style sheet of the repository. */
export type Sheet = { readonly path: string; readonly text: string }

/**
 * Returns the CSS classes that several style sheets name in their selectors, with the paths of the sheets. To change
 * the look of a component, a feature passes a property or sets a custom property of the component. The feature must not
 * style the class of the component.
 */
export function findSharedClasses(sheets: readonly Sheet[]): ReadonlyMap<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { path, text } of sheets) {
    for (const name of classesIn(text)) paths.set(name, [...(paths.get(name) ?? []), path])
  }
  return new Map([...paths].filter(([, found]) => found.length > 1))
}

/** Returns the names of the classes in the selectors of a style sheet. */
function classesIn(text: string): ReadonlySet<string> {
  const withoutText = text.replaceAll(/\/\*.*?\*\/|\[[^\]]*\]|'[^']*'|"[^"]*"/gs, '')
  const selectors = withoutText
    .split(/[;}]/)
    .flatMap((part) => part.split('{').slice(0, -1))
    .filter((part) => !part.trim().startsWith('@'))
  return new Set(
    selectors.flatMap((selector) =>
      [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
    ),
  )
}

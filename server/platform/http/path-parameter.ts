/** Returns a parameter of the matched route; empty for a route without it. */
export function pathParameter(request: { readonly params: unknown }, name: string): string {
  const value: unknown = Object(request.params)[name]
  return typeof value === 'string' ? value : ''
}

/** Returns a parameter of the matched route; an empty string if the route has no such parameter. */
export function pathParameter(request: { readonly params: unknown }, name: string): string {
  const value: unknown = Object(request.params)[name]
  return typeof value === 'string' ? value : ''
}

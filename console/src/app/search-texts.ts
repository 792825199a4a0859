/** The texts of an address among its search parameters, without spaces around them; empty ones are left out. */
export function textsOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      const text = typeof value === 'string' ? value.trim() : ''
      return text === '' ? [] : [[name, text]]
    }),
  ) as { readonly [name in Name]?: string }
}

/** The text of a field of a form, without spaces around it. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The words of a text, between spaces, commas and lines. */
export function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}

/** A member of an input, if there is a text for it. */
export function optionalText<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [name in Name]?: string } {
  return (text ? { [name]: text } : {}) as { readonly [name in Name]?: string }
}

/** What a field for an amount takes: `12`, `0.25`. */
export const decimal = { inputMode: 'decimal', pattern: '[0-9]+([.][0-9]+)?' } as const

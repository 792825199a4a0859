/**
 * Cuts text at values that may be others each time: whole numbers, and plain strings within their
 * quotes. A value that is neither stays.
 */
export function withGaps(text: string, values: RegExp | undefined): string[] {
  if (!values) return [text]
  const literals: string[] = []
  let from = 0
  for (const { index, groups } of text.matchAll(values)) {
    const { name = '', value = '' } = groups ?? {}
    const at = index + name.length
    literals.push(text.slice(from, at))
    from = at + value.length
  }
  literals.push(text.slice(from))
  return literals
}

/** Finds such values of members with these names, wherever they stand. */
export function valuesOf(members: readonly string[]): RegExp | undefined {
  if (members.length === 0) return undefined
  const name = `"(?:${members.map((member) => RegExp.escape(member)).join('|')})": ?"?`
  // oxlint-disable-next-line no-control-regex -- a plain string holds none of them
  const value = /(?<=")[^"\\\u0000-\u001f]*(?=")|(?<=: ?)(?:0|[1-9]\d*)/.source
  return new RegExp(`(?<name>${name})(?<value>${value})`, 'g')
}

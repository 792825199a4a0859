/**
 * Cuts text at the values of members that mean nothing. Where such a value is neither a plain string
 * nor a whole number, it stays.
 */
export function withGaps(text: string, noise: readonly string[] = []): Buffer[] {
  if (noise.length === 0) return [Buffer.from(text)]
  const literals: Buffer[] = []
  let from = 0
  for (const { index, 0: member, groups } of text.matchAll(membersOf(noise))) {
    const behind = index + member.length
    literals.push(Buffer.from(text.slice(from, behind - (groups?.value ?? '').length)))
    from = behind
  }
  literals.push(Buffer.from(text.slice(from)))
  return literals
}

function membersOf(noise: readonly string[]): RegExp {
  // oxlint-disable-next-line no-control-regex -- a plain string holds none of them
  return new RegExp(
    `"(?:${noise.join('|')})":(?<value>0|[1-9]\\d*|"[^"\\\\\\u0000-\\u001f]*")`,
    'g',
  )
}

/** The part of a page that a program writes, between two comments that name it. */
interface Region {
  readonly start: number
  readonly end: number
}

function find(page: string, name: string): Region {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`There is no ${begin} with an ${end} after it.`)
  return { start: before + begin.length, end: after }
}

/** The generated part of a page, without its comments. */
export function readGenerated(page: string, name: string): string {
  const { start, end } = find(page, name)
  return page.slice(start, end).trim()
}

/** The page with another generated part. */
export function replaceGenerated(page: string, name: string, content: string): string {
  const { start, end } = find(page, name)
  return `${page.slice(0, start)}\n${content}\n${page.slice(end)}`
}

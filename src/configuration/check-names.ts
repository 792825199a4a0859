import type { Problem } from '../contract/problems.ts'

/** A problem for each circle of aliases: such names would never reach a model. */
export function aliasCircles(aliases: unknown): Problem[] {
  const known = new Map(Object.entries(aliases ?? {}))
  const reported = new Set<string>()
  return [...known.keys()].flatMap((start) => {
    const circle = circleFrom(start, known)
    if (!circle || reported.has(start)) return []
    for (const name of circle) reported.add(name)
    return [
      {
        path: `aliases.${start}`,
        message:
          circle.length === 1
            ? 'is an alias of itself'
            : `goes in a circle: ${[...circle, start].join(' -> ')}`,
        fix: 'let it name a model that an account has',
      },
    ]
  })
}

/** The names of the circle that leads from a name back to it. */
function circleFrom(start: string, aliases: ReadonlyMap<unknown, unknown>): string[] | undefined {
  const visited = [start]
  for (let name = aliases.get(start); name !== start; name = aliases.get(name)) {
    if (typeof name !== 'string' || visited.includes(name)) return undefined
    visited.push(name)
  }
  return visited
}

/** A problem for each entry of a list whose id was used before. */
export function repeatedIds(name: string, list: readonly unknown[]): Problem[] {
  const firsts = new Map<unknown, number>()
  return list.flatMap((entry, index) => {
    const id = (entry as { id?: unknown } | null | undefined)?.id
    if (typeof id !== 'string') return []
    const first = firsts.get(id)
    if (first === undefined) firsts.set(id, index)
    if (first === undefined) return []
    return [
      {
        path: `${name}[${index}].id`,
        message: `"${id}" is the id of ${name}[${first}] too`,
        fix: 'give each an id of its own',
      },
    ]
  })
}

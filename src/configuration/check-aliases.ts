import type { Problem } from './problems.ts'

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

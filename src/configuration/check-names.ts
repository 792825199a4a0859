import type { Problem } from '../contract/problems.ts'

/** Reports each circle of aliases, whose names never resolve to a model. */
export function aliasCircles(aliases: unknown): Problem[] {
  const known = new Map(
    Object.entries({ ...(aliases as object | undefined) }).map(([name, alias]) => [
      name,
      modelOf(alias),
    ]),
  )
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
            : `is part of a circle: ${[...circle, start].join(' -> ')}`,
        fix: 'set it to a model of an account',
      },
    ]
  })
}

function modelOf(alias: unknown): unknown {
  return typeof alias === 'object' && alias !== null && 'model' in alias ? alias.model : alias
}

/** The names of the circle that begins and ends at `start`, or `undefined`. */
function circleFrom(start: string, aliases: ReadonlyMap<unknown, unknown>): string[] | undefined {
  const visited = [start]
  for (let name = aliases.get(start); name !== start; name = aliases.get(name)) {
    if (typeof name !== 'string' || visited.includes(name)) return undefined
    visited.push(name)
  }
  return visited
}

/** Reports each entry of a list whose id an earlier entry has. */
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
        message: `"${id}" is also the id of ${name}[${first}]`,
        fix: 'give each its own id',
      },
    ]
  })
}

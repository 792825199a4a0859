import type { Problem } from '../contract/problems.ts'

/** Reports each circle of aliases, whose names never resolve to a model. */
export function aliasCircles(aliases: unknown): Problem[] {
  const known = modelsOf(aliases)
  const places = new Map([...known.keys()].map((name, at) => [name, at]))
  const placeOf = (name = '') => places.get(name) ?? 0
  return circlesIn(known)
    .map((circle) => turned(circle, placeOf))
    .toSorted((one, other) => placeOf(one[0]) - placeOf(other[0]))
    .map((circle) => ({
      path: `aliases.${circle[0]}`,
      message:
        circle.length === 1
          ? 'is an alias of itself'
          : `is part of a circle: ${[...circle, circle[0]].join(' -> ')}`,
      fix: 'set it to a model of an account',
    }))
}

/** Reports each fallback of an alias that is the model of the alias itself, and so serves nothing that it does not. */
export function uselessFallbacks(aliases: unknown): Problem[] {
  const known = modelsOf(aliases)
  return entriesOf(aliases).flatMap(([name, alias]) => {
    const { fallbacks } = Object(alias) as { fallbacks?: unknown }
    if (!Array.isArray(fallbacks)) return []
    const model = endOf(known, name)
    return fallbacks.flatMap((fallback: unknown, index): Problem[] => {
      if (endOf(known, modelOf(fallback)) !== model) return []
      return [
        {
          path: `aliases.${name}.fallbacks[${index}].model`,
          message: `leads back to the model of the alias, "${String(model)}"`,
          fix: 'name another model',
        },
      ]
    })
  })
}

function entriesOf(aliases: unknown): [string, unknown][] {
  return Object.entries<unknown>({ ...(aliases as object | undefined) })
}

/** The names that aliases stand for. An alias with settings may name itself: it sets the settings of the model. */
function modelsOf(aliases: unknown): Map<string, unknown> {
  return new Map(
    entriesOf(aliases).map(([name, alias]) => {
      const model = modelOf(alias)
      return [name, model === name && typeof alias === 'object' ? undefined : model]
    }),
  )
}

function modelOf(alias: unknown): unknown {
  return typeof alias === 'object' && alias !== null && 'model' in alias ? alias.model : alias
}

/** The name at which the way of a name ends; of a circle one of its names. */
function endOf(aliases: ReadonlyMap<string, unknown>, name: unknown): unknown {
  const way = new Set<unknown>()
  let end = name
  for (;;) {
    way.add(end)
    const next = typeof end === 'string' ? aliases.get(end) : undefined
    if (next === undefined || way.has(next)) return end
    end = next
  }
}

/** The circles among aliases. It follows each name once, however many names lead to it. */
function circlesIn(aliases: ReadonlyMap<string, unknown>): string[][] {
  const followed = new Set<string>()
  const circles: string[][] = []
  for (const start of aliases.keys()) {
    const path = new Set<string>()
    let name: unknown = start
    while (typeof name === 'string' && !followed.has(name)) {
      followed.add(name)
      path.add(name)
      name = aliases.get(name)
    }
    const names = [...path]
    if (typeof name === 'string' && path.has(name)) circles.push(names.slice(names.indexOf(name)))
  }
  return circles
}

/** A circle from its name that the configuration has first. */
function turned(circle: readonly string[], placeOf: (name: string) => number): string[] {
  const first = circle.reduce((one, other) => (placeOf(other) < placeOf(one) ? other : one))
  const at = circle.indexOf(first)
  return [...circle.slice(at), ...circle.slice(0, at)]
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

import type { Problem } from './problems.ts'

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
